# The Python package: its own tests (python/tests) with the library that was just built, its declarations, its installation by
# make install and by pip.
. "$SOURCE/tests/support/cli.sh"
case $(grep KSDA_SANITIZE: "$BUILD/CMakeCache.txt") in *=?*) skip "a sanitized library needs a sanitized python3" ;; esac
python=
for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c 'import numpy, pytest' 2>/dev/null; then python=$candidate && break; fi
done
[ -n "$python" ] || skip "no python3 with numpy and pytest"
for library in scipy networkx igraph pandas; do
    "$python" -c "import $library" 2>/dev/null || echo "SKIPPED: no $library for $python, so what uses it is not tested" >&2
done

# what stands in the package is made from the headers as they are
"$python" "$SOURCE/scripts/python-declarations.py" "$SOURCE/include/ksda" >declarations.py
same declarations.py "$SOURCE/python/ksda/_declarations.py"

export PYTHONDONTWRITEBYTECODE=1 KSDA_LIBRARY="$BUILD/libksda.so.0"
cp -r "$SOURCE/python" package
cd package
"$python" -m pytest -q -p no:cacheprovider --doctest-modules ksda tests >../pytest.log 2>&1 || { cat ../pytest.log >&2; fail "pytest"; }
tail -1 ../pytest.log
cd ..

# the examples and what the document shows
for example in "$SOURCE"/examples/python/*.py; do
    if ! PYTHONPATH=$PWD/package "$python" "$example" >example.log 2>&1; then
        if grep -q ModuleNotFoundError example.log; then
            echo "SKIPPED: $(basename "$example"): $(tail -1 example.log)" >&2
        else
            cat example.log >&2 && fail "$(basename "$example")"
        fi
    fi
done
PYTHONPATH=$PWD/package "$python" -m doctest "$SOURCE/docs/python.md" || fail "docs/python.md"

# installed, it finds the library beside it in the prefix
unset KSDA_LIBRARY
DESTDIR=$PWD/dest cmake --install "$BUILD" --prefix /opt/ksda >log || { cat log; exit 1; }
installed=$(dirname "$(find dest -type d -name ksda -path '*packages*')")
here=$PWD
(cd / && PYTHONPATH=$here/$installed "$python" -c "import ksda; assert ksda._library.lib._name.startswith('$here/dest'), ksda._library.lib._name")

# and so it does with pip, without a network
if "$python" -m pip --version >/dev/null 2>&1 && "$python" -c 'import setuptools, wheel' 2>/dev/null; then
    cp -r "$SOURCE/python" tree
    "$python" -m pip install -q --no-build-isolation --no-deps --no-index --target site ./tree 2>pip.log || { cat pip.log >&2; fail "pip install"; }
    KSDA_LIBRARY="$BUILD/libksda.so.0" PYTHONPATH=$PWD/site "$python" -c 'import ksda; print(ksda.__version__)' >version
    same version "$SOURCE/VERSION"
else
    echo "SKIPPED: no pip, setuptools or wheel for $python" >&2
fi
