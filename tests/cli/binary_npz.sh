# Sparse matrices of scipy: written and read again by us, and beside scipy both ways.
. "$SOURCE/tests/support/cli.sh"

ksda generate planted --vertices 400 --edges 3000 --blocks 8 -o g.edges --communities g.communities -q
ksda convert g.edges -c g.communities -o g.npz --write-communities n.communities -q
ksda convert g.npz -c n.communities -o again.edges -q 2>stderr
same g.edges again.edges
silent stderr # a symmetric matrix: nothing is assumed, and nothing stands in it twice
ksda stats g.npz >stdout
says stdout "3,000 edges in the input, nothing removed"
cat g.npz | ksda convert - -o again.edges -q
same g.edges again.edges
ksda convert builtin:karate -o k.npz --write-communities k.communities -q # names become numbers from 0, beside it too
expect 4 ksda check k.npz -c k.communities -k 2
ksda anonymize g.npz -c n.communities -k 3 --time-limit 1 -o r.npz --map r.map -q || [ $? -eq 5 ]
expect 0 ksda verify g.npz r.npz -c n.communities --map r.map -k 3

# an encoding is that of the text beside it
printf '%s;B\366rse\n' 0 1 >b.csv
printf '%s;Hof\n' 2 3 >>b.csv
printf '0 1\n1 2\n2 3\n' >b.edges
ksda convert b.edges -o b.npz -q
expect 0 ksda check b.npz -c b.csv -k 1 --encoding windows-1252
expect 3 ksda check b.npz -c b.csv -k 1

size=$(stat -c %s g.npz)
head -c $((size - 30)) g.npz >cut.npz
expect 3 ksda stats cut.npz
says stderr "expected the directory of a zip archive"
{ head -c 1000 g.npz; printf 'xxxx'; tail -c +1005 g.npz; } >damaged.npz
expect 3 ksda stats damaged.npz
matches stderr 'damaged.npz: at offset [0-9]+: the checksum of this member is wrong'

python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import scipy.sparse' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip "NO SCIPY: .npz files were not held against it"
"$python" "$SOURCE/tests/support/npz.py" g.edges g.npz >names
while read -r name; do
    ksda convert "$name" -o again.edges -q 2>stderr
    same g.edges again.edges
    silent stderr
done <names
[ "$(wc -l <names)" -eq 27 ] || fail "not 27 files"
ksda convert upper.npz -o again.edges 2>stderr
same g.edges again.edges
says stderr "the matrix is not symmetric (3000 entries above the diagonal, 0 below)"
expect 3 ksda stats bsr.npz
says stderr "a matrix in the format bsr, which is not read: save matrix.tocsr()"
expect 3 ksda stats oblong.npz
says stderr "the matrix of a graph is square"
expect 3 ksda stats others.npz
says stderr "format.npy in the archive is missing: this is not what scipy.sparse.save_npz() writes"
