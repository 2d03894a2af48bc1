# A communities file may be a folder of files: read in the order of their names as one, whatever stands at their tops.
. "$SOURCE/tests/support/cli.sh"

# with and without headers; empty files and those of other programs do not count
printf '1 2\n2 3\n3 4\n4 1\n' >ring.edges
printf '1 a\n2 a\n3 b\n4 b\n5 b\n' >whole.communities
ksda stats ring.edges -c whole.communities --json | jq 'del(.reading)' >wanted
of_folder() { # FOLDER OPTIONS...
    ksda stats ring.edges -c "$@" --json >stdout 2>stderr || fail "exit $?: $*"
    jq 'del(.reading)' stdout | same /dev/stdin wanted
}
mkdir plain known unsure lists tables.csv twice
head -2 whole.communities >plain/part-00000 && tail -3 whole.communities >plain/part-00001 && : >plain/part-00002 && echo done >plain/_SUCCESS
of_folder plain
says stderr "plain: a folder: 2 files are read as one list"
for part in 0 1; do
    { echo 'vertex community' && cat plain/part-0000$part; } >known/part-0000$part
    { echo 'wer wo' && cat plain/part-0000$part; } >unsure/part-0000$part
    { echo 'who,age,where' && awk '{ print $1 ",7," $2 }' plain/part-0000$part; } >tables.csv/part-0000$part
done
of_folder known
of_folder unsure
says stdout "is taken for a header"
of_folder unsure --communities-header yes
of_folder tables.csv --vertex-column who --community-column where
expect 3 ksda stats ring.edges -c tables.csv
echo '1 2' >lists/part-00000 && echo '3 4 5' >lists/part-00001
printf '1 0\n2 0\n3 1\n4 1\n5 1\n' >numbered.communities
ksda stats ring.edges -c numbered.communities --json | jq 'del(.reading)' >wanted
of_folder lists --communities-format lists
cp plain/part-00000 twice/a && { cat plain/part-00001 && echo '2 b' && echo '1 b'; } >twice/b
expect 3 ksda stats ring.edges -c twice
one_message
says stderr "twice/b:4:1: vertex '2' is in community a and in community b, '1' too (line 5)"
echo '6' >>plain/part-00001
expect 3 ksda stats ring.edges -c plain
one_message
says stderr "plain/part-00001:4:1: "
mkdir packed nothing
expect 1 ksda stats ring.edges -c nothing
one_message
printf '*Vertices 4\n1\n1\n2\n2\n' >packed/a && cp packed/a packed/b
expect 3 ksda stats ring.edges -c packed
one_message
