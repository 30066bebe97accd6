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
    label "fay"
  ]
  node [
    id 6
    label "gus"
  ]
  edge [
    source 3
    target 0
    weight 5
  ]
  edge [
    source 1
    target 2
    weight 5
  ]
  edge [
    source 2
    target 0
    weight 1
  ]
  edge [
    source 2
    target 4
    weight 3
  ]
  edge [
    source 5
    target 3
    weight 3
  ]
  edge [
    source 0
    target 4
    weight 2
  ]
  edge [
    source 4
    target 5
    weight 6
  ]
  edge [
    source 6
    target 1
    weight 6
  ]
  edge [
    source 4
    target 1
    weight 5
  ]
