"""Networks and communities, from whatever people keep them in, and back."""

from __future__ import annotations

import ctypes
import os
import warnings
import weakref
from ctypes import byref, c_char_p, c_uint32, c_uint64, c_void_p

import numpy as np

from . import _declarations as d
from ._library import Context, InvalidError, lib, names_buffer, options, pointer, sized, take_names, view

_memory = Context()  # frees what others have made: that only needs the allocator, which is everybody's
_borrowed = {}  # arrays that a graph of the library uses, by the address of the graph


class Graph:
    """An undirected simple graph. It never changes.

    Made by :meth:`from_edges`, :meth:`from_csr`, :meth:`from_scipy`, :meth:`from_networkx`, :meth:`from_igraph`,
    :meth:`from_pandas` or :meth:`from_file`; :func:`as_graph` takes any of these objects.

    >>> g = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3)])
    >>> g.vertices, g.edges, g.degrees.tolist()
    (4, 4, [2, 2, 3, 1])
    """

    def __init__(self, handle, keys=None, kind=None, source=None, keep=None):
        self._handle = handle
        self._keys = keys  # what vertices are called where they came from, or None: numbers, or the library's names
        self._kind = kind  # which library's object it was made from
        self._source = source
        self._communities = None  # those of the file it was read from
        if keep is not None:
            _borrowed[handle.value] = keep
        self._free = weakref.finalize(self, _free_graph, handle)

    # --- making one ---

    @classmethod
    def from_edges(cls, edges, vertices=None, names=None):
        """From pairs of vertex numbers, an array of shape (m, 2) or any sequence of pairs.

        ``vertices`` is how many there are, by default one more than the largest number. ``names`` calls them. Loops and
        repetitions are dropped; :attr:`cleaning` says how many."""
        array = np.ascontiguousarray(edges if isinstance(edges, np.ndarray) else list(edges))
        if array.size == 0:
            array = np.empty((0, 2), np.uint32)
        if array.ndim != 2 or array.shape[1] != 2:
            raise InvalidError("edges have the shape %s: expected pairs, an array of shape (m, 2)" % (array.shape,))
        if array.dtype.kind not in "iu":
            raise InvalidError("edges are of type %s: expected whole numbers; names go through from_pandas()" % array.dtype)
        if array.size and (int(array.min()) < 0 or int(array.max()) >= d.KSDA_NO_VERTEX):
            raise InvalidError("a vertex number is negative, or above 4294967293")
        count = int(array.max()) + 1 if array.size else 0
        if vertices is None:
            vertices = max(count, len(names) if names is not None else 0)
        array = np.ascontiguousarray(array, np.uint32)
        context, out = Context(), c_void_p()
        if names is None:
            context.run(lib.ksda_graph_from_edges, vertices, len(array), pointer(array, c_uint32), byref(out))
        else:
            if len(names) != vertices:
                raise InvalidError("%d names for %d vertices" % (len(names), vertices))
            text, offsets = names_buffer(names)
            context.run(
                lib.ksda_graph_from_named_edges, vertices, len(array), pointer(array, c_uint32), text,
                pointer(offsets, c_uint64), byref(out),
            )  # fmt: skip
        return cls(out, keys=list(names) if names is not None else None)

    @classmethod
    def from_csr(cls, offsets, targets, names=None, copy=None):
        """From compressed sparse rows: the neighbours of v are ``targets[offsets[v]:offsets[v + 1]]``, ascending, both
        directions of every edge. Arrays of uint64 and uint32 are used as they are, without a copy, unless ``copy=True``:
        they must not be changed while the graph is there."""
        wide = np.ascontiguousarray(offsets, np.uint64)
        narrow = np.ascontiguousarray(targets, np.uint32)
        borrow = not copy
        csr = sized(
            d.ksda_csr, vertices=len(wide) - 1, offsets=pointer(wide, c_uint64), targets=pointer(narrow, c_uint32),
            borrow=int(borrow),
        )  # fmt: skip
        if len(wide) < 1 or (len(wide) and int(wide[-1]) != len(narrow)):
            raise InvalidError("offsets end at %s, but there are %d targets" % (wide[-1] if len(wide) else "nothing", len(narrow)))
        if names is not None:
            text, name_offsets = names_buffer(names)
            csr.names, csr.name_offsets = text, pointer(name_offsets, c_uint64)
        context, out = Context(), c_void_p()
        context.run(lib.ksda_graph_from_csr, byref(csr), byref(out))
        return cls(out, keys=list(names) if names is not None else None, keep=(wide, narrow) if borrow else None)

    @classmethod
    def from_scipy(cls, matrix, names=None):
        """From a symmetric sparse matrix: every entry but 0 is an edge; loops are dropped. A CSR matrix with sorted
        indices whose arrays are 64 and 32 bits wide is not copied."""
        from scipy import sparse

        csr = sparse.csr_matrix(matrix) if not sparse.isspmatrix_csr(matrix) else matrix
        if csr.shape[0] != csr.shape[1]:
            raise InvalidError("the matrix has %d rows and %d columns: an adjacency matrix is square" % csr.shape)
        if csr.nnz and (csr.data == 0).any():
            csr = csr.copy()
            csr.eliminate_zeros()
        if not csr.has_sorted_indices:
            csr = csr.sorted_indices()
        if csr.diagonal().any():  # loops
            csr = (csr - sparse.diags(csr.diagonal(), format="csr")).tocsr()
            csr.eliminate_zeros()
            csr.sort_indices()
        indptr, indices = csr.indptr, csr.indices
        wide = indptr.view(np.uint64) if indptr.dtype == np.int64 else indptr.astype(np.uint64)
        narrow = indices.view(np.uint32) if indices.dtype == np.int32 else indices.astype(np.uint32)
        graph = cls.from_csr(wide, narrow, names=names)
        graph._kind, graph._source = "scipy", matrix
        return graph

    @classmethod
    def from_networkx(cls, graph):
        """From a networkx graph. Weights and parallel edges are dropped, and directions, with a warning."""
        _warn_directed(graph.is_directed())
        keys = list(graph.nodes())
        number = {key: i for i, key in enumerate(keys)}
        flat = np.fromiter((number[end] for edge in graph.edges() for end in edge[:2]), np.uint32)
        made = cls.from_edges(flat.reshape(-1, 2), vertices=len(keys), names=_names_of(keys))
        made._keys, made._kind, made._source = keys, "networkx", graph
        return made

    @classmethod
    def from_igraph(cls, graph):
        """From an igraph graph; vertices are called by their attribute ``name`` where they have it. Directions are
        dropped, with a warning."""
        _warn_directed(graph.is_directed())
        keys = list(graph.vs["name"]) if "name" in graph.vs.attributes() else list(range(graph.vcount()))
        flat = np.array(graph.get_edgelist(), np.uint32).reshape(-1, 2)
        made = cls.from_edges(flat, vertices=graph.vcount(), names=_names_of(keys))
        made._keys, made._kind, made._source = keys, "igraph", graph
        return made

    @classmethod
    def from_pandas(cls, frame, source=None, target=None):
        """From a data frame with an edge a row; by default its first two columns are the ends."""
        import pandas

        source = frame.columns[0] if source is None else source
        target = frame.columns[1] if target is None else target
        for column in (source, target):
            missing = int(frame[column].isna().sum())
            if missing:
                raise InvalidError("column %r has %d missing values: an edge needs both ends" % (column, missing))
        both = pandas.concat([frame[source], frame[target]], ignore_index=True)
        codes, keys = pandas.factorize(both, sort=False)
        half = len(frame)
        pairs = np.column_stack([codes[:half], codes[half:]])
        keys = [key.item() if isinstance(key, np.generic) else key for key in keys]
        made = cls.from_edges(pairs, vertices=len(keys), names=_names_of(keys))
        made._keys, made._kind, made._source = keys, "pandas", (source, target)
        return made

    @classmethod
    def from_file(cls, path, format="auto", communities=None, attribute=None, columns=None, header=None,
                  vertex_column=None, community_column=None, unassigned="refuse", threads=0, name_attribute=None,
                  encoding=None, overlap="refuse"):  # fmt: skip
        """Read a file as the command does; gzip and zstd too. With ``communities`` (a file) or ``attribute`` (GraphML, GEXF,
        GML, JSON, Pajek) the communities are read as well, and are ``graph.communities``. ``name_attribute`` names an
        attribute that vertices are called by, ``encoding`` what else than UTF-8 the files are. ``overlap="disjoint"`` keeps
        a set of communities for each vertex. What was guessed or dropped is in ``graph.note``."""
        number = lib.ksda_format_find(str(format).encode())
        if number == 0 and format != "auto":
            raise InvalidError("no format is called %r" % format)
        load = options(
            d.ksda_load_options, lib.ksda_load_options_init_sized,
            format=number,
            communities=_path(communities),
            attribute=_text(attribute),
            name_attribute=_text(name_attribute),
            encoding=_text(encoding),
            columns=_text(columns),
            header={None: d.KSDA_HEADER_AUTO, True: d.KSDA_HEADER_YES, False: d.KSDA_HEADER_NO}[header],
            vertex_column=_text(vertex_column),
            community_column=_text(community_column),
            unassigned=_unassigned(unassigned),
            overlap=_overlap(overlap),
        )  # fmt: skip
        network = sized(d.ksda_network)
        context = Context(threads=threads)
        context.run(lib.ksda_load, _path(path), byref(load), byref(network))
        made = cls(c_void_p(network.graph), kind="file", source=os.fspath(path))
        notes = [network.graph_reading.note, network.communities_reading.note, network.note]
        made.note = "; ".join(note.decode("utf-8", "replace") for note in notes if note)
        if network.communities:
            made._communities = Communities(c_void_p(network.communities), made)
        return made

    # --- looking at it ---

    @property
    def _as_parameter_(self):
        """What ctypes passes for it. Calls are given the object itself, so that it lives as long as the call."""
        return self._handle

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        return lib.ksda_graph_vertices(self._handle)

    @property
    def edges(self) -> int:
        """The number of edges, each counted once."""
        return lib.ksda_graph_edges(self._handle)

    @property
    def offsets(self) -> np.ndarray:
        """Where the rows begin, an array of n + 1 numbers; not a copy, and not to be written."""
        return view(lib.ksda_graph_offsets(self._handle), self.vertices + 1, np.uint64, self)

    @property
    def targets(self) -> np.ndarray:
        """The neighbours of all vertices, row after row; not a copy, and not to be written."""
        return view(lib.ksda_graph_neighbours(self._handle), 2 * self.edges, np.uint32, self)

    @property
    def degrees(self) -> np.ndarray:
        """The degree of every vertex."""
        return np.diff(self.offsets.astype(np.int64))

    @property
    def cleaning(self) -> dict:
        """What was dropped to make the input simple."""
        c = lib.ksda_graph_cleaning(self._handle).contents
        return {"input_edges": c.input_edges, "self_loops": c.self_loops, "duplicate_edges": c.duplicate_edges}

    @property
    def names(self) -> list:
        """What the vertices are called, in their order."""
        if self._keys is not None:
            return list(self._keys)
        if self._kind in (None, "scipy"):
            return list(range(self.vertices))
        return take_names(_memory, lib.ksda_graph_names, self._handle, self.vertices)

    @property
    def communities(self):
        """The communities that were read with the graph, or None."""
        return self._communities

    def edge_array(self) -> np.ndarray:
        """The edges, an array of shape (m, 2), smaller end first, in ascending order."""
        rows = np.repeat(np.arange(self.vertices, dtype=np.uint32), self.degrees)
        keep = rows < self.targets
        return np.column_stack([rows[keep], self.targets[keep]])

    # --- into what others use ---

    def to_scipy(self):
        """A CSR matrix of ones that uses the graph's own rows."""
        from scipy import sparse

        ones = np.ones(2 * self.edges, np.uint8)
        matrix = sparse.csr_matrix((self.vertices, self.vertices), dtype=np.uint8)
        matrix.indptr, matrix.indices, matrix.data = self.offsets.view(np.int64), self.targets.view(np.int32), ones
        return matrix

    def to_networkx(self):
        """A networkx.Graph."""
        import networkx

        names, made = self.names, networkx.Graph()
        made.add_nodes_from(names)
        made.add_edges_from((names[u], names[v]) for u, v in self.edge_array().tolist())
        return made

    def to_igraph(self):
        """An igraph.Graph; vertices have the attribute ``name`` where they are not called by their numbers."""
        import igraph

        made = igraph.Graph(n=self.vertices, edges=self.edge_array().tolist())
        names = self.names
        if names != list(range(self.vertices)):
            made.vs["name"] = names
        return made

    def to_pandas(self):
        """A data frame with the columns ``source`` and ``target``. Isolated vertices are not in it."""
        import pandas

        names = np.array(self.names, dtype=object)
        edges = self.edge_array()
        return pandas.DataFrame({"source": names[edges[:, 0]], "target": names[edges[:, 1]]})

    def save(self, path, format="auto"):
        """Write it; the ending of the name decides, as for the command."""
        Context().run(lib.ksda_write_graph, self, None, _path(path), lib.ksda_format_find(str(format).encode()))

    def __repr__(self):
        return "<ksda.Graph: %d vertices, %d edges>" % (self.vertices, self.edges)


class Communities:
    """One community for every vertex of a graph."""

    def __init__(self, handle, graph, labels=None):
        self._handle, self._graph = handle, graph
        self._labels = labels  # what communities are called where they came from
        self._free = weakref.finalize(self, lib.ksda_communities_free, _memory.handle, handle)

    @classmethod
    def from_labels(cls, graph, labels, unassigned="refuse"):
        """One label for every vertex, in their order: anything that can be a key. None and NaN: not known."""
        labels = list(labels)
        if len(labels) != graph.vertices:
            raise InvalidError("%d labels for %d vertices" % (len(labels), graph.vertices))
        known = {}
        none = d.KSDA_NO_VERTEX
        numbers = np.array([none if _missing(x) else known.setdefault(_plain(x), len(known)) for x in labels], np.uint32)
        context, out = Context(), c_void_p()
        names = sorted(known, key=known.get)
        members = np.argsort(numbers, kind="stable").astype(np.uint32)
        counts = np.bincount(numbers[numbers != none], minlength=len(known)) if len(known) else np.zeros(0, int)
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
        members = np.ascontiguousarray(members[: offsets[-1]])
        text, name_offsets = names_buffer(_names_of(names) or names)
        context.run(
            lib.ksda_communities_from_members, graph.vertices, len(known), pointer(offsets, c_uint32),
            pointer(members, c_uint32), text, pointer(name_offsets, c_uint64), _unassigned(unassigned), byref(out),
        )  # fmt: skip
        return cls(out, graph, names)

    @classmethod
    def from_sets(cls, graph, sets, unassigned="refuse"):
        """A set (list, tuple) of communities for every vertex, in their order; an empty one: not known. Where somebody has
        several, what is guaranteed is k people in pairwise disjoint sets; see ``ksda help overlap``."""
        sets = [sorted(set(map(_plain, one)), key=str) for one in sets]
        if len(sets) != graph.vertices:
            raise InvalidError("%d sets for %d vertices" % (len(sets), graph.vertices))
        known = {}
        flat = np.array([known.setdefault(x, len(known)) for one in sets for x in one], np.uint32)
        offsets = np.concatenate([[0], np.cumsum([len(one) for one in sets])]).astype(np.uint64)
        names = list(known)
        text, name_offsets = names_buffer(_names_of(names) or names)
        context, out = Context(), c_void_p()
        context.run(
            lib.ksda_communities_from_sets, graph.vertices, len(known), pointer(offsets, c_uint64), pointer(flat, c_uint32),
            text, pointer(name_offsets, c_uint64), _unassigned(unassigned), byref(out),
        )  # fmt: skip
        made = cls(out, graph)
        return made if made.overlap else cls.from_labels(graph, [one[0] if one else None for one in sets], unassigned)

    @property
    def overlap(self) -> bool:
        """Does somebody have several? Then the numbers and names here are those of sets, not of communities."""
        return bool(lib.ksda_communities_overlap(self._handle))

    @property
    def sets(self) -> list:
        """The numbers of every vertex's communities, as tuples."""
        size, out = c_uint32(), []
        for v in range(self._graph.vertices):
            first = lib.ksda_communities_set(self._handle, v, byref(size))
            out.append(tuple(first[i] for i in range(size.value)))
        return out

    @property
    def _as_parameter_(self):
        """As for a graph."""
        return self._handle

    @property
    def count(self) -> int:
        """How many there are."""
        return lib.ksda_communities_count(self._handle)

    @property
    def counted(self) -> int:
        """How many of them count towards k; the others are of vertices whose community is not known."""
        return lib.ksda_communities_counted(self._handle)

    @property
    def numbers(self) -> np.ndarray:
        """The number of every vertex's community; not a copy, and not to be written."""
        return view(lib.ksda_communities_labels(self._handle), self._graph.vertices, np.uint32, self)

    @property
    def names(self) -> list:
        """What the communities are called, by number."""
        if self._labels is not None and len(self._labels) == self.count:
            return list(self._labels)
        return take_names(_memory, lib.ksda_communities_names, self._handle, self.count)

    @property
    def labels(self) -> list:
        """The name of every vertex's community."""
        names = self.names
        return [names[c] for c in self.numbers.tolist()]

    def __len__(self):
        return self.count

    def __repr__(self):
        return "<ksda.Communities: %d>" % self.count


def as_graph(thing) -> Graph:
    """A :class:`Graph` from a Graph, a networkx or igraph graph, a scipy matrix, a data frame, a path, or pairs."""
    if isinstance(thing, Graph):
        return thing
    if isinstance(thing, (str, os.PathLike)):
        return Graph.from_file(thing)
    module = type(thing).__module__.split(".")[0]
    if module == "networkx" or hasattr(thing, "adjacency") and hasattr(thing, "nodes"):
        return Graph.from_networkx(thing)
    if module == "igraph":
        return Graph.from_igraph(thing)
    if module == "scipy":
        return Graph.from_scipy(thing)
    if module == "pandas":
        return Graph.from_pandas(thing)
    return Graph.from_edges(thing)


def as_communities(graph: Graph, communities, unassigned: str = "refuse", seed: int = 1) -> Communities:
    """Communities of a graph from: Communities; the name of a node attribute; a dict by vertex; a sequence of labels, or of
    sets of them where people have several;
    ``"leiden"`` or ``"metis:N"``, which are detected; None: those read with the graph."""
    if isinstance(communities, Communities):
        return communities
    if communities is None:
        if graph.communities is None:
            raise InvalidError("no communities: give labels, a dict, the name of an attribute, 'leiden' or 'metis:N'")
        return graph.communities
    if isinstance(communities, (str, os.PathLike)):
        return _named_communities(graph, communities, unassigned, seed)
    if isinstance(communities, dict):
        return _listed_communities(graph, [communities.get(name) for name in graph.names], unassigned)
    if type(communities).__module__.split(".")[0] == "pandas" and hasattr(communities, "to_dict"):
        if len(set(communities.index) & set(graph.names)) or not len(communities):
            return as_communities(graph, communities.to_dict(), unassigned)
        communities = communities.tolist()
    return _listed_communities(graph, communities, unassigned)


def _listed_communities(graph, labels, unassigned):
    """One for every vertex, or a set of them where somebody has several."""
    if not isinstance(labels, (list, tuple)) or not any(isinstance(one, (set, frozenset, list)) for one in labels):
        return Communities.from_labels(graph, labels, unassigned)  # where all are tuples, these are labels
    sets = [one if isinstance(one, (set, frozenset, list, tuple)) else () if _missing(one) else (one,) for one in labels]
    return Communities.from_sets(graph, sets, unassigned)


def _warn_directed(directed):
    if directed:
        warnings.warn(
            "the edges have directions, which are dropped: a degree is then the number of others that a vertex is connected to "
            "either way",
            stacklevel=5,  # whoever calls a function that takes any graph
        )


def _named_communities(graph, name, unassigned, seed):
    if isinstance(name, str) and (name == "leiden" or name.startswith("metis:")):
        return detect(graph, name, seed=seed)
    labels = _attribute(graph, name)
    if labels is not None:
        return _listed_communities(graph, labels, unassigned)
    if graph._kind == "file" and os.path.exists(name):
        raise InvalidError("communities of a file are read with it: ksda.Graph.from_file(path, communities=%r)" % name)
    raise InvalidError("no vertex attribute is called %r%s" % (name, _attributes_there_are(graph)))


def _attribute(graph, name):
    if graph._kind == "networkx":
        values = [data.get(name) for _, data in graph._source.nodes(data=True)]
        return values if any(value is not None for value in values) else None
    if graph._kind == "igraph" and name in graph._source.vs.attributes():
        return graph._source.vs[name]
    return None


def _attributes_there_are(graph):
    if graph._kind == "networkx":
        there = sorted({str(key) for _, data in graph._source.nodes(data=True) for key in data})
    elif graph._kind == "igraph":
        there = graph._source.vs.attributes()
    else:
        there = []
    return "; there are " + ", ".join(there) if there else ""


def detect(graph, how: str = "leiden", seed: int = 1, threads: int = 0) -> Communities:
    """Find communities: ``"leiden"`` or ``"metis:N"`` for N parts. Returns :class:`Communities`."""
    graph = as_graph(graph)
    context, out = Context(seed=seed, threads=threads), c_void_p()
    if how == "leiden":
        context.run(lib.ksda_detect_leiden, graph, byref(out))
    elif how.startswith("metis:") and how[6:].isdigit():
        context.run(lib.ksda_detect_metis, graph, int(how[6:]), None, byref(out))
    else:
        raise InvalidError("detect %r: expected 'leiden' or 'metis:N'" % how)
    return Communities(out, graph)


# --- small things -----------------------------------------------------------------------------------------------------


def _free_graph(handle):
    lib.ksda_graph_free(_memory.handle, handle)
    _borrowed.pop(handle.value, None)


def _names_of(keys):
    """Names for the library; None where they are the numbers 0 .. n-1 in order. Keys that look the same are refused."""
    if all(type(key) is int for key in keys) and keys == list(range(len(keys))):
        return None
    names = [str(key) for key in keys]
    if len(set(names)) != len(names):
        raise InvalidError("two vertices have names that are written alike, such as 1 and '1'")
    return names


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def _missing(value):
    return value is None or (isinstance(value, (float, np.floating)) and np.isnan(value)) or str(value) == "<NA>"


def _text(value):
    return None if value is None else c_char_p(str(value).encode("utf-8"))


def _path(value):
    return None if value is None else os.fsencode(os.fspath(value))


_UNASSIGNED = {
    "refuse": d.KSDA_UNASSIGNED_REFUSE,
    "own": d.KSDA_UNASSIGNED_OWN,
    "together": d.KSDA_UNASSIGNED_TOGETHER,
    "own-counted": d.KSDA_UNASSIGNED_OWN_COUNTED,
    "together-counted": d.KSDA_UNASSIGNED_TOGETHER_COUNTED,
}


def _unassigned(name):
    if name not in _UNASSIGNED:
        raise InvalidError("unassigned %r: expected one of %s" % (name, ", ".join(_UNASSIGNED)))
    return _UNASSIGNED[name]


def _overlap(name):
    number = ctypes.c_int()
    if not lib.ksda_overlap_from_name(str(name).encode(), byref(number)):
        raise InvalidError("overlap %r: expected refuse or disjoint" % name)
    return number.value
