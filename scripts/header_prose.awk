# Lines of a header that hold part of a comment, as a share of those that are not blank: awk -f header_prose.awk FILE
{
    line = $0
    prose = inside
    while (line != "") {
        if (inside) {
            at = index(line, "*/")
            if (!at) break
            line = substr(line, at + 2)
            inside = 0
        } else {
            at = index(line, "/*")
            if (!at) break
            line = substr(line, at + 2)
            inside = prose = 1
        }
    }
    if ($0 ~ /[^ \t]/) {
        all++
        if (prose) told++
    }
}
END { printf "%.2f\n", all ? told / all : 0 }
