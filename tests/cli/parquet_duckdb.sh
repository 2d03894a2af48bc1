# Parquet beside DuckDB, both ways: every codec, both versions of pages, nulls, texts, several row groups. DuckDB does not
# write DELTA_BYTE_ARRAY: hyparquet-writer does.
. "$SOURCE/tests/support/cli.sh"

command -v node >/dev/null && command -v npm >/dev/null || skip "NO NODE OR NPM: Parquet was not held against DuckDB"
folder=$BUILD/duckdb
[ -d "$folder/node_modules/hyparquet-writer" ] || { mkdir -p "$folder" && cd "$folder" && timeout 120 npm install --silent --no-fund --no-audit @duckdb/node-api hyparquet-writer >npm.log 2>&1 && cd - >/dev/null; } ||
    skip "THE PACKAGES @duckdb/node-api AND hyparquet-writer CANNOT BE INSTALLED: Parquet was not held against DuckDB"
duck() { node "$SOURCE/tests/support/duckdb.mjs" "$folder" "$@"; }
duck "select 1" >/dev/null 2>&1 || skip "DUCKDB DOES NOT RUN: Parquet was not held against it"

ends() { awk '$1 < $2 {print $1, $2; next} {print $2, $1}' "$@" | sort; } # of edges, whichever way round they are written

ksda generate planted --vertices 800 --edges 4000 --blocks 15 -o g.edges --communities g.communities -q
sed 's/ / x/; s/^/x/' g.edges >names.edges
ksda convert g.edges -c g.communities -o g.parquet --write-communities c.parquet -q
ksda convert names.edges -o names.parquet -q
printf '1 18446744073709551615\n' >wide.edges
ksda convert wide.edges -o wide.parquet -q

# ours, read by DuckDB
duck "select source, target from 'g.parquet'" "select source, target from 'names.parquet'" "from 'c.parquet'" "from 'wide.parquet'" >theirs
cat g.edges names.edges g.communities wide.edges >ours
same <(ends ours) <(ends theirs)

# theirs, read by us: a statement for each way
types="bigint uinteger varchar"
statements=()
for type in $types; do
    for codec in uncompressed zstd gzip snappy; do
        for version in v1 v2; do
            statements+=("copy (select source::$type as source, target::$type as target, 0.5 as w from 'g.parquet') to '$type-$codec-$version.parquet' (format parquet, codec $codec, parquet_version $version, row_group_size 2048)")
        done
    done
done
# no dictionaries: plain, and in the second version deltas
for version in v1 v2; do
    statements+=("copy (select source::bigint as source, target::integer as target from 'g.parquet') to 'plain-$version.parquet' (format parquet, parquet_version $version, dictionary_size_limit 1)"
        "copy (from 'names.parquet') to 'text-$version.parquet' (format parquet, parquet_version $version, dictionary_size_limit 1)")
done
statements+=("copy (select 1.5 as weight, column0 as person, case when column0 % 7 > 0 then column1 end as club, [1, 2] as list from read_csv('g.communities', delim = ' ', header = false)) to 'nodes.parquet' (format parquet)"
    "copy (select source, case when target < 790 then target end as target from 'g.parquet') to 'nulls.parquet' (format parquet)"
    "copy (select source - 400 as source, target - 400 as target from 'g.parquet') to 'negative.parquet' (format parquet)"
    "copy (select source::double as source, target, [target] as friends from 'g.parquet') to 'double.parquet' (format parquet)"
    "copy (from 'g.parquet') to 'brotli.parquet' (format parquet, codec brotli)"
    "copy (from 'g.parquet') to 'lz4.parquet' (format parquet, codec lz4)")
duck "${statements[@]}" >/dev/null
for file in *-v?.parquet; do
    ksda convert "$file" -o again.edges -q 2>stderr
    case $file in
    text-*) same <(ends names.edges) <(ends again.edges) ;;
    *) same g.edges again.edges ;;
    esac
done

awk '$1 % 7 > 0' g.communities >some.communities
expect 3 ksda stats g.parquet -c nodes.parquet
says stderr "'weight', 'person', 'club', 'list'"
ksda convert g.parquet -c nodes.parquet --vertex-column person --community-column club --unassigned together -o again.edges --write-communities again.communities -q
awk '$1 % 7 > 0' again.communities >given.communities
same <(sort some.communities) <(sort given.communities)
expect 3 ksda stats nulls.parquet
says stderr "has no value in column 'target': an edge needs two ends"
ksda convert negative.parquet -o again.edges -q
awk '{print $1 - 400, $2 - 400}' g.edges >shifted.edges
same <(ends shifted.edges) <(ends again.edges)
expect 3 ksda stats double.parquet
says stderr "column 'source' holds DOUBLE; only whole numbers and text are read"
expect 3 ksda stats double.parquet --columns friends,target
says stderr "column 'friends' holds a structure (nested)"
for codec in brotli lz4; do
    expect 3 ksda stats $codec.parquet
    matches stderr "packed with (brotli|LZ4), which is not read: write it with zstd"
done

# texts that share their beginnings
node "$SOURCE/tests/support/hyparquet.mjs" "$folder" delta.parquet delta.edges
ksda convert delta.parquet -o again.edges -q
ksda convert delta.edges -o wanted.edges -q
same wanted.edges again.edges
