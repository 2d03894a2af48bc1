# The other MPI, where it is installed beside the one that ksda-mpi was built with: the same bytes, parts, failures.
. "$SOURCE/tests/support/cli.sh"
MPI_PROGRAM=ksda-mpi-mpich
. "$SOURCE/tests/support/mpi.sh"
export KSDA_MPI_WHOLE=0

ksda generate rmat --scale 8 --edges 900 --blocks 4 --communities who.txt -o net.txt --seed 3 -q
on 3 generate rmat --scale 8 --edges 900 --blocks 4 --communities got.who -o got.txt --seed 3 -q
same got.txt net.txt && same got.who who.txt
ksda anonymize net.txt -c who.txt -k 3 --no-proof --insecure-ids --seed 5 -o wanted.txt --map wanted.map -q
for p in $(some_of 2 4); do
    on $p anonymize net.txt -c who.txt -k 3 --no-proof --insecure-ids --seed 5 -o published.txt --map map.txt --force -q
    same published.txt wanted.txt && same map.txt wanted.map
done
RANKS="3" equal 0 stats net.txt -c who.txt --json
expect 0 on 2 anonymize net.txt -c who.txt -k 3 --no-proof -o parts/ --map private/ -q
expect 0 on 3 verify net.txt parts -c who.txt --map private -k 3
expect 0 ksda verify net.txt parts -c who.txt --map private -k 3
sed '7s/.*/1/' net.txt >bad.txt
RANKS="3" equal 3 stats bad.txt
code=0
KSDA_MPI_RAISE="1 30 9" on 2 anonymize net.txt -c who.txt -k 3 --no-proof -o dead.txt --map dead.map -q >stdout 2>stderr || code=$?
[ $code != 0 ] || fail "a process was killed, and nobody noticed"
absent dead.txt dead.map
