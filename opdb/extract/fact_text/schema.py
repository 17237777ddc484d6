"""Operators as the `func:` of a list writes them: "add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)". A type or form that is
not known is an error: a schema that is half understood says something wrong about an operator."""
import re
from collections import namedtuple

from fact_text.tables import Malformed

NAME = re.compile(r'[A-Za-z_]\w*(\.\w+)?', re.A)
TYPE = re.compile(r'(Tensor|int|SymInt|float|bool|SymBool|str|Scalar|ScalarType|Layout|Device|DeviceIndex|MemoryFormat|Generator|Dimname'
                  r'|QScheme|Storage|Stream|ConstQuantizerPtr|DimVector|ArrayRef|Any|__torch__(\.\w+)*)(?!\w)', re.A)
ALIAS = re.compile(r'\([a-z!|*> -]*\)')
WRITTEN = re.compile(r'([a-z])!\)')
SUFFIX = re.compile(r'\?|\[[0-9]*\]|' + ALIAS.pattern)
DEFAULT = re.compile(r'''"(\\.|[^"\\])*"|'(\\.|[^'\\])*'|\[[\w.+, -]*\]|[\w.+-]+''', re.A | re.S)
WORD, BLANKS = re.compile(r' *(\w*)', re.A), re.compile(' *')

Schema = namedtuple('Schema', 'op signature kind is_view positional keyword returns')


class Item(namedtuple('Item', 'text type name')):
    """An argument or a result: all of it, its type with annotations, its name or ''."""

    @property
    def written(self):
        return '!' in self.type

    @property
    def is_list(self):
        return '[' in self.type


class Cursor:
    def __init__(self, text, place):
        self.text, self.at, self.place = text, 0, place

    def fail(self, wrong):
        raise Malformed(self.place, '%s: "%s"' % (wrong, self.text[self.at:]))

    def match(self, pattern):
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found

    def take(self, token):
        self.match(BLANKS)
        taken = self.text.startswith(token, self.at)
        self.at += len(token) * taken
        return taken

    def expect(self, token):
        if not self.take(token):
            self.fail('"%s" is expected' % token)

    def item(self):
        self.match(BLANKS)
        start = self.at
        if not self.match(TYPE):
            self.fail('this type is not known')
        while self.match(SUFFIX):
            pass
        if self.text.startswith(('[', '('), self.at):
            self.fail('the size of a list is not a number' if self.text[self.at] == '[' else 'an annotation is not understood')
        end = self.at
        name = self.match(WORD)[1] if self.text.startswith(' ', self.at) else ''
        return Item(self.text[start:self.at], self.text[start:end], name)

    def argument(self):
        if self.take('*'):
            return None
        item = self.item()
        start = self.at - len(item.text)
        if not item.name:
            self.fail('an argument has no name')
        if self.take('=') and not self.match(DEFAULT):
            self.fail('a default value is not %s' % ('closed' if self.text.startswith(('"', "'"), self.at) else 'understood'))
        return item._replace(text=self.text[start:self.at].strip())

    def several(self, read):
        """What a parenthesis that is open has, up to the one that closes it."""
        found = []
        if self.take(')'):
            return found
        while True:
            found.append(read())
            if not self.take(','):
                break
        if not self.take(')'):
            self.fail('"," or ")" is expected')
        return found


def is_inplace(op):
    base = op.split('.')[0]
    if re.fullmatch('__.+__', base):  # one of Python's methods, such as __iadd__
        return base.startswith('__i') and not base.startswith(('__in', '__is'))
    return base.endswith('_') and not base.endswith('__')


def kind_of(op, positional, keyword):
    if is_inplace(op):
        return 'inplace'
    if any(item.written for item in keyword):
        return 'out'
    return 'mutable' if any(item.written for item in positional) else 'functional'


def parse(text, place):
    """The schema that a name alone or a whole signature is."""
    op, parenthesis, _ = text.partition('(')
    op = op.strip()
    cursor = Cursor(text, place)
    if not NAME.fullmatch(op):
        cursor.fail('this is not a name of an operator')
    if not parenthesis:
        return Schema(op, '', kind_of(op, [], []), False, [], [], [])
    cursor.at = text.index('(') + 1
    arguments = cursor.several(cursor.argument)
    cursor.expect('->')
    returns = cursor.several(cursor.item) if cursor.take('(') else [cursor.item()]
    cursor.match(BLANKS)
    if cursor.at < len(text):
        cursor.fail('something follows the result')
    star = arguments.index(None) if None in arguments else len(arguments)
    positional, keyword = arguments[:star], [item for item in arguments[star:] if item]
    is_view = any(ALIAS.search(item.type) and not item.written for item in returns)
    return Schema(op, text[text.index('('):].strip(), kind_of(op, positional, keyword), is_view, positional, keyword, returns)


def parse_under(entry, key):
    """The schema under a key of an entry."""
    text = entry.get(key) if isinstance(entry, dict) else None
    if not isinstance(text, str):
        raise Malformed(entry.place, 'an entry needs a %s' % key)
    return parse(text, text.place)


# --- overloads that PyTorch's generator makes of another one

OPTIONS = {'dtype', 'layout', 'device', 'pin_memory'}


def plain(text):
    """Without annotations; a default value stays as it is."""
    head, equals, default = text.partition('=')
    return ALIAS.sub('', head) + equals + default


def written_type(type_, letter):
    """Tensor(a!)[] of Tensor[]."""
    return 'Tensor(%s!)' % letter + plain(type_).removeprefix('Tensor')


def named_result(argument):
    """A result that stands for an argument that the base writes."""
    return '%s %s_out' % (plain(argument.type), argument.name)


def signature(positional, keyword, returns):
    given = ', '.join([*positional, '*', *keyword] if keyword else positional)
    return '(%s) -> %s' % (given, returns[0] if len(returns) == 1 else '(%s)' % ', '.join(returns))


def out_of_inplace(base, self):
    """self is only read, and what is written comes behind."""
    positional = [plain(item.text) if item is self else item.text for item in base.positional]
    keyword = [item.text for item in base.keyword] + [written_type(self.type, 'a') + ' out']
    return signature(positional, keyword, [] if self.is_list else ['Tensor(a!)'])


def functional(base, self):
    """Nothing is written: a result for each argument that the base writes, behind those that it has."""
    returns = [plain(item.text) for item in base.returns]
    if self:
        returns = [plain(self.type) if base.returns else named_result(self)]
    returns += [named_result(item) for item in [*base.positional, *base.keyword] if item.written and item is not self]
    return signature([plain(item.text) for item in base.positional], [plain(item.text) for item in base.keyword], returns)


def out(base, letters):
    """One argument for every new result that is a tensor; lists are not returned."""
    used = [letter for item in [*base.positional, *base.keyword] for letter in WRITTEN.findall(item.type)]
    annotated = str if used else plain
    options = OPTIONS <= {item.name for item in base.keyword}
    keyword = [annotated(item.text) for item in base.keyword if not (options and item.name in OPTIONS)]
    new = [item for item in base.returns if not item.written]
    free = (letter for letter in letters if letter not in used)
    types = [written_type(item.type, next(free)) if item.type.startswith('Tensor') else None for item in new]
    keyword += [type_ + ' out' + (str(number) if len(new) > 1 else '') for number, type_ in enumerate(types) if type_]
    returns = [item.text for item in base.returns if item.written]
    returns += [type_ or plain(item.type) for type_, item in zip(types, new)]
    lists = any(item.is_list and type_ for item, type_ in zip(new, types))
    return signature([annotated(item.text) for item in base.positional], keyword, [] if lists else returns)


def generated(base, op, place):
    """The schema of an overload that is generated from base; None where the alphabet has no letter for every result."""
    letters = 'abcdefghijklmnopqrstuvwxyz'
    written = [item for item in [*base.positional, *base.keyword] if item.written]
    self = next((item for item in base.positional if item.written), None) if base.kind == 'inplace' else None
    if len(written) + len(base.returns) >= len(letters):
        return None
    if not ('.' in op and op.endswith('out')):
        text = functional(base, self)
    else:
        text = out_of_inplace(base, self) if self else out(base, letters)
    return parse(op + text, place)
