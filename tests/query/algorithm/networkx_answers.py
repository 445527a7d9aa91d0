#!/usr/bin/env python3
"""Writes what NetworkX answers about twenty graphs: the table that graph_answers_test.cpp compares with.

usage: networkx_answers.py > networkx_answers.txt        needs python3-networkx

graph NAME nodes N            then its lines, up to the next graph
edge SOURCE TARGET WEIGHT
NUMBERS QUESTION...           one for each node, in their order
"""

import itertools
import math
import random

import networkx as nx

# The one that needs no numpy.
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python as pagerank


def random_edges(nodes, edges, seed, largest=9):
    """With loops and parallel ones."""
    draw = random.Random(seed)
    return [(draw.randrange(nodes), draw.randrange(nodes), draw.randint(1, largest)) for _ in range(edges)]


def from_networkx(graph, seed):
    draw = random.Random(seed)
    nodes = {node: number for number, node in enumerate(graph)}
    return len(nodes), [(nodes[a], nodes[b], draw.randint(1, 9)) for a, b in graph.edges()]


def graphs():
    yield "empty", 0, []
    yield "one node", 1, []
    yield "a loop", 1, [(0, 0, 2)]
    yield "two nodes", 2, [(0, 1, 3)]
    yield "no relationships", 5, []
    yield "parallel", 3, [(0, 1, 1), (0, 1, 4), (1, 0, 2), (1, 2, 5), (2, 2, 1)]
    yield "path", 9, [(i, i + 1, i + 1) for i in range(8)]
    yield "ring", 10, [(i, (i + 1) % 10, 1 + i % 3) for i in range(10)]
    yield "star", 30, [(0, i, 1 + i % 4) for i in range(1, 30)]
    yield "complete", 8, [(a, b, 1 + (a + b) % 5) for a, b in itertools.combinations(range(8), 2)]
    yield "bipartite", 12, [(a, b, 1 + a) for a in range(5) for b in range(5, 12)]
    yield ("two cliques", 12, [(a, b, 2) for s in (0, 6) for a, b in itertools.combinations(range(s, s + 6), 2)] + [(5, 6, 1)])
    yield "disconnected", 20, random_edges(6, 12, 1) + [(a + 10, b + 10, w) for a, b, w in random_edges(8, 20, 2)]
    yield ("hub", 40, [(0, i, 2) for i in range(1, 40)] + random_edges(40, 40, 3))
    yield ("karate", *from_networkx(nx.karate_club_graph(), 4))
    yield ("families", *from_networkx(nx.florentine_families_graph(), 5))
    yield "sparse", 40, random_edges(40, 45, 6)
    yield "dense", 25, random_edges(25, 220, 7)
    yield ("scale free", *from_networkx(nx.barabasi_albert_graph(40, 3, seed=8), 8))
    yield ("blocks", *from_networkx(nx.planted_partition_graph(4, 12, 0.6, 0.04, seed=9), 9))


def simple(graph, kind):
    """The least weight of parallel ones, no loops."""
    made = kind()
    made.add_nodes_from(graph)
    for a, b, data in graph.edges(data=True):
        if a == b:
            continue
        weight = min(data["weight"], made[a][b]["weight"] if made.has_edge(a, b) else math.inf)
        made.add_edge(a, b, weight=weight)
    return made


def numbered(groups, nodes):
    """Groups by number, in the order of their first nodes."""
    group_of = {}
    for number, group in enumerate(sorted(groups, key=min)):
        for node in group:
            group_of[node] = number
    return [group_of[node] for node in range(nodes)]


def show(question, numbers):
    print(question, *(f"{number:.13g}" if isinstance(number, float) else number for number in numbers))


def by_node(values, nodes):
    return [values[node] for node in range(nodes)]


def answer_ranks(directed, undirected, nodes):
    exact = {"tol": 1e-15, "max_iter": 10000}
    show("pagerank", by_node(pagerank(directed, weight="one", **exact), nodes))
    show("pagerank_weighted", by_node(pagerank(directed, weight="weight", **exact), nodes))
    show("pagerank_both", by_node(pagerank(undirected, alpha=0.7, weight="one", **exact), nodes))
    if nodes == 0:
        return
    seeds = {0: 2, nodes - 1: 1} if nodes > 1 else {0: 3}
    ranks = pagerank(directed, personalization=seeds, weight="weight", **exact)
    show("personalized", by_node(ranks, nodes))


def answer_groups(directed, undirected, nodes):
    show("components", numbered(nx.connected_components(undirected), nodes))
    show("strong", numbered(nx.strongly_connected_components(directed), nodes))
    if undirected.number_of_edges() > 0:
        for weight in (None, "weight"):
            # The fifth best of a hundred: the best may be luck.
            found = sorted(
                nx.community.modularity(undirected, nx.community.louvain_communities(undirected, weight=weight, seed=seed), weight=weight)
                for seed in range(100))
            show("modularity" if weight is None else "modularity_weighted", [float(found[95])])


def answer_centrality(directed, undirected, nodes):
    one_way, both_ways = simple(directed, nx.DiGraph), simple(undirected, nx.Graph)
    show("betweenness", by_node(nx.betweenness_centrality(one_way, normalized=False), nodes))
    show("betweenness_weighted", by_node(nx.betweenness_centrality(one_way, normalized=False, weight="weight"), nodes))
    show("betweenness_both", by_node(nx.betweenness_centrality(both_ways, normalized=True), nodes))
    show("core", by_node(nx.core_number(both_ways), nodes))
    show("triangles", by_node(nx.triangles(both_ways), nodes))
    show("coefficient", [float(one) for one in by_node(nx.clustering(both_ways), nodes)])


def answer_paths(directed, undirected, nodes):
    """From node 0: costs to all, -1 for none; and the costs of the first paths to the last node."""
    if nodes == 0:
        return
    one_way, both_ways = simple(directed, nx.DiGraph), simple(undirected, nx.Graph)
    costs = nx.single_source_dijkstra_path_length(one_way, 0)
    show("costs", [costs.get(node, -1) for node in range(nodes)])
    costs = nx.single_source_dijkstra_path_length(both_ways, 0)
    show("costs_both", [costs.get(node, -1) for node in range(nodes)])
    if nodes > 1 and nx.has_path(both_ways, 0, nodes - 1):
        paths = itertools.islice(nx.shortest_simple_paths(both_ways, 0, nodes - 1, weight="weight"), 8)
        show("k_shortest", [nx.path_weight(both_ways, path, "weight") for path in paths])
    others = [node for node in range(1, nodes)]
    common = [len(list(nx.common_neighbors(both_ways, 0, other))) for other in others]
    show("common", common)
    pairs = [(0, other) for other in others]
    # NetworkX counts what is common, and divides by the union of the neighbours.
    show("jaccard", [float(value) for _, _, value in nx.jaccard_coefficient(both_ways, pairs)])
    show("adamic_adar", [float(value) for _, _, value in nx.adamic_adar_index(both_ways, pairs)])


def main():
    print(f"# NetworkX {nx.__version__}; made by networkx_answers.py")
    for name, nodes, edges in graphs():
        directed, undirected = nx.MultiDiGraph(), nx.MultiGraph()
        print("graph", name.replace(" ", "_"), "nodes", nodes)
        for graph in (directed, undirected):
            graph.add_nodes_from(range(nodes))
            graph.add_edges_from((a, b, {"weight": weight, "one": 1}) for a, b, weight in edges)
        for edge in edges:
            print("edge", *edge)
        for answer in (answer_ranks, answer_groups, answer_centrality, answer_paths):
            answer(directed, undirected, nodes)


main()
