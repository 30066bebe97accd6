graph [ directed 0
  node [ id 0 name "a" ] node [ id 1 name "b" ] node [ id 2 name "c" ]
  edge [ source 0 target 1 ] edge [ source 1 target 2 ]
]
