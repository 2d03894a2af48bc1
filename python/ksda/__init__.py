"""Publish social networks without giving away which community anyone belongs to.

    >>> import ksda
    >>> release = ksda.anonymize([(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)], [0, 0, 0, 1, 1, 1], k=2)
    >>> release.verify()["satisfied"]
    True

Every degree that occurs in the release occurs in at least k communities: who knows how many friends somebody has still
has k communities to choose from. Edges are only added, inside communities; where that is not enough, vertices are split.
Everything is computed by libksda; docs/python.md has the whole story."""

from ._library import (
    Error,
    InfeasibleError,
    InvalidError,
    NotFoundError,
    ParseError,
    UnsupportedError,
    VerificationError,
    library_version,
)
from .choose import Advice, advise, people
from .graph import Communities, Graph, as_communities, as_graph, detect
from .release import (
    Check,
    KSDAAnonymizer,
    Release,
    anonymize,
    as_frame,
    attack,
    check,
    compare,
    frontier,
    measure,
    methods,
    optimal,
    sweep,
    verify,
)

__version__ = library_version

__all__ = [
    "Advice", "Check", "Communities", "Error", "Graph", "InfeasibleError", "InvalidError", "KSDAAnonymizer", "NotFoundError",
    "ParseError", "Release", "UnsupportedError", "VerificationError", "advise", "anonymize", "as_communities", "as_frame", "as_graph",
    "attack", "check", "compare", "detect", "frontier", "library_version", "measure", "methods", "optimal", "people", "sweep", "verify",
]  # fmt: skip
