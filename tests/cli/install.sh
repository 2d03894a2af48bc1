# Install into a scratch folder; build and run a small program against it by pkg-config (shared and static) and by CMake.
. "$SOURCE/tests/support/cli.sh"
case $(grep KSDA_SANITIZE: "$BUILD/CMakeCache.txt") in *=?*) skip "a sanitized library needs a sanitized program" ;; esac
DESTDIR=$PWD/dest cmake --install "$BUILD" --prefix /opt/ksda >log || { cat log; exit 1; }
root=$PWD/dest/opt/ksda
present "$root/bin/ksda" "$root/include/ksda/ksda.h" "$root/share/bash-completion/completions/ksda"
lib=$(dirname "$(find "$root" -name libksda.so)")
[ "$(readlink "$lib/libksda.so")" = libksda.so.0 ] || fail "soname link"
objdump -p "$lib/libksda.so" | grep -q 'SONAME *libksda.so.0$' || fail "soname"
"$root/bin/ksda" version >/dev/null
if [ -x "$(sed -n 's/^PANDOC:FILEPATH=//p' "$BUILD/CMakeCache.txt")" ]; then
    for page in "$SOURCE"/docs/man/*.md; do
        name=$(basename "$page" .md)
        present "$root/share/man/man${name##*.}/$name"
    done
else
    echo "SKIPPED: no pandoc, so there are no man pages to look for" >&2
fi

cat >ten.c <<'END'
#include <ksda/ksda.h>
#include <stdio.h>
int main(void) {
    ksda_ctx *ctx;
    ksda_graph *graph;
    const uint32_t pairs[] = {0, 1, 1, 2, 2, 0, 2, 2, 1, 0};
    if (ksda_ctx_new(NULL, &ctx) != KSDA_OK || ksda_graph_from_edges(ctx, 3, 5, pairs, &graph) != KSDA_OK) return 1;
    printf("%s %llu\n", ksda_version(), (unsigned long long)ksda_graph_edges(graph));
    ksda_graph_free(ctx, graph);
    ksda_ctx_free(ctx);
    return 0;
}
END
answer="$(cat "$SOURCE/VERSION") 3"
export PKG_CONFIG_PATH=$lib/pkgconfig
# shellcheck disable=SC2046
cc ten.c -o shared $(pkg-config --cflags --libs ksda) || fail "link with pkg-config"
[ "$(LD_LIBRARY_PATH=$lib ./shared)" = "$answer" ] || fail "shared: $(LD_LIBRARY_PATH=$lib ./shared)"
mkdir only && cp "$lib/libksda.a" only/
# shellcheck disable=SC2046
cc ten.c -o static $(pkg-config --cflags ksda) -Lonly $(pkg-config --static --libs ksda | sed "s|-L[^ ]*/dest/[^ ]*||") || fail "static link"
[ "$(./static)" = "$answer" ] || fail "static"

mkdir project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(ten C)
find_package(ksda 0.1 REQUIRED)
add_executable(ten ../ten.c)
target_link_libraries(ten PRIVATE ksda::ksda)
add_executable(ten_static ../ten.c)
target_link_libraries(ten_static PRIVATE ksda::ksda_static)
END
cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$root" >log 2>&1 || { cat log; exit 1; }
cmake --build project/build >log 2>&1 || { cat log; exit 1; }
[ "$(project/build/ten)" = "$answer" ] || fail "CMake, shared"
[ "$(project/build/ten_static)" = "$answer" ] || fail "CMake, static"
