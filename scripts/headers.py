"""The public headers as Python sees them: enumerations, structs, functions. A small reader for the C that these headers are
written in, not for any C; what it does not understand is an error. abi.py and python-declarations.py are made of it."""
import os
import re

BASIC = {
    "void": None,
    "char": "c_char",
    "int": "c_int",
    "unsigned": "c_uint",
    "double": "c_double",
    "size_t": "c_size_t",
    "uint8_t": "c_uint8",
    "uint32_t": "c_uint32",
    "int32_t": "c_int32",
    "uint64_t": "c_uint64",
    "int64_t": "c_int64",
}


def plain(text):
    """Without comments, preprocessor lines and what is for C++ only."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"\\\n", " ", text)
    constants = re.findall(r"^#define (KSDA_[A-Z_]+) UINT32_C\((\d+)\)$", text, flags=re.M)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    text = text.replace('extern "C" {', "").replace("KSDA_API", "")
    return text, constants


class Reader:
    def __init__(self):
        self.enums, self.values, self.structs, self.opaque, self.functions, self.callbacks = set(), {}, {}, set(), {}, {}

    def kind(self, words, stars):
        """The ctypes name of a type: its words without const, and how many stars follow."""
        words = [w for w in words if w not in ("const", "struct", "enum")]
        if len(words) != 1:
            raise SystemExit("what type is this: %s" % words)
        name = words[0]
        if name == "char" and stars:
            return "POINTER(c_void_p)" if stars == 2 else "c_char_p"
        if name == "void" and stars:
            return "c_void_p" if stars == 1 else "POINTER(c_void_p)"
        if name in self.callbacks:
            return name
        if name in self.opaque:
            return "c_void_p" if stars == 1 else "POINTER(c_void_p)"
        base = "c_int" if name in self.enums else BASIC[name] if name in BASIC else name
        if name not in BASIC and name not in self.enums and name not in self.structs:
            raise SystemExit("unknown type %s" % name)
        for _ in range(stars):
            base = "POINTER(%s)" % base
        return base or "None"

    def category(self, text):
        """What a field holds, in the words of ksda_abi_kind."""
        words = [w for w in re.findall(r"\w+", text)[:-1] if w != "const"]
        if "[" in text:
            return "ARRAY"
        if "*" in text or words[0] in self.callbacks:
            return "POINTER"
        return "ENUM" if words[0] in self.enums else "STRUCT" if words[0] in self.structs else "SCALAR"

    def declaration(self, text):
        """'const uint32_t *name[2]' as (name, type)."""
        text = text.strip()
        if "(*" in text:
            return self.function_pointer(text)
        match = re.fullmatch(r"((?:\w+\s+)*?\w+)\s*(\**)\s*(\w+)\s*(?:\[(\d+)\])?", text)
        if not match:
            raise SystemExit("what is this: %s" % text)
        kind = self.kind(match[1].split(), len(match[2]))
        return match[3], "%s * %s" % (kind, match[4]) if match[4] else kind

    def function_pointer(self, text):
        match = re.fullmatch(r"(.*?)\(\*(\w+)\)\s*\((.*)\)", text, flags=re.S)
        result = match[1].strip()
        stars = result.count("*")
        kinds = [self.kind(result.replace("*", "").split(), stars)] + self.arguments(match[3])
        return match[2], "CFUNCTYPE(%s)" % ", ".join(kinds)

    def arguments(self, text):
        text = text.strip()
        if text in ("", "void"):
            return []
        kinds = []
        for part in split_commas(text):
            kinds.append(self.declaration(part)[1])
        return kinds

    def read(self, text):
        text, constants = plain(text)
        self.values.update((name, int(value)) for name, value in constants)
        for body, name in re.findall(r"(?:typedef\s+)?enum\s*\w*\s*\{(.*?)\}\s*(\w*)\s*;", text, flags=re.S):
            self.enums.add(name)
            at = -1
            for item in filter(None, map(str.strip, body.split(","))):
                word, _, value = (s.strip() for s in item.partition("="))
                at = int(value, 0) if value else at + 1
                self.values[word] = at
        text = re.sub(r"(?:typedef\s+)?enum\s*\w*\s*\{.*?\}\s*\w*\s*;", "", text, flags=re.S)
        for item in statements(text):
            self.statement(item)

    def statement(self, item):
        opaque = re.fullmatch(r"typedef struct (\w+) \1", item)
        struct = re.fullmatch(r"typedef struct (\w+)\s*\{(.*)\}\s*\1", item, flags=re.S)
        callback = re.fullmatch(r"typedef (.*\(\*\w+\)\s*\(.*\))", item, flags=re.S)
        function = re.fullmatch(r"(.*?)(\w+)\s*\((.*)\)", item, flags=re.S)
        if opaque:
            self.opaque.add(opaque[1])
        elif struct:
            self.structs[struct[1]] = fields = []
            for line in filter(None, map(str.strip, struct[2].split(";"))):
                fields += [(*self.declaration(part), self.category(part)) for part in several(line)]
        elif callback:
            name, kind = self.function_pointer(callback[1])
            self.callbacks[name] = kind
            self.structs[name] = kind
        elif function:
            result = function[1]
            self.functions[function[2]] = (
                self.kind(result.replace("*", " ").split(), result.count("*")),
                self.arguments(function[3]),
            )
        else:
            raise SystemExit("what is this: %s" % item)


def split_commas(text):
    parts, depth, at = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[at:i])
            at = i + 1
    return parts + [text[at:]]


def several(line):
    """'double low, high' as two declarations."""
    if "(*" in line:
        return [line]
    first, *others = split_commas(line)
    base = re.match(r"((?:\w+\s+)+)", first)[1]
    return [first] + [base + other for other in others]


def statements(text):
    """What ends with a semicolon outside of braces."""
    found, depth, at = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "{") - (c == "}")
        if depth < 0:
            depth, at = 0, i + 1  # the end of extern "C"
        if c == ";" and depth == 0:
            found.append(" ".join(text[at:i].split()))
            at = i + 1
    return [item for item in found if item]


def read_headers(folder):
    """All public headers of a folder, in an order in which every type is known before it is used."""
    reader, done = Reader(), set()

    def read(name):
        if name in done:
            return
        done.add(name)
        with open(os.path.join(folder, name), encoding="utf-8") as header:
            text = header.read()
        for needed in re.findall(r"^#include <ksda/(\w+\.h)>", text, flags=re.M):
            read(needed)
        reader.read(text)

    for name in sorted(os.listdir(folder)):
        read(name)
    return reader
