Creator "igraph version 1.0.0 Sun Nov 22 16:19:16 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "v0"
  ]
  node
  [
    id 1
    name "v1"
  ]
  node
  [
    id 2
    name "v2"
  ]
  node
  [
    id 3
    name "v3"
  ]
  node
  [
    id 4
    name "v4"
  ]
  edge
  [
    source 1
    target 0
    weight 1.5
  ]
  edge
  [
    source 2
    target 1
    weight 2.5
  ]
  edge
  [
    source 3
    target 2
    weight 3.5
  ]
]
