# Names that differ only for a program: told, with how many there are; and who stands in one file only.
. "$SOURCE/tests/support/cli.sh"

nfd() { python3 -c 'import sys, unicodedata; sys.stdout.write(unicodedata.normalize("NFD", sys.stdin.read()))'; }

printf 'Von;An\nJörg;Anna\nAnna;Zoë\nZoë;Jörg\nZoë;Max Müller\n007;Anna\nDora;Anna\n' >g.csv
{ echo 'Name;Abteilung'; printf 'Jörg;Süd\n' | nfd; printf 'anna;Nord\nZoë;Nord\nMax\u00a0Müller;Nord\n7;Nord\nWilli;Nord\nDora;Nord\n'; } >c.csv
expect 3 ksda stats g.csv -c c.csv
says stderr "4 of 11 vertices have no community: 'Jörg', 'Anna', 'Max Müller', '007'"
says stderr "4 vertices look by name like another, but for case, blanks, leading zeros or the way an accent is written: 'Jörg' and 'Jo<U+0308>rg', 'Anna' and 'anna', 'Max Müller' and 'Max<U+00A0>Müller', ..."
says stderr "5 vertices are in the communities file but not in the graph, taken as people without an edge:"
expect 0 ksda stats g.csv -c c.csv --unassigned together --json
says stderr "4 of 11 vertices have no community: they form one"
says stderr "without a community: 'Jörg', 'Anna', 'Max Müller', ... (--list-unassigned writes all of them)"
[ "$(grep -c 'look by name like another' stderr)" = 1 ] || fail "one line"
says stdout "4 vertices look by name like another"
expect 0 ksda stats g.csv -c c.csv --unassigned together --quiet
silent stderr

# communities that look alike count twice: that must not go unsaid
printf 'a b\nb c\nc d\n' >g.txt
printf 'a,Vertrieb\nb,vertrieb\nc,"Vertrieb "\nd,Einkauf\n' >c.csv
expect 0 ksda check g.txt -c c.csv
says stderr "2 communities look by name like another, but for case, blanks, leading zeros or the way an accent is written, and each counts: 'Vertrieb' and 'vertrieb', 'Vertrieb' and 'Vertrieb '"
expect 0 ksda anonymize g.txt -c c.csv -k 1 -o p.edges
says stderr "2 communities look by name like another"

# without communities, in a format that lists its vertices
printf 'graph [ node [ id 1 label "Ann" ] node [ id 2 label "ANN" ] edge [ source 1 target 2 ] ]\n' >g.gml
expect 0 ksda stats g.gml --json
says stderr "g.gml: 1 vertex looks by name like another"
says stdout "1 vertex looks by name like another"
expect 0 ksda stats builtin:lesmis
silent stderr

# nobody of the file is in the graph
printf '1 x\n2 y\n' >c.txt
expect 3 ksda stats g.txt -c c.txt
says stderr 'nobody in this file is in the graph: are the ids the same, is --vertex-column right?'

printf 'nr,name,team\n1,a,x\n2,b,y\n3,c,\n4,d,x\n' >c.csv # nor in the column that was taken
expect 3 ksda stats g.txt -c c.csv --community-column team
says stderr 'nobody in this file is in the graph: are the ids the same, is --vertex-column right?'
expect 3 ksda stats g.txt -c c.csv --community-column team --vertex-column name
if grep -q 'nobody in this file' stderr; then fail "they are in the graph"; fi

# The same as Unicode's own tables say, for thousands of names.
python3 - <<'END'
import random, subprocess, os, json, re, unicodedata as u
seed = int(os.environ.get("KSDA_TEST_SEED", "1"))
random.seed(seed)
letters = [chr(c) for r in ((0x41, 0x5b), (0x61, 0x7b), (0xc0, 0x180), (0x1cd, 0x1dd), (0x218, 0x21c), (0x1e00, 0x1e96), (0x1ea0, 0x1f00), (0x410, 0x450), (0x391, 0x3a2))
           for c in range(*r) if c not in (0xd7, 0xf7, 0x130, 0x149, 0x17f)]
plain = list("abcdeAEx01 ")
blanks = [" ", "\u00a0", "\u202f", "\u2009"]
def key(name):
    name = "".join(c for c in name if c not in "\u00ad\u200b\ufeff")
    name = " ".join(u.normalize("NFC", name).lower().split())
    return name.lstrip("0") or "0" if re.fullmatch("[0-9]+", name) else name
def disguise(name):
    for _ in range(random.randint(0, 3)):
        way = random.randrange(6)
        if way == 0: name = u.normalize("NFD", name)
        if way == 1: name = "".join(c.upper() if len(c.upper()) == 1 and c.upper().lower() == c and random.random() < .5 else c for c in name)
        if way == 2: name = "".join(random.choice(blanks) if c == " " else c for c in name)
        if way == 3: name = random.choice(blanks) + name + " " * random.randint(0, 2)
        if way == 4: i = random.randint(1, len(name)); name = name[:i] + random.choice("\u200b\u00ad") + name[i:] if not u.combining(name[i:i + 1] or "x") else name
        if way == 5 and name.isdigit(): name = "0" * random.randint(1, 3) + name
    return name
for round in range(25):
    bases = ["".join(random.choice(letters if random.random() < .5 else plain) for _ in range(random.randint(1, 6))).strip() or "x" for _ in range(60)]
    names = sorted({n for n in (disguise(random.choice(bases)) for _ in range(160)) if n.strip()})
    random.shuffle(names)
    expected = len(names) - len({key(n) for n in names})
    with open("r.csv", "w") as f:
        f.write("source,target\n")
        for a, b in zip(names, names[1:] + names[:1]): f.write('"%s","%s"\n' % (a, b))
    done = subprocess.run([os.environ["KSDA"], "stats", "r.csv", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, (seed, round, done.stderr)
    report = json.loads(done.stdout)
    assert report["vertices"] == len(names), (seed, round, report["vertices"], len(names))
    found = re.search(r"(\d+) vert(ex looks|ices look) by name", report["reading"][0]["note"])
    assert (int(found[1]) if found else 0) == expected, (seed, round, found and found[0], expected)
END
