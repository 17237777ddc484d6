"""The part of the C preprocessor that one file needs: its own macros and conditions. Included files are not read, so macros of
headers stay as names. Every line keeps its number: an expansion stands on the line where the macro is called."""
import re

from reader.text import BRACKETS, closing, without_comments

NAME = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\b[A-Za-z_]\w*')
DIRECTIVE = re.compile(r'[ \t]*#[ \t]*(\w+)(.*)$', re.S)
OPERATORS = {'&&': ' and ', '||': ' or ', '!': ' not '}


def macro_arguments(text):
    """What commas outside parentheses separate."""
    found, depth, start = [], 0, 0
    for token in re.finditer(BRACKETS[')'].pattern + '|,', text, re.S):
        depth += {'(': 1, ')': -1}.get(token[0], 0)
        if token[0] == ',' and depth == 0:
            found.append(text[start:token.start()].strip())
            start = token.end()
    return found + [text[start:].strip()]


class Macros:
    def __init__(self, definitions):
        self.known = {name: (None, value) for name, value in definitions.items()}

    def define(self, text):
        head = re.match(r'\s*(\w+)(\(([^)]*)\))?(.*)$', text, re.S)
        if head:
            parameters = [name.strip() for name in head[3].split(',')] if head[2] else None
            self.known[head[1]] = parameters, head[4].strip()

    def holds(self, condition):
        """The value of an #if; a condition that cannot be read does not hold."""
        text = re.sub(r'\bdefined\s*\(?\s*(\w+)\s*\)?', lambda m: '1' if m[1] in self.known else '0', condition)
        text = re.sub(r'\b[A-Za-z_]\w*\b', '0', self.expand(text))
        text = re.sub(r'(\d)[uUlL]+\b', r'\1', text)
        text = re.sub(r'&&|\|\||!(?!=)', lambda m: OPERATORS[m[0]], text)
        if not re.fullmatch(r'[\d\s()<>=!+\-*/%andort]*', text) or re.search(r'\*\*|\d\s*\(', text):
            return False
        try:
            return bool(eval(text, {'__builtins__': {}}))  # digits, operators, and, or, not: nothing else passes the check above
        except (SyntaxError, ZeroDivisionError, TypeError):
            return False

    def expand(self, text, hidden=frozenset()):
        if not self.known:
            return text
        out, at = [], 0
        while True:
            name = NAME.search(text, at)
            if not name:
                return ''.join(out) + text[at:]
            out.append(text[at:name.start()])
            at = name.end()
            parameters, body = self.known.get(name[0], (None, None)) if name[0] not in hidden else (None, None)
            opening = re.match(r'\s*\(', text[at:]) if parameters is not None else None
            if body is None or (parameters is not None and not opening):
                out.append(name[0])
                continue
            given = []
            if parameters is not None:
                end = closing(text, at)
                given = macro_arguments(text[at + opening.end():end - 1])
                at = end
            expansion = self.expand(self.substitute(parameters, body, given, hidden), hidden | {name[0]})
            out.append(expansion.replace('\n', ' ') + '\n' * text.count('\n', name.end(), at))

    def substitute(self, parameters, body, given, hidden):
        """The body of a macro with its arguments in place: #x, a##b, __VA_ARGS__."""
        if parameters is None:
            return body
        values = dict(zip(parameters, given + [''] * len(parameters)))
        if parameters and parameters[-1].endswith('...'):
            values[parameters[-1][:-3].strip() or '__VA_ARGS__'] = ', '.join(given[len(parameters) - 1:])
        pasted = set(re.findall(r'##\s*(\w+)', body)) | set(re.findall(r'(\w+)\s*##', body))
        ready = {name: value if name in pasted else self.expand(value, hidden) for name, value in values.items()}
        body = re.sub(r'(?<!#)#\s*(\w+)', lambda m: '"%s"' % values[m[1]].replace('"', "'") if m[1] in values else m[0], body)
        body = NAME.sub(lambda m: ready.get(m[0], m[0]), body)
        return re.sub(r'\s*##\s*', '', body)


def preprocess(source, definitions):
    """The source as the compiler sees it, without comments; definitions: macros that are set from outside."""
    macros, out, pending = Macros(definitions), [], []
    conditions = []  # of each open #if: is this branch read, was a branch before it
    lines = without_comments(source).split('\n')
    at = 0

    def flush():
        if pending:
            out.append(macros.expand('\n'.join(pending)) + '\n')
            pending.clear()

    while at < len(lines):
        directive = DIRECTIVE.match(lines[at])
        if not directive:
            pending.append(lines[at] if all(branch for branch, _ in conditions) else '')
            at += 1
            continue
        flush()
        text, first = lines[at], at
        while text.rstrip().endswith('\\') and at + 1 < len(lines):
            at += 1
            text = text.rstrip()[:-1] + ' ' + lines[at]
        at += 1
        out.append('\n' * (at - first))
        word, rest = DIRECTIVE.match(text).groups()
        outside = all(branch for branch, _ in conditions)
        if word in ('if', 'ifdef', 'ifndef'):
            holds = outside and (macros.holds(rest) if word == 'if' else (rest.strip() in macros.known) == (word == 'ifdef'))
            conditions.append((holds, holds))
        elif word in ('elif', 'else') and conditions:
            _, before = conditions.pop()
            around = all(branch for branch, _ in conditions)
            holds = around and not before and (word == 'else' or macros.holds(rest))
            conditions.append((holds, before or holds))
        elif word == 'endif' and conditions:
            conditions.pop()
        elif word == 'define' and outside:
            macros.define(rest)
        elif word == 'undef' and outside:
            macros.known.pop(rest.strip(), None)
    flush()
    return ''.join(out)
