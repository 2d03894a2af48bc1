#!/usr/bin/env python3
"""npz.py EDGES READ: hold .npz files against scipy.

Writes the matrix of the edge list in every format, type and packing to the current folder, a name a line to stdout: what
must be the same network. READ, which was written by the command, must be the symmetric matrix of the edges."""
import sys

import numpy as np
import scipy.sparse as sp

edges = np.loadtxt(sys.argv[1], dtype=np.int64)
n = int(edges.max()) + 1
half = sp.coo_matrix((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n))
whole = (half + half.T).tocsr()
ours = sp.load_npz(sys.argv[2])
assert ours.format == "csr" and ours.has_canonical_format and ours.shape == (n, n), ours
assert (ours != whole).nnz == 0, "another matrix"
for kind in ("csr", "csc", "coo"):
    for data in (np.float64, np.int32, np.int8, bool):
        for packed in (True, False):
            name = f"{kind}-{np.dtype(data).name}-{packed}.npz"
            sp.save_npz(name, whole.astype(data).asformat(kind), compressed=packed)
            print(name)
    wide = whole.asformat(kind).copy()
    for field in ("indices", "indptr", "row", "col"):
        if hasattr(wide, field):
            setattr(wide, field, getattr(wide, field).astype(np.int64))
    sp.save_npz(f"{kind}-wide.npz", wide)
    print(f"{kind}-wide.npz")
sp.save_npz("upper.npz", half.tocsr())
sp.save_npz("bsr.npz", whole.asformat("bsr"))
sp.save_npz("oblong.npz", whole[:5])
np.savez("others.npz", a=np.arange(3))
