Creator "a test"
Version 1
graph [
  node [
    id 10
    label "ada"
  ]
  node [
    id 20
    label "ben"
  ]
  node [
    id 30
    label "cyd"
  ]
  node [
    id 40
    label "dan"
  ]
  node [
    id 50
    label "eve"
  ]
  node [
    id 60
    label "fay"
  ]
  node [
    id 70
    label "ada"
  ]
  edge [
    source 40
    target 10
    weight 5
  ]
  edge [
    source 20
    target 30
    weight 5
  ]
  edge [
    source 30
    target 10
    weight 1
  ]
  edge [
    source 30
    target 50
    weight 3
  ]
  edge [
    source 60
    target 40
    weight 3
  ]
  edge [
    source 10
    target 50
    weight 2
  ]
  edge [
    source 50
    target 60
    weight 6
  ]
  edge [
    source 70
    target 20
    weight 6
  ]
  edge [
    source 50
    target 20
    weight 5
  ]
]
