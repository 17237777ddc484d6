"""The functions of one C++ file, found by matching braces: name, parameters, body, and what it calls under which conditions."""
import re
from dataclasses import dataclass, field

from reader.text import arguments, block_end, closing, line_of, words

KEYWORDS = {'if', 'for', 'while', 'switch', 'catch', 'return', 'sizeof', 'else', 'do', 'constexpr', 'decltype', 'alignas', 'defined', 'noexcept'}
NOT_NAMES = KEYWORDS | {'C10_LAUNCH_BOUNDS_1', 'C10_LAUNCH_BOUNDS_2'}
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[(;{}]', re.S)
CALL = re.compile(r'((?:\b\w+::)*)\b([A-Za-z_]\w*)\s*(?:<([^<>();]*)>)?\s*\(')
IF = re.compile(r'\bif\s*(?:constexpr\s*)?\(|\bif\s+C10_(?:UN)?LIKELY\s*\(')
LOCAL = re.compile(r'(?:^|[;{}(])\s*(?:const\s+)?(?:auto|Tensor|at::Tensor|TensorBase|Proxy|ScalarType|at::ScalarType'
                   r'|c10::MaybeOwned<Tensor>|torch::Tensor)\s*[&]*\s*(\w+)\s*(?:=|\()\s*([^;]*);')
ASSIGNED = re.compile(r'(?:^|[;{}])\s*(\w+)\s*=\s*([^=;][^;]*);')


@dataclass(eq=False)
class Call:
    qualifier: str
    name: str
    method: bool
    at: int
    opens: int
    template: str


@dataclass(eq=False)
class Local:
    """A local variable: the names in its value, and whether the value has another type than they."""
    names: list
    cast: bool
    value: str


@dataclass(eq=False)
class Function:
    name: str
    path: str
    line: int
    parameters: list  # (name, declaration)
    template: list
    body: str
    body_line: int
    facts: list = field(default_factory=list)

    def __post_init__(self):
        self.branches = branches(self.body)
        self.locals = locals_of(self)
        self.calls = [Call(m[1], m[2], bool(re.search(r'(\.|->)\s*$', self.body[:m.start()])), m.start(), m.end() - 1, m[3] or '')
                      for m in CALL.finditer(self.body) if m[2] not in KEYWORDS and not m[2].isupper()]

    def conditions(self, at):
        """The conditions of the ifs around a place of the body; NOT(...) in an else."""
        return [condition for first, end, condition in self.branches if first <= at < end]

    def line_at(self, at):
        return self.body_line + self.body.count('\n', 0, at)

    def place(self, at=None):
        return '%s:%d' % (self.path, self.line if at is None else self.line_at(at))


def branches(body):
    """(first, end, condition) for every branch of every if."""
    found = []
    for opening in IF.finditer(body):
        bracket = body.index('(', opening.start())
        end = closing(body, bracket)
        condition = words(body[bracket + 1:end - 1])
        first, end = block_end(body, end)
        found.append((first, end, condition))
        otherwise = re.match(r'\s*else\b', body[end:])
        if otherwise:
            found.append((*block_end(body, end + otherwise.end()), 'NOT(%s)' % condition))
    return found


def is_cast(value):
    if '?' in value and re.search(r':\s*(?:[\w:<>]*\()?\*?\w+\)?\s*$', value):
        return False  # one branch keeps the type
    value = re.sub(r'\.to\(\s*(?:\*?\w*common_?[dD]type\w*|result_type\w*|compute_dtype|promote\w*)\b', '.same(', value)
    return bool(re.search(r'\.to\(\s*(?:at::|c10::)?(?:ScalarType|k[A-Z]|\w*dtype|\w*type)|\.dtype\(\s*[\w:]', value))


def locals_of(function):
    found = {}

    def local(text):
        text = re.sub(r'"[^"]*"', '', text)
        return Local(re.findall(r'[A-Za-z_]\w*', text), is_cast(text), text.strip())

    for declared in LOCAL.finditer(function.body):
        found.setdefault(declared[1], local(declared[2]))
    parameters = {name for name, _ in function.parameters}
    for assigned in ASSIGNED.finditer(function.body):
        value, before = local(assigned[2]), found.get(assigned[1])
        if assigned[1] not in parameters and (before is None or (before.cast and not value.cast)):
            found[assigned[1]] = value
    return found


def functions_in(text, path):
    """Function definitions of a preprocessed file; namespaces are transparent and methods count as functions."""
    found, head, at = [], 0, 0
    while True:
        token = TOKEN.search(text, at)
        if not token:
            return found
        at = token.end()
        if token[0] == '(':
            at = closing(text, token.start())
        elif token[0] in ';}':
            head = at
        elif token[0] == '{':
            header = text[head:token.start()].strip()
            if opens_scope(header):
                head = at
                continue
            at = closing(text, token.start(), '}')
            function = read_function(text, head, token.start(), at, path)
            if function:
                found.append(function)
            head = at


def opens_scope(header):
    """Does the brace after this text open a namespace or a class, so that functions stand in it."""
    if re.search(r'\bnamespace\b[^()]*$', header) or re.search(r'extern\s*"C"\s*$', header) or re.search(r'\b(?:struct|class|union)\b[^()]*$', header):
        return True
    return bool(re.search(r'\b(struct|class)\b', header)) and not re.search(r'\)\s*(const|noexcept|override|:.*)?\s*$', header, re.S)


def read_function(text, head, brace, end, path):
    header = text[head:brace].strip()
    template = re.match(r'\s*template\s*<([^{}]*?)>\s*(?=[\w:])', header)
    plain = re.sub(r'^(\s*template\s*<[^{}]*?>\s*)+(?=[\w:])', '', header) if template else header
    kernel = re.search(r'TORCH_IMPL_FUNC\s*\(\s*(\w+)\s*\)\s*\(', plain)
    named = kernel or next((m for m in re.finditer(r'([\w:~]+)\s*(?:<[^()<>]*>)?\s*\(', plain)
                            if m[1] not in NOT_NAMES and not m[1].startswith('__')), None)
    if not named or '=' in plain.split('(')[0]:
        return None
    opens = plain.index('(', named.end() - 1)
    parameters = []
    for declared in arguments(plain[opens + 1:closing(plain, opens) - 1]):
        declared = declared.split('=')[0].strip()
        name = re.search(r'(\w+)\s*(?:\[\w*\])?$', declared)
        parameters.append((name[1] if name else '', declared))
    names = [re.search(r'(\w+)\s*(?:=.*)?$', a) for a in arguments(template[1])] if template else []
    first = head + len(text[head:brace]) - len(text[head:brace].lstrip())
    return Function(named[1].split('::')[-1], path, line_of(text, first), parameters, [m[1] for m in names if m], text[brace:end], line_of(text, brace))
