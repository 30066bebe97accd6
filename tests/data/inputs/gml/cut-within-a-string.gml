Creator "a test"
Version 1
graph [
  node [
    id 0
    label "ada"
  ]
  node [
    id 1
    label "ben"
  ]
  node [
    id 2
    label "cyd"
  ]
  node [
    id 3
    label "dan"
  ]
  node [
    id 4
    label "eve"
  ]
  node [
    id 5
    label "f