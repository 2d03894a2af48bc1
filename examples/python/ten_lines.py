"""A network from networkx is published, and what is to be published and what is not is written into a folder."""

import tempfile

import networkx as nx

import ksda

people = nx.karate_club_graph()  # vertices have the attribute "club"
print(ksda.check(people, "club", k=2))  # who is exposed?

release = ksda.anonymize(people, "club", k=2)
print(release)  # what was done, what it cost, what is proved
print(release.graph)  # a networkx graph without names

with tempfile.TemporaryDirectory() as folder:
    release.save(folder)  # published.edges for everybody; private.map, private.json and private.html for you
