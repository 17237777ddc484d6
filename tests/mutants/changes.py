"""Faults that can be put into a C source of this project, one at a time.

The layout of .clang-format is taken for granted: blanks around binary operators, a function between '{' and '}' in the first column.
"""
import collections
import re

# text[begin:end] becomes new; kind is one of KINDS, function the name of the function around it or "".
Change = collections.namedtuple("Change", "path line function kind begin end new")
KINDS = ("comparison", "bound", "sign", "error", "statement", "member")

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SIGNS = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
# No statement that does something, or one that only gives memory or descriptors back: sanitizers and valgrind watch these.
NO_STATEMENT = re.compile(
    r"(?:static|const|struct|union|enum|unsigned|signed|int|char|bool|double|float|long|short|void|size_t|ssize_t|\w+_t|CLEANUP|return|goto|else|do"
    r"|for|if|while|switch|case|default)\b|[\w ]+ \**\w+(?: = |\[|$)|\w*(?:free|clear|close|destroy|finalize|release|unref)\(|(?:static_)?assert\(|\(void\)")


def masked(text):
    """The text with comments, literals and lines of the preprocessor blanked out; every offset stays."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())

    def literal(match):
        return match.group()[0] + "_" * (len(match.group()) - 2) + match.group()[-1] if match.group()[0] in "\"'" else blank(match)

    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", literal, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


def functions(code):
    """The functions of masked code: (name, begin, end) of each body."""
    found = []
    for opening in re.finditer(r"^\{", code, re.M):
        head = code[:opening.start()].rstrip()
        head = head[max(head.rfind("}\n"), head.rfind(";\n"), head.rfind("\n\n")) + 1:]
        name = re.search(r"(\w+)\(", head)
        end = code.find("\n}", opening.end())
        if name and end > 0:
            found.append((name.group(1), opening.end(), end))
    return found


def operand_end(code, at, ends=(";", ",", "?", ":", "&&", "||")):
    """Where an operand ends that begins at a place: before what ends it or the end of what is around it."""
    depth = 0
    while at < len(code) and (depth or not code.startswith(tuple(ends), at)) and depth >= 0:
        depth += (code[at] in "([{") - (code[at] in ")]}")
        at += depth >= 0
    return len(code[:at].rstrip())


def in_function(code, begin, end):
    """(kind, begin, end, new) of each change in a body."""
    body = code[begin:end]
    for match in re.finditer(r" (<=|>=|==|!=|<|>) ", body):
        yield "comparison", begin + match.start(1), begin + match.end(1), COMPARISONS[match.group(1)]
    for match in re.finditer(r" ([+-]=?) ", body):
        yield "sign", begin + match.start(1), begin + match.end(1), SIGNS[match.group(1)]
    for match in re.finditer(r" (&&|\|\|) *\n?\s*", body):
        yield "member", begin + match.start(), operand_end(code, begin + match.end()), ""
    for match in re.finditer(r"(?<=[{,\s])(\.\w+ = [^{};]*?(?:,\s*(?=\.)|(?=\s*\})))", body):
        yield "member", begin + match.start(1), begin + match.end(1), ""
    for match in re.finditer(r"\breturn (true|false|-1|(?:err|too)_\w+\([^;]*\));", body):
        value = match.group(1)
        new = {"true": "false", "false": "true", "-1": "0"}.get(value)
        yield "error", begin + match.start(1), begin + match.end(1), new or None
    for match in re.finditer(r"^\t+(?=[\w*(])", body, re.M):
        last = operand_end(code, begin + match.end(), ";{")
        statement = code[begin + match.end():last]
        if re.search(r"([;{}):]|\b(else|do))\s*$", body[:match.start()]) and code[last] == ";" and not NO_STATEMENT.match(statement):
            yield "statement", begin + match.end(), last, ""


def bounds(code):
    """Numbers but sizes of arrays and indexes: a greater one."""
    for match in re.finditer(r"(?<![\w.\[\"'])(0x[0-9a-fA-F]+|[0-9]+)(?:[uU]?[lL]{0,2})(?![\w.\]])", code):
        number = match.group(1)
        yield "bound", match.start(1), match.end(1), hex(int(number, 16) + 1) if number.startswith("0x") else str(int(number) + 1)


def changes_of(path, text):
    """Every change of a source, in the order of its lines."""
    code = masked(text)
    bodies = functions(code)
    found = [(begin, end, kind, new) for name, first, last in bodies for kind, begin, end, new in in_function(code, first, last)]
    found += [(begin, end, kind, new) for kind, begin, end, new in bounds(code)]
    for begin, end, kind, new in sorted(found, key=lambda change: change[:3]):
        if new is None:
            new = "(%s, 0)" % text[begin:end]
        around = next((name for name, first, last in bodies if first <= begin < last), "")
        yield Change(path, text.count("\n", 0, begin) + 1, around, kind, begin, end, new)


def code_lines(text):
    """The numbers of the lines that have code."""
    return [at + 1 for at, line in enumerate(masked(text).splitlines()) if re.search(r"\w", line)]
