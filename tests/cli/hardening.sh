# What is installed: protected as the system's own programs are, looking for libraries nowhere but where the system does,
# and silent about the folder it was built in.
. "$SOURCE/tests/support/cli.sh"
command -v readelf >/dev/null || skip "readelf is not installed"
case $(grep KSDA_SANITIZE: "$BUILD/CMakeCache.txt") in *=?*) skip "sanitized programs are never installed" ;; esac
case $(grep KSDA_HARDEN: "$BUILD/CMakeCache.txt") in *=OFF) skip "built with KSDA_HARDEN=OFF" ;; esac
DESTDIR=$PWD/dest cmake --install "$BUILD" --prefix /usr >log || { cat log; exit 1; }
library=$(find dest -name 'libksda.so.*.*')
for file in dest/usr/bin/ksda "$library"; do
    readelf -Wd "$file" >dynamic
    readelf -Wl "$file" >segments
    readelf -Ws --dyn-syms "$file" >symbols
    if grep -E 'RPATH|RUNPATH' dynamic; then fail "$file has a search path of its own"; fi
    if grep -i 'NEEDED.*glpk' dynamic; then fail "$file links GLPK, which is under the GPL"; fi
    matches dynamic 'FLAGS.*NOW'
    matches segments 'GNU_RELRO'
    matches segments 'GNU_STACK .* RW +0x'
    if grep 'LOAD.* RWE ' segments; then fail "$file: memory that is written and run"; fi
    matches symbols '__stack_chk_fail'
    matches symbols '__[a-z]+_chk(@| |$)'
    case $(uname -m) in x86_64) objdump -d "$file" >code && matches code '\bendbr64\b' ;; esac
done
readelf -Wd dest/usr/bin/ksda >dynamic
matches dynamic 'FLAGS_1.*PIE'
find dest -type f | while read -r file; do
    for folder in "$BUILD" "$SOURCE"; do
        if strings -a "$file" | grep -F -m1 -- "$folder"; then fail "$file names the folder it was built in"; fi
    done
done
