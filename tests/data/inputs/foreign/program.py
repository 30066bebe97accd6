import networkx as nx
G = nx.Graph()
G.add_edge(0, 1)
