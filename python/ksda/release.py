"""From a network to a release that may be published, and what can be said about it."""

from __future__ import annotations

import ctypes
import json
import os
import weakref
from collections.abc import Callable, Iterable
from ctypes import byref, c_size_t, c_uint32, c_void_p
from fractions import Fraction
from typing import Union

import numpy as np

from . import _declarations as d
from ._library import Context, InfeasibleError, InvalidError, NotFoundError, UnsupportedError, VerificationError, lib, options, pointer, sized, take_text, view
from .graph import Communities, Graph, _memory, _path, as_communities, as_graph

Progress = Callable[[str, int, int], object]
Share = Union[str, float, Fraction, None]

_RENDERINGS = {"json": d.KSDA_RENDERING_JSON, "text": d.KSDA_RENDERING_TEXT, "html": d.KSDA_RENDERING_HTML}
_FAVOURS = {
    "balanced": d.KSDA_FAVOUR_BALANCED,
    "clustering": d.KSDA_FAVOUR_CLUSTERING,
    "paths": d.KSDA_FAVOUR_PATHS,
    "plausible": d.KSDA_FAVOUR_PLAUSIBLE,
}


class Check(dict):
    """Who is exposed, and how well the degree attack would do: the fields of ``ksda check --json``.

    True where every degree occurs in at least k communities."""

    def __bool__(self):
        return bool(self["satisfied"])

    def __str__(self):
        return self.text

    def _repr_html_(self):
        return "<pre>%s</pre>" % _escape(self.text)


def methods() -> list[dict]:
    """The methods, the default first: a list of dicts with name, title, summary, adds, splits, always, baseline, exact.

    >>> methods()[0]["name"]
    'level-plan'
    """
    count = c_size_t()
    rows = lib.ksda_methods(byref(count))
    flags = ("adds", "splits", "always", "baseline", "exact")
    return [
        {
            "name": rows[i].name.decode(),
            "title": rows[i].title.decode(),
            "summary": rows[i].summary.decode(),
            **{flag: bool(rows[i].flags & getattr(d, "KSDA_METHOD_" + flag.upper())) for flag in flags},
        }
        for i in range(count.value)
    ]


def _method(name):
    if name is None:
        return None
    row = lib.ksda_method_find(str(name).encode())
    if not row:
        raise InvalidError("no method is called %r; there are %s" % (name, ", ".join(m["name"] for m in methods())))
    return row


def _k(k):
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise InvalidError("k is %r: expected a whole number from 1 to the number of communities" % (k,))
    return int(k)


def _share(share, k):
    """A share bound as the library has it: "1/3", 0.25, a Fraction, or "1/k"; None for none."""
    bound = d.ksda_share()
    if share is None:
        return bound
    text = "1/%d" % _k(k) if share == "1/k" else repr(share) if isinstance(share, float) else str(share)
    if isinstance(share, bool) or not lib.ksda_share_from_text(text.encode(), byref(bound)):
        raise InvalidError(
            "max_share is %r: expected a share of the people of a degree, above 0 and at most 1, as in 0.25, '1/3', "
            "Fraction(1, 3) or '1/k'" % (share,)
        )
    return bound


def share_fraction(share, k) -> Fraction:
    """A share bound as an exact fraction."""
    bound = _share(share, k)
    return Fraction(bound.numerator, bound.denominator)


def _favour(name):
    if name not in _FAVOURS:
        raise InvalidError("favour %r: expected one of %s" % (name, ", ".join(_FAVOURS)))
    return _FAVOURS[name]


def _anonymize_options(k, split_weight, favour, bound, proof, plausible_cost=None, max_share=None):
    return options(
        d.ksda_anonymize_options, lib.ksda_anonymize_options_init_sized,
        k=_k(k), split_weight=split_weight, favour=_favour(favour), bound_seconds=bound, no_proof=int(not proof), plausible_cost=plausible_cost,
        max_share=_share(max_share, k),
    )  # fmt: skip


def anonymize(graph, communities=None, k: int | None = None, method: str | None = None, *, split_weight: float | None = None, favour: str = "balanced", bound: float | None = None, proof: bool = True,
              unassigned: str = "refuse", baseline: bool = False, insecure_ids: bool = False, seed: int = 1, threads: int = 0, time_limit: float | None = None, progress: Progress | bool | None = None,
              plausible_cost: float | None = None, max_share: Share = None) -> Release:  # fmt: skip
    """Publish a network so that every degree that occurs, occurs in at least k communities and, with ``max_share``, no
    community has a larger share of the people of any degree (0.25, ``"1/3"``, ``Fraction(1, 3)`` or ``"1/k"``), so that no
    guess by degree is right more often.

    ``graph``: a :class:`Graph`, a networkx or igraph graph, a scipy matrix, a data frame of edges, a path, or pairs.
    ``communities``: labels in the order of the vertices, a dict by vertex, the name of a node attribute, ``"leiden"`` or
    ``"metis:N"``; None: those read with the file. ``method``: see :func:`methods`. The other arguments are the options of
    the command. ``progress`` is a function(stage, done, total), or True for tqdm.

    Returns a :class:`Release`, which was verified; raises :class:`NotFoundError` where there is none,
    :class:`InfeasibleError` where that is proved.

    >>> import ksda
    >>> release = ksda.anonymize([(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)], [0, 0, 0, 1, 1, 1], k=2)
    >>> release.added_edges, release.lower_bound
    (1, 1.0)
    """
    graph = as_graph(graph)
    communities = as_communities(graph, communities, unassigned, seed)
    context = Context(seed=seed, threads=threads, time_limit=time_limit, progress=progress)
    wanted = _anonymize_options(k, split_weight, favour, bound, proof, plausible_cost, max_share)
    publish = options(
        d.ksda_publish_options, lib.ksda_publish_options_init_sized,
        insecure_ids=int(insecure_ids), baseline=int(baseline),
    )  # fmt: skip
    out = c_void_p()
    limited = context.run(
        lib.ksda_publish, graph, communities, _method(method), byref(wanted), byref(publish), byref(out)
    )
    return Release(out, graph, communities, limited=limited)


class Release:
    """A verified release: what may be published, and, privately, whose pieces its vertices are."""

    def __init__(self, handle, graph, communities, edits=None, limited=False):
        self._handle, self._original, self._original_communities = handle, graph, communities
        self._edits = edits  # borrowed by the publication
        self._free = weakref.finalize(self, _free_publication, handle, (graph, communities, edits))
        #: The method was stopped by the time limit: valid, maybe not the cheapest.
        self.limited = limited

    @property
    def _as_parameter_(self):
        """What ctypes passes for it. Calls are given the object itself, so that it lives as long as the call."""
        return self._handle

    # --- what it cost ---

    @property
    def _result(self):
        return lib.ksda_publication_result(self._handle).contents

    @property
    def method(self) -> str:
        """The name of the method."""
        return lib.ksda_publication_method(self._handle).decode()

    @property
    def k(self) -> int:
        """The k that was asked for."""
        return lib.ksda_publication_k(self._handle)

    @property
    def max_share(self) -> Fraction | None:
        """The share bound that was asked for; None where there was none."""
        bound = lib.ksda_publication_verification(self._handle).contents.max_share
        return Fraction(bound.numerator, bound.denominator) if bound.denominator else None

    @property
    def added_edges(self) -> int:
        """How many edges were added."""
        return self._result.added_edges

    @property
    def added_vertices(self) -> int:
        """How many vertices there are more, by splitting."""
        return self._result.added_vertices

    @property
    def split_vertices(self) -> int:
        """How many vertices were split."""
        return self._result.split_vertices

    @property
    def cost(self) -> float:
        """Added edges + split weight * added vertices."""
        return self._result.cost

    @property
    def lower_bound(self) -> float:
        """Proved: no release costs less. NaN where nothing was proved."""
        return self._result.lower_bound

    @property
    def least_added_edges(self) -> int:
        """Proved: no release that has at most as many added vertices has fewer added edges."""
        return self._result.least_added_edges

    @property
    def least_added_vertices(self) -> int:
        """Proved: no release has fewer added vertices."""
        return self._result.least_added_vertices

    @property
    def gap(self) -> float:
        """How far the cost may be above the least possible, as a share of it; NaN where nothing was proved."""
        bound = self.lower_bound
        return 0.0 if self.cost <= bound else (self.cost - bound) / bound if bound > 0 else float("nan")

    # --- the graph and the map ---

    @property
    def _release(self):
        return lib.ksda_publication_release(self._handle).contents

    @property
    def published(self) -> Graph:
        """The published graph, a :class:`Graph` whose vertices are numbers."""
        return _Part(c_void_p(self._release.graph), self)

    @property
    def owner(self) -> np.ndarray:
        """The original vertex (its number) behind each published one. Private."""
        return view(self._release.owner, self.published.vertices, np.uint32, self)

    @property
    def communities(self) -> Communities:
        """The community of every published vertex: :class:`Communities`."""
        part = _CommunitiesPart(c_void_p(self._release.communities), self)
        return part

    @property
    def mapping(self) -> dict:
        """Who is who: a dict from every original vertex to the list of its published ones. Private."""
        names = self._original.names
        found = {name: [] for name in names}
        for published, owner in enumerate(self.owner.tolist()):
            found[names[owner]].append(published)
        return found

    @property
    def graph(self):
        """The published graph as what came in: a networkx graph for a networkx graph, and so on; else a Graph. It carries
        neither names nor attributes of the original."""
        kind = self._original._kind
        published = self.published
        if kind == "networkx":
            return published.to_networkx()
        if kind == "igraph":
            return published.to_igraph()
        if kind == "scipy":
            return published.to_scipy()
        if kind == "pandas":
            return published.to_pandas()
        return published

    def graph_with(self, *attributes):
        """The published networkx graph with these attributes of the people, copied to all of their published vertices. What
        they tell is published with it: choose them with care. ``"community"`` is that of the release."""
        if self._original._kind != "networkx":
            raise InvalidError("attributes can be carried for networkx graphs only")
        made, source, names = self.published.to_networkx(), self._original._source, self._original.names
        labels = self.communities.labels if "community" in attributes else None
        for published, owner in enumerate(self.owner.tolist()):
            for attribute in attributes:
                value = labels[published] if attribute == "community" else source.nodes[names[owner]].get(attribute)
                if value is not None:
                    made.nodes[published][attribute] = value
        return made

    # --- what can be said about it ---

    def verify(self):
        """Recount everything once more from the original, the published graph and the map."""
        return verify(
            self._original, self.published, self._original_communities, self.owner, self.k, max_share=self.max_share
        )

    def check(self, k=None, **settings):
        """What the degree attack learns from the release: :func:`check`, with the bound that it was made for."""
        return check(self.published, self.communities, self.k if k is None else k, **{"max_share": self.max_share, **settings})

    def compare(self, **settings):
        """The measures before and after: :func:`compare`."""
        return compare(self._original, self.published, self.owner, self._original_communities, k=self.k, **settings)

    def attack(self, **settings):
        """What attackers learn who know more than a degree: :func:`attack`, with the original."""
        settings = {"k": self.k, **settings}
        return attack(self.published, self._original_communities, original=self._original, owner=self.owner, **settings)

    def summary(self) -> dict:
        """What ``ksda anonymize --json`` prints, as a dict. Private."""
        return json.loads(self._render("json"))

    def report(self, path=None, public=False, compare=False):
        """The page that ``--report`` writes: returned, or written to a file. Private unless ``public``; ``compare`` measures
        both networks for it, which may take a while."""
        comparison = self._comparison() if compare else None
        try:
            page = self._render("html", public_page=int(public), comparison=ctypes.pointer(comparison) if compare else None)
        finally:
            if compare:
                lib.ksda_comparison_clear(_memory.handle, byref(comparison))
        if path is None:
            return page
        _write(path, page, private=not public)
        return None

    def _comparison(self):
        found = sized(d.ksda_comparison)
        Context().run(
            lib.ksda_compare, self._original, self._original_communities, self.published,
            self._release.owner, self.k, None, byref(found),
        )  # fmt: skip
        return found

    def _render(self, rendering, **settings):
        settings = options(
            d.ksda_report_options, lib.ksda_report_options_init_sized, rendering=_RENDERINGS[rendering], utf8=1, **settings
        )
        return take_text(Context(), lib.ksda_report_publication, self, byref(settings))

    def save(self, folder, format="edges", communities=False):
        """Write the release into a folder: ``published.FORMAT`` and, where asked for, ``published.communities`` are for the
        public; ``private.map``, ``private.json`` and ``private.html`` are not, and only their owner may read them (0600).
        ``communities="graph"`` puts them into the graph itself (graphml, gexf, gml, json), as the attribute ``community``.
        Files that are there are refused."""
        number = lib.ksda_format_find(str(format).encode())
        if not number:
            raise InvalidError("no format is called %r" % format)
        inside = self._release.communities if communities == "graph" else None
        if inside and not lib.ksda_format_carries_communities(number):
            raise InvalidError("%s files do not carry communities; graphml, gexf, gml and json do" % format)
        communities = communities and not inside
        os.makedirs(folder, exist_ok=True)
        private = {name: os.path.join(folder, "private." + name) for name in ("map", "json", "html")}
        public, labels = os.path.join(folder, "published." + format), os.path.join(folder, "published.communities")
        wanted = [*private.values(), *([labels] if communities else []), public]
        for path in wanted:
            if os.path.exists(path):
                raise FileExistsError("%s is there already: a map that is replaced can never be used again" % path)
        context, written = Context(), self.published
        if format in ("metis", "mtx"):  # files without names, which number vertices from 1: so do those beside them
            written = Graph.from_csr(written.offsets, written.targets, names=range(1, written.vertices + 1))
        release = sized(
            d.ksda_release, graph=written._handle, owner=self._release.owner, communities=self._release.communities
        )
        try:
            context.run(lib.ksda_write_map, self._original, byref(release), _path(private["map"]))
            _write(private["json"], self._render("json"), private=True)
            _write(private["html"], self._render("html"), private=True)
            if communities:
                context.run(lib.ksda_write_communities, written, self._release.communities, _path(labels))
            context.run(lib.ksda_write_graph, written, inside, _path(public), number)
        except BaseException:  # all of them or none
            for path in wanted:
                if os.path.exists(path):
                    os.unlink(path)
            raise

    def __str__(self):
        return self._render("text")

    def __repr__(self):
        return "<ksda.Release by %s, k = %d: %d edges and %d vertices added>" % (
            self.method, self.k, self.added_edges, self.added_vertices,
        )  # fmt: skip

    def _repr_html_(self):
        return "<pre>%s</pre>" % _escape(str(self))


def _free_publication(handle, borrowed):
    """The finalizer holds what the publication borrows, so that it outlives it."""
    lib.ksda_publication_free(_memory.handle, handle)
    del borrowed


def _free_edits(handle, graph):
    lib.ksda_edits_free(_memory.handle, handle)
    del graph


class _Part(Graph):
    """A graph that belongs to a release."""

    def __init__(self, handle, release):
        self._handle, self._keys, self._kind, self._source = handle, None, None, None
        self._communities, self._release_of = None, release


class _CommunitiesPart(Communities):
    """Communities that belong to a release; they keep the names of the original's."""

    def __init__(self, handle, release):
        self._handle, self._graph = handle, release.published
        self._labels = release._original_communities._labels


# --- functions --------------------------------------------------------------------------------------------------------


def check(graph, communities=None, k: int = 2, *, unassigned: str = "refuse", seed: int = 1, top: int = 10,
          max_share: Share = None) -> Check:  # fmt: skip
    """Who is exposed, and how well the degree attack would do: :class:`Check`, a dict that is true where every degree
    occurs in at least k communities, and none of these has more than ``max_share`` of the people of a degree.

    >>> bool(check([(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)], [0, 0, 0, 1, 1, 1], k=2))
    False
    """
    graph = as_graph(graph)
    communities = as_communities(graph, communities, unassigned, seed)
    found, context = sized(d.ksda_diversity), Context(seed=seed)
    context.run(lib.ksda_diversity_check_share, graph, communities, _k(k), byref(_share(max_share, k)), byref(found))
    try:
        told = [
            take_text(
                context, lib.ksda_report_diversity, graph, communities, byref(found),
                byref(_report_options(rendering, top=top)),
            )
            for rendering in ("json", "text")
        ]  # fmt: skip
    finally:
        lib.ksda_diversity_clear(context.handle, byref(found))
    result = Check(json.loads(told[0]))
    result.text = told[1]
    return result


def verify(original, published, communities, owner, k, *, unassigned: str = "refuse", threads: int = 0,
           max_share: Share = None) -> dict:  # fmt: skip
    """Is a release what it claims to be? ``owner`` is the number of the original vertex behind each published one. Returns the
    counts; raises :class:`VerificationError` with the first thing that is wrong."""
    original, published = as_graph(original), as_graph(published)
    communities = as_communities(original, communities, unassigned)
    owner = _owners(owner, published)
    found, context = sized(d.ksda_verification), Context(threads=threads)
    context.run(
        lib.ksda_verify_share, original, communities, published, pointer(owner, c_uint32), _k(k),
        byref(_share(max_share, k)), byref(found),
    )  # fmt: skip
    if not found.valid or not found.satisfied:
        raise VerificationError(found.error.decode("utf-8", "replace"), d.KSDA_VIOLATED, "violated")
    names = ("added_edges", "added_vertices", "split_vertices", "links")
    return {"valid": True, "satisfied": True, **{name: getattr(found, name) for name in names}}


def _owners(owner, published):
    owner = np.ascontiguousarray(owner, np.uint32)
    if len(owner) != published.vertices:
        raise InvalidError("%d owners for %d published vertices" % (len(owner), published.vertices))
    return owner


def _report_options(rendering, **settings):
    return options(
        d.ksda_report_options, lib.ksda_report_options_init_sized, rendering=_RENDERINGS[rendering], utf8=1, **settings
    )


def _measure_options(exact, samples, k=None, split_weight=None):
    return options(
        d.ksda_measure_options, lib.ksda_measure_options_init_sized,
        exact=int(exact), samples=samples, k=k, split_weight=split_weight,
    )  # fmt: skip


def measure(graph, communities=None, *, k: int | None = None, exact: bool = False, samples: int | None = None, distributions: bool = False, unassigned: str = "refuse", seed: int = 1,
            threads: int = 0, time_limit: float | None = None, progress: Progress | bool | None = None) -> dict:  # fmt: skip
    """The measures of a network, as a dict by name: the fields of ``ksda measure --json``."""
    graph = as_graph(graph)
    if communities is not None or graph.communities is not None:
        communities = as_communities(graph, communities, unassigned, seed)
    context = Context(seed=seed, threads=threads, time_limit=time_limit, progress=progress)
    found = sized(d.ksda_measures)
    settings = _measure_options(exact, samples, k)
    context.run(lib.ksda_measure, graph, communities, byref(settings), byref(found))
    try:
        told = take_text(
            context, lib.ksda_report_measures, byref(found), byref(_report_options("json", distributions=int(distributions)))
        )
    finally:
        lib.ksda_measures_clear(context.handle, byref(found))
    return json.loads(told)


def compare(original, published, owner, communities=None, *, k: int = 0, exact: bool = False, samples: int | None = None, split_weight: float | None = None,
            unassigned: str = "refuse", seed: int = 1, threads: int = 0, time_limit: float | None = None, progress: Progress | bool | None = None) -> dict:  # fmt: skip
    """The measures of a network and its release side by side: the fields of ``ksda compare --json``."""
    original, published = as_graph(original), as_graph(published)
    if communities is not None or original.communities is not None:
        communities = as_communities(original, communities, unassigned, seed)
    owner = _owners(owner, published)
    context = Context(seed=seed, threads=threads, time_limit=time_limit, progress=progress)
    found = sized(d.ksda_comparison)
    settings = _measure_options(exact, samples, None, split_weight)
    context.run(
        lib.ksda_compare, original, communities, published,
        pointer(owner, c_uint32), k, byref(settings), byref(found),
    )  # fmt: skip
    try:
        told = take_text(context, lib.ksda_report_comparison, byref(found), byref(_report_options("json")))
    finally:
        lib.ksda_comparison_clear(context.handle, byref(found))
    return json.loads(told)


def attack(release, communities=None, *, original=None, owner=None, k: int = 2, only=None, tolerance: int = 1, hubs: int = 5, who: bool = False, training=(), unassigned: str = "refuse", seed: int = 1,
           threads: int = 0, time_limit: float | None = None, progress: Progress | bool | None = None) -> dict:  # fmt: skip
    """What attackers learn who know more than a degree: the fields of ``ksda attack --json``. With the original and the owner
    of every published vertex the communities are those of the original, and people of it are searched in the release.
    ``only`` names attackers; ``who`` adds ``people``: for each attacker the names of those whom he exposes. Private.
    ``training`` are releases (:class:`Release`) of other networks by the same method, which one more attacker of added edges
    is trained on: ``["added_edges"]["trained"]["auc"]["given"]``."""
    if (original is None) != (owner is None):
        raise InvalidError("original and owner belong together: one of them is missing")
    if training and original is None:
        raise InvalidError("training needs original and owner: without them nobody looks for added edges")
    release = as_graph(release)
    people = release if original is None else as_graph(original)
    communities = as_communities(people, communities, unassigned, seed)
    context = Context(seed=seed, threads=threads, time_limit=time_limit, progress=progress)
    settings, found = d.ksda_attack_options(), sized(d.ksda_attack_result)
    lib.ksda_attack_options_init_sized(byref(settings), ctypes.sizeof(settings))
    settings.k, settings.tolerance, settings.hubs, settings.who = k, tolerance, hubs, int(who)
    if only is not None:
        settings.attackers = _attackers(only)
    lessons = [(r, r.owner) for r in training]
    settings.training = (d.ksda_training_release * len(lessons))(*(
        (r._original._as_parameter_, r._original_communities._as_parameter_, r.published._as_parameter_, pointer(owners, c_uint32))
        for r, owners in lessons
    ))  # fmt: skip
    settings.training_releases = len(lessons)
    if original is None:
        context.run(lib.ksda_attack, release, communities, byref(settings), byref(found))
    else:
        owners = _owners(owner, release)
        context.run(
            lib.ksda_attack_release, people, communities, release,
            pointer(owners, c_uint32), byref(settings), byref(found),
        )  # fmt: skip
    try:
        told = json.loads(take_text(context, lib.ksda_report_attack, byref(found), byref(_report_options("json"))))
        if who:
            bits, names = found.exposed_to[: found.people], people.names
            told["people"] = {
                name: [names[v] for v in range(found.people) if bits[v] >> i & 1]
                for i in range(found.attackers)
                for name in [lib.ksda_attacker_id_name(i).decode()]
            }
    finally:
        lib.ksda_attack_result_clear(context.handle, byref(found))
    return told


def _attackers(names) -> int:
    bits = 0
    for name in [names] if isinstance(names, str) else names:
        found = ctypes.c_int()
        if not lib.ksda_attacker_id_from_name(name.encode(), byref(found)):
            raise InvalidError(f"no attacker is called {name!r}")
        bits |= 1 << found.value
    return bits


class _Edits:
    def __init__(self, handle, graph):
        self._as_parameter_ = handle
        self._free = weakref.finalize(self, _free_edits, handle, graph)


def optimal(graph, communities=None, k: int | None = None, *, split: bool = False, split_weight: float | None = None, solver: str | None = None, unassigned: str = "refuse",
            insecure_ids: bool = False, seed: int = 1, threads: int = 0, time_limit: float | None = None, progress: Progress | bool | None = None,
            processes: bool = False, max_share: Share = None) -> Release:  # fmt: skip
    """The cheapest release there is: a :class:`Release` with ``status`` ("optimal", or "feasible" at the time limit). Raises
    :class:`InfeasibleError` where it is proved that there is none, TimeoutError where none was found in time. ``processes``
    lets CBC work in a child process, as the command does: some optima are proved only then."""
    graph = as_graph(graph)
    communities = as_communities(graph, communities, unassigned, seed)
    context = Context(seed=seed, threads=threads, time_limit=time_limit, progress=progress, processes=processes)
    settings = options(
        d.ksda_optimal_options, lib.ksda_optimal_options_init_sized,
        k=_k(k), split=int(split), split_weight=split_weight, solver=solver.encode() if solver else None,
        max_share=_share(max_share, k),
    )  # fmt: skip
    found, out = sized(d.ksda_optimal_result), c_void_p()
    limited = context.run(
        lib.ksda_optimal, graph, communities, byref(settings), byref(out), byref(found)
    )
    status = lib.ksda_model_status_name(found.status).decode()
    if not out.value:
        if found.status == d.KSDA_MODEL_INFEASIBLE:
            raise InfeasibleError("proved impossible: " + found.reason.decode(), d.KSDA_INFEASIBLE, "impossible")
        raise TimeoutError("no solution was found in the time given; none costs less than %g" % found.bound)
    edits = _Edits(out, graph)
    weight = split_weight if split_weight else float(graph.vertices) ** 2
    told = sized(d.ksda_anonymize_result, split_weight=weight, lower_bound=found.bound, search_seconds=float("nan"))
    told.added_edges = lib.ksda_edits_added(out, None)
    told.added_vertices = lib.ksda_edits_pieces(out) - graph.vertices
    told.split_vertices = lib.ksda_edits_split_vertices(out)
    told.cost = told.added_edges + weight * told.added_vertices
    release = _publish(graph, communities, k, edits, "optimal", told, insecure_ids, limited, _share(max_share, k))
    release.status = status
    return release


def _publish(graph, communities, k, edits, method, told, insecure_ids, limited, max_share):
    settings = options(
        d.ksda_publish_options, lib.ksda_publish_options_init_sized,
        insecure_ids=int(insecure_ids), method=method.encode(), result=ctypes.pointer(told), limited=int(limited),
        max_share=max_share,
    )  # fmt: skip
    out = c_void_p()
    Context().run(
        lib.ksda_publish_edits, graph, communities, _k(k), edits, byref(settings), byref(out)
    )
    return Release(out, graph, communities, edits, limited)


def frontier(graph, communities=None, k: int | None = None, *, runs: int = 0, favour: str = "balanced", unassigned: str = "refuse", seed: int = 1, threads: int = 0,
             time_limit: float | None = None, progress: Progress | bool | None = None, max_share: Share = None) -> list[dict]:  # fmt: skip
    """The trade-off between added edges and added vertices: a list of dicts, one for every release that no other one beats
    in both, by ascending number of added vertices; a pandas frame where pandas is there (``as_frame``). With ``max_share``
    all of them keep that share bound."""
    graph = as_graph(graph)
    communities = as_communities(graph, communities, unassigned, seed)
    context = Context(seed=seed, threads=threads, time_limit=time_limit, progress=progress)
    wanted, found = _anonymize_options(k, None, favour, None, True, max_share=max_share), sized(d.ksda_frontier)
    context.run(lib.ksda_frontier_search, graph, communities, byref(wanted), runs, byref(found))
    try:
        names = ("added_edges", "added_vertices", "split_vertices", "low", "high", "split_weight", "cost", "lower_bound")
        return [{name: getattr(found.point[i], name) for name in names} for i in range(found.count)]
    finally:
        lib.ksda_frontier_clear(context.handle, byref(found))


def as_frame(rows):
    """A pandas frame of a list of dicts; the list itself where there is no pandas."""
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def sweep(graph, communities=None, ks: Iterable[int] = (2, 3, 5), methods: Iterable[str] = ("level-plan",), *, measures: Iterable[str] = ("clustering", "aspl"), unassigned: str = "refuse",
          seed: int = 1, threads: int = 0, time_limit: float | None = None, split_weight: float | None = None, max_share: Share = None):  # fmt: skip
    """Every method with every k, all with the same ``max_share``: a table (a pandas frame where pandas is there) with what each release cost, what is proved,
    what the degree attack gets before and after, and these measures. A method that finds none has ``found`` False and its
    message in ``why``; so has one that does not know people in several communities. ``time_limit`` is for each point."""
    graph = as_graph(graph)
    communities = as_communities(graph, communities, unassigned, seed)
    rows = []
    original = measure(graph, seed=seed, threads=threads) if measures else None
    for k in ks:
        before = check(graph, communities, k)
        for method in methods:
            rows.append(_sweep_row(graph, communities, k, method, before, original, measures, seed, threads, time_limit, split_weight, max_share))
    return as_frame(rows)


def _sweep_row(graph, communities, k, method, before, original, measures, seed, threads, time_limit, split_weight, max_share):
    row = {"method": method, "k": k, "found": False}
    baseline = any(m["name"] == method and m["baseline"] for m in methods())
    try:
        release = anonymize(
            graph, communities, k, method, split_weight=split_weight, baseline=baseline, seed=seed, threads=threads,
            time_limit=time_limit, max_share=max_share,
        )  # fmt: skip
    except (NotFoundError, TimeoutError) as error:
        return {**row, "why": str(error)}
    except UnsupportedError as error:
        if not communities.overlap:
            raise
        return {**row, "why": str(error)}
    after = release.check()
    row.update(found=True, limited=release.limited)
    for name in ("added_edges", "added_vertices", "cost", "lower_bound"):
        row[name] = getattr(release, name)
    row["guess_before"], row["guess_after"] = (x["attack"]["expected_success"] for x in (before, after))
    if measures:
        published = measure(release.published, seed=seed, threads=threads)
        for name in measures:
            for when, told in (("before", original), ("after", published)):
                row["%s_%s" % (name, when)] = _value(told, name)
    return row


def _value(told, name):
    if name not in told:
        raise InvalidError("no measure is called %r" % name)
    return told[name]


class KSDAAnonymizer:
    """The two-call shape of other anonymizers.

    >>> release = KSDAAnonymizer(k=2).anonymize([(0, 1), (1, 2), (3, 4), (4, 5), (5, 3)], [0, 0, 0, 1, 1, 1])
    >>> release.verify()["satisfied"]
    True
    """

    def __init__(self, k, **settings):
        self.k, self.settings = k, settings

    def anonymize(self, graph, communities=None):
        """:func:`anonymize` with the settings given before."""
        return anonymize(graph, communities, k=self.k, **self.settings)


def _escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _write(path, text, private):
    temporary = "%s.%d.tmp" % (path, os.getpid())
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(temporary, flags, 0o600 if private else 0o666), "w", encoding="utf-8") as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.unlink(temporary)
            raise
    os.replace(temporary, path)
