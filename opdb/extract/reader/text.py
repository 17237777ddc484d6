"""C++ as text: comments, brackets, arguments, lines, and names of releases in spans."""
import re

COMMENT_OR_LITERAL = re.compile(r'//(?:\\\n|[^\n])*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
BRACKETS = {closer: re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.[^\']*|[^\'\\])\'|[%s%s]' % (re.escape(opener), re.escape(closer)), re.S)
            for opener, closer in ('()', '{}', '[]')}
TEMPLATE_LIST = re.compile(r'<[\w:\s,*&]*(?:<[\w:\s,*&]*>[\w:\s,*&]*)*>')


def without_comments(source):
    """The source with its comments blank; every line keeps its number."""
    return COMMENT_OR_LITERAL.sub(lambda m: re.sub(r'\\(?!\n)|[^\n\\]', ' ', m[0]) if m[0][0] == '/' else m[0], source)


def closing(text, start, closer=')'):
    """The index after the bracket that closes the first one at or after start."""
    depth = 0
    for token in BRACKETS[closer].finditer(text, start):
        if token[0] == closer:
            depth -= 1
            if depth == 0:
                return token.end()
        elif len(token[0]) == 1:
            depth += 1
    return len(text)


def statement_end(text, start):
    """The index after a statement without braces: its semicolon outside brackets, or before the bracket that closes around it."""
    depth = 0
    for token in re.finditer(r'[()\[\]{};]', text[start:]):
        if token[0] in '([{':
            depth += 1
        elif token[0] in ')]}':
            depth -= 1
            if depth < 0:
                return start + token.start()
        elif depth == 0:
            return start + token.end()
    return len(text)


def block_end(text, start):
    """The first index of the statement or block after start, and the index after it."""
    while start < len(text) and text[start].isspace():
        start += 1
    if text[start:start + 1] == '{':
        return start, closing(text, start, '}')
    nested = re.match(r'(if|for|while|switch)\b[^()]*(?=\()', text[start:])
    if not nested:
        return start, statement_end(text, start)
    end = block_end(text, closing(text, start + nested.end()))[1]
    otherwise = re.match(r'\s*else\b', text[end:]) if nested[1] == 'if' else None
    return start, block_end(text, end + otherwise.end())[1] if otherwise else end


def arguments(text):
    """What commas outside brackets separate; <...> after a name counts as brackets where it is a list of types."""
    found, depth, current, at = [], 0, '', 0
    while at < len(text):
        char = text[at]
        literal = COMMENT_OR_LITERAL.match(text, at) if char == '"' else None
        types = TEMPLATE_LIST.match(text, at) if char == '<' and re.search(r'\w$', current) else None
        if literal or types:
            current += (literal or types)[0]
            at = (literal or types).end()
            continue
        if char in '([{':
            depth += 1
        elif char in ')]}':
            depth -= 1
        if char == ',' and depth == 0:
            found.append(current.strip())
            current = ''
        else:
            current += char
        at += 1
    if current.strip():
        found.append(current.strip())
    return found


def call_arguments(text, start):
    """The arguments of a call whose bracket opens at start."""
    return arguments(text[start + 1:closing(text, start) - 1])


def line_of(text, at):
    return text.count('\n', 0, at) + 1


def words(text):
    """Text on one line with single spaces."""
    return re.sub(r'\s+', ' ', text).strip()


def spans(order, names):
    """Names as ranges of the order: "a..c e"."""
    at = sorted({order.index(name) for name in names})
    found = []
    for index in at:
        if found and found[-1][1] == index - 1:
            found[-1][1] = index
        else:
            found.append([index, index])
    return ' '.join(order[a] if a == b else '%s..%s' % (order[a], order[b]) for a, b in found)


def write_table(path, header, rows):
    with open(path, 'w', encoding='utf-8') as out:
        for row in [header, *sorted(set(map(tuple, rows)))]:
            out.write('\t'.join(row) + '\n')


def read_table(path):
    """The rows of a reviewed file: tab separated, lines with # are comments, the first row names the columns."""
    with open(path, encoding='utf-8') as lines:
        rows = [line.rstrip('\n').split('\t') for line in lines if line.strip() and not line.startswith('#')]
    return [dict(zip(rows[0], row + [''] * len(rows[0]))) for row in rows[1:]]
