# Files as spreadsheets write them: read as what they are, and whatever was passed over is said; or refused with what to do.
. "$SOURCE/tests/support/cli.sh"

printf 'Von;An\nAnna;Bernd\nBernd;Clara\nClara;Anna\n' >plain.csv
printf 'name;abteilung\nAnna;X\nBernd;Y\nClara;X\n' >plain-c.csv
# same_as_plain [OPTIONS]: three people, three edges, and what was read is told
same_as_plain() {
    expect 0 ksda stats "$@" --json
    says stdout '"vertices": 3'
    says stdout '"edges": 3'
}

# the line that says the separator
for sep in ';' ',' '|'; do
    { echo "sep=$sep"; tr ';' "$sep" <plain.csv; } >g.csv
    { echo "SEP=$sep"; tr ';' "$sep" <plain-c.csv; } >c.csv
    same_as_plain g.csv -c c.csv
    says stderr "g.csv: line 2 ('Von', 'An') is taken for a header"
    says stderr "line 1 says that '$sep' separates the fields"
    says stdout "line 1 says that '$sep' separates the fields"
    [ "$(grep -c "says that '$sep'" stderr)" = 2 ] || fail "said for both files"
done
{ printf '\xef\xbb\xbf"sep=\t"\r\n'; sed 's/;/\t/; s/$/\r/' plain.csv; } >g.csv # with a byte order mark, quoted, tabs, CR LF
same_as_plain g.csv -c plain-c.csv
says stderr 'line 1 says that a tab separates the fields'
{ printf 'sep=\t\n'; printf 'id\tage\tteam\nAnna\t3\tX\nBernd\t4\tY\nClara\t5\tX\n'; } >c.csv
same_as_plain plain.csv -c c.csv --community-column team
expect 3 ksda stats plain.csv -c c.csv
says stderr "c.csv:2:1: 3 columns, and the community may stand in any: --community-column says which (there are 'id', 'age', 'team')"
printf 'sep=;\n' >only.csv
expect 3 ksda stats only.csv
printf 'sep=;\n1;2\n2;3\n3;1\n' >g.csv
same_as_plain g.csv
{ echo 'sep=;'; cat g.csv | tail -3; echo '4'; } >bad.csv
expect 3 ksda stats bad.csv
matches stderr '^ksda: bad\.csv:5:' # lines are counted as they stand in the file

# rows that were cleared
{ echo ';;;'; cat plain.csv; printf ';\n;;;\n\n'; } >g.csv
{ echo ';'; cat plain-c.csv; printf ';;\n;\n'; } >c.csv
same_as_plain g.csv -c c.csv
[ "$(grep -c '3 empty rows are passed over' stderr)" = 2 ] || fail "the empty rows of both files are told"
says stdout '3 empty rows are passed over'
printf '1,2\n,\n2,3\n3,1\n' >g.csv
same_as_plain g.csv
says stderr '1 empty row is passed over'
printf '1,2\n,3\n' >g.csv
expect 3 ksda stats g.csv # half a row is no empty one
matches stderr '^ksda: g\.csv:2:1: an empty field'
printf 'a b\n' >g.txt
printf ';\n' >>g.txt
expect 3 ksda stats g.txt # nor is a separator in a file that has none

# empty cells behind the last column, in all rows or in some
printf 'Von;An;;\nAnna;Bernd;;\nBernd;Clara\nClara;Anna;;;;\n' >g.csv
printf 'name;abteilung;;\nAnna;X;;;\nBernd;Y\nClara;X;\n' >c.csv
same_as_plain g.csv -c c.csv
if grep -q 'ignored' stderr; then fail "empty columns are not worth a word"; fi
printf 'Von;An;\nAnna;Bernd;3\nBernd;Clara;\nClara;Anna;4\n' >g.csv
same_as_plain g.csv
says stderr 'column 3 is ignored (looks like weights)'
printf 'Von;An\nAnna;Bernd;;x\nBernd;Clara\n' >g.csv
expect 3 ksda stats g.csv
says stderr '4 columns here, but 2 in the lines before'
printf 'name;alter;team\nAnna;3;X\nBernd;4;\nClara;;\n' >c.csv # blank cells in the last named column are missing values
expect 0 ksda stats plain.csv -c c.csv --community-column team --unassigned together --json
says stdout '"unassigned": 2'
printf 'Anna;Bernd;Clara;\n;;;\nDora;;;\n' >c.csv # lists of members: an empty row is no community
printf 'Anna;Bernd\nBernd;Clara\nClara;Dora\n' >g.csv
expect 0 ksda stats g.csv -c c.csv --communities-format lists --json
says stdout '"communities": 2'
says stderr '1 empty row is passed over'

# other encodings: where, and what to do
refused() { # refused PLACE TEXT COMMAND...
    local place=$1 text=$2
    shift 2
    expect 3 "$@"
    one_message
    matches stderr "^ksda: $place: "
    says stderr "$text"
}
printf 'Von;An\nAnna;Bernd\nBj\xf6rn;Anna\n' >g.csv
printf 'name;abteilung\nAnna;X\nBernd;B\xfcro\nClara;X\n' >c.csv
refused 'g\.csv:3:3' 'iconv -f WINDOWS-1252 -t UTF-8' ksda stats g.csv
refused 'c\.csv:3:8' 'iconv -f WINDOWS-1252 -t UTF-8' ksda stats plain.csv -c c.csv
printf 'N\xe4me;An\nAnna;Bernd\n' >g.csv
refused 'g\.csv:1:2' 'iconv -f WINDOWS-1252 -t UTF-8' ksda stats g.csv
for code in UTF-16 UTF-16LE UTF-16BE; do
    iconv -f UTF-8 -t $code plain.csv >g.csv
    refused 'g\.csv:1:1' 'iconv -f UTF-16 -t UTF-8' ksda stats g.csv
    refused 'g\.csv:1:1' 'iconv -f UTF-16 -t UTF-8' ksda stats plain.csv -c g.csv
done

# no text at all
printf 'PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0' >book.xlsx
printf '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' >book.xls
for book in book.xlsx book.xls; do
    refused "${book/./\\.}:1:1" 'save it as CSV' ksda stats $book
    refused "${book/./\\.}:1:1" 'save it as CSV' ksda stats $book --format csv
    refused "${book/./\\.}:1:1" 'save it as CSV' ksda stats plain.csv -c $book
done

# tabs in what is called CSV
sed 's/;/\t/' plain.csv >g.csv
sed 's/;/\t/' plain-c.csv >c.csv
same_as_plain g.csv -c c.csv
[ "$(grep -c 'tabs separate the fields' stderr)" = 2 ] || fail "said for both files"

# line breaks inside cells: where, and what to do
printf 'Von;An\n"An\nna";Bernd\n' >g.csv
refused 'g\.csv:2:1' 'take line breaks out of the cells' ksda stats g.csv
printf 'name;abteilung\nAnna;"X\nY"\nBernd;Y\n' >c.csv
refused 'c\.csv:2:6' 'take line breaks out of the cells' ksda stats plain.csv -c c.csv

# communities as CSV, TSV and as they were, and read again
printf 'Anna Maria;Bernd\nBernd;"Clara; die"\n"Clara; die";Anna Maria\n' >g.csv
printf 'Anna Maria;Büro 1\nBernd;"a ""b"", c"\n"Clara; die";x\n' >c.csv
expect 0 ksda convert g.csv -c c.csv -o g.graphml --write-communities again.csv
matches again.csv '^Anna Maria,Büro 1$'
[ "$(head -1 again.csv)" = "vertex,community" ] || fail "the header"
expect 0 ksda convert g.csv -c c.csv -o h.graphml --write-communities again.tsv
expect 0 ksda convert g.csv -c c.csv -o h.graphml --write-communities again.txt
for again in again.csv again.tsv again.txt; do
    expect 0 ksda convert g.csv -c $again -o h.graphml
    same g.graphml h.graphml
done
expect 0 ksda anonymize builtin:karate -k 2 -o p.csv --publish-communities pc.csv --map p.map
expect 0 ksda check p.csv -c pc.csv -k 2
