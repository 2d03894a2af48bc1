# The Debian packages, as far as that can be seen without building them: every file that is installed goes into exactly one of
# them, and what they need to be built is what scripts/setup.sh installs. (make deb and make try-deb do the rest.)
. "$SOURCE/tests/support/cli.sh"
case $(grep KSDA_SANITIZE: "$BUILD/CMakeCache.txt") in *=?*) skip "sanitized programs are never installed" ;; esac
DESTDIR=$PWD/dest cmake --install "$BUILD" --prefix /usr >log || { cat log; exit 1; }
[ ! -x "$BUILD/ksda-mpi" ] || DESTDIR=$PWD/dest cmake --install "$BUILD" --prefix /usr --component mpi >log || { cat log; exit 1; }
lib=$(basename "$(dirname "$(find dest -name libksda.so)")")
# usr/lib/*/ is Debian's folder for one architecture; here the libraries may lie beside each other
cd dest
for list in "$SOURCE"/debian/*.install; do
    while read -r pattern _; do
        case $pattern in usr/bin/ksda-mpi) [ -x "$BUILD/ksda-mpi" ] || continue ;; esac # (made only where an MPI is)
        case $pattern in usr/share/man/*) [ -d usr/share/man ] || continue ;; esac # (made only where pandoc is)
        case $lib in lib | lib64) pattern=${pattern/usr\/lib\/\*\//usr\/$lib\/} ;; esac
        # shellcheck disable=SC2086
        find $pattern ! -type d 2>/dev/null >../found || true
        [ -s ../found ] || fail "$(basename "$list"): $pattern is not installed"
        cat ../found >>../taken
    done <"$list"
done
sort -o ../taken ../taken
uniq -d ../taken >../twice
silent ../twice
find . ! -type d | sed 's|^\./||' | sort >../installed
comm -13 ../taken ../installed >../left
[ ! -s ../left ] || { cat ../left >&2; fail "in no Debian package: debian/*.install"; }
cd ..
sed -n 's/^build_packages="\(.*\)"/\1/p' "$SOURCE/scripts/setup.sh" | tr ' ' '\n' | grep -vx gcc | sort >wanted
sed -n '/^Build-Depends:/,/^[A-Z]/p' "$SOURCE/debian/control" | grep -E '^(Build-Depends:| )' | sed 's/^Build-Depends://' | tr ',' '\n' | sed 's/(.*//' | tr -d ' ' |
    grep -vE '^(debhelper-compat|pandoc|mpi-default-dev|)$' | sort >asked
same wanted asked
# the library's packages carry the soname
soname=$(readlink "$(find dest -name libksda.so)")
grep -qx "Package: libksda${soname##*.}" "$SOURCE/debian/control" || fail "no package for $soname"
says "$SOURCE/debian/rules" "$soname libksda${soname##*.} #MINVER#"
