graph [
  node [
    id 0
    label "a b"
  ]
  node [
    id 1
    label "Zo&#235;"
  ]
  node [
    id 2
    label "x&#34;y"
  ]
  node [
    id 3
    label "lone &#38; only"
  ]
  edge [
    source 0
    target 1
    weight 0.1
  ]
  edge [
    source 0
    target 2
    weight 0.3
  ]
  edge [
    source 1
    target 2
    weight 0.2
  ]
]
