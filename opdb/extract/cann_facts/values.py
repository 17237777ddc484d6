"""What an expression of an operator's host code is worth while it is interpreted, and the words for it in conditions."""
import re

from cann_facts.names import ACL_TYPES, COMPLEX, FLOATING, INTEGRAL, SIZES, TYPES

CHIP_CLASSES = {'910A': ('ASCEND910', 'DAV_1001'), '910B': ('ASCEND910B', 'DAV_2201'), '910_93': ('ASCEND910_93', 'DAV_2201'),
                '310P': ('ASCEND310P', 'DAV_2002'), '310B': ('ASCEND310B', 'DAV_3002'), '950': ('ASCEND910_95', 'DAV_3510')}
SOCS = ['ASCEND910', 'ASCEND910B', 'ASCEND910_93', 'ASCEND910_95', 'ASCEND910E', 'ASCEND310', 'ASCEND310P', 'ASCEND310B', 'ASCEND310C', 'ASCEND610LITE']
ARCHITECTURES = ['DAV_1001', 'DAV_2002', 'DAV_2201', 'DAV_3002', 'DAV_3102', 'DAV_3510']
SUCCESS, ERROR = 'ACLNN_SUCCESS', 'ACLNN_ERR'


class Type(str):
    """A data type by its short name. Assumed: that of an argument beside the first, which a call may give another."""
    assumed = False
    source = ''


def type_of(name, assumed=False, source=''):
    made = Type(name)
    made.assumed, made.source = assumed, source
    return made


class Constant(str):
    """The name of a constant, a chip or a format, or a string."""


class Unknown:
    """A value that is not known; given: true wherever it is asked for as a condition."""
    __slots__ = ('text', 'given')

    def __init__(self, text, given=False):
        self.text, self.given = text, given


class Tensor:
    __slots__ = ('name', 'type', 'optional', 'is_list')

    def __init__(self, name, type_name, optional=False, is_list=False):
        self.name, self.type, self.optional, self.is_list = name, type_name, optional, is_list

    def copy(self):
        return Tensor(self.name, self.type, self.optional, self.is_list)


class Thing:
    """An object that only its methods tell about: shape, platform, executor, scalar, search (found or not), end."""
    __slots__ = ('kind', 'about', 'value')

    def __init__(self, kind, about=None, value=None):
        self.kind, self.about, self.value = kind, about, value


class Tuple(list):
    pass


def shortened(text, longest=110):
    text = re.sub(r'static_cast\(([^()]*)\)', r'\1', re.sub(r'\s+', ' ', text))
    return text if len(text) <= longest else text[:longest - 2] + '..'


def without_not(text):
    """The inside of !(...), or None if the whole text is not that."""
    if not (text.startswith('!(') and text.endswith(')')):
        return None
    depth = 0
    for at, char in enumerate(text[1:], 1):
        depth += (char == '(') - (char == ')')
        if depth == 0:
            return text[2:-1] if at == len(text) - 1 else None
    return None


def words(value):
    if isinstance(value, Unknown):
        return value.text
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, Type):
        return 'dtype(%s)' % value.source if value.assumed and value.source else str(value)
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, Tensor):
        return value.name
    if value is None:
        return 'null'
    if isinstance(value, list):
        return '{%s}' % ' '.join(words(item) for item in value[:12])
    return 'obj'


def truth(value):
    """True, False, or None if it is not known."""
    if value is None:
        return False
    if isinstance(value, (bool, int, float)) and not isinstance(value, str):
        return bool(value)
    if isinstance(value, Unknown):
        return True if value.given else None
    if isinstance(value, Constant):
        return {'true': True, 'false': False}.get(value)
    if isinstance(value, Tensor):
        return None if value.optional else True
    return True


def as_condition(value):
    """A value whose truth is not known, as an Unknown."""
    if isinstance(value, Unknown):
        return value
    return Unknown('has(%s)' % value.name if isinstance(value, Tensor) else words(value))


def negated(value):
    known = truth(value)
    if known is not None:
        return not known
    text = as_condition(value).text
    inside = without_not(text)
    return Unknown(inside if inside is not None else '!(%s)' % text)


def bracketed(value):
    text = as_condition(value).text
    return '(%s)' % text if '||' in text or '&&' in text else text


def both(left, right):
    known = truth(left), truth(right)
    if False in known:
        return False
    if known == (True, True):
        return True
    if True in known:
        return as_condition(right if known[0] else left)
    return Unknown('%s && %s' % (bracketed(left), bracketed(right)))


def either(left, right):
    known = truth(left), truth(right)
    if True in known:
        return True
    if known == (False, False):
        return False
    if False in known:
        return as_condition(right if known[0] is False else left)
    return Unknown('%s || %s' % (bracketed(left), bracketed(right)))


def equal(left, right):
    """Whether two values are equal: a bool, or an Unknown with the words for it."""
    things = [value for value in (left, right) if isinstance(value, Thing)]
    if len(things) == 2:
        kinds = {thing.kind: thing for thing in things}
        if set(kinds) == {'search', 'end'}:
            return negated(kinds['search'].about)
        if set(kinds) == {'shape'}:
            return Unknown('shape(%s) == shape(%s)' % (left.about, right.about))
    if left is None or right is None:
        other = right if left is None else left
        if isinstance(other, Tensor) and other.optional:
            return Unknown('!(has(%s))' % other.name)
        return other is None
    if isinstance(left, Type) and isinstance(right, Type):
        return True if left == right else Unknown('%s == %s' % (words(left), words(right))) if left.assumed or right.assumed else False
    if isinstance(left, Constant) and isinstance(right, Constant):
        return left == right
    if isinstance(left, (Type, Constant)) and isinstance(right, (Type, Constant)) and 'UNDEFINED' in left + right:
        return False
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    if left is right or isinstance(left, Unknown) and isinstance(right, Unknown) and left.text == right.text:
        return True
    return Unknown('%s == %s' % (words(left), words(right)))


def member(type_name, types):
    """Whether a type is in a list of types."""
    if not isinstance(types, (list, dict)):
        return Unknown('dtype in %s' % words(types))
    listed = ' '.join(words(item) for item in types)
    if not isinstance(type_name, Type):
        return Unknown('%s in {%s}' % (words(type_name), listed))
    if type_name in [str(item) for item in types]:
        return True
    return Unknown('dtype(%s) in {%s}' % (type_name.source or '?', listed)) if type_name.assumed else False


def rank_of(type_name):
    return 3 if type_name in COMPLEX else 2 if type_name in FLOATING else 1 if type_name in INTEGRAL else 0


def can_cast(source, target):
    return rank_of(source) <= rank_of(target)


def promoted(left, right):
    if not (isinstance(left, Type) and isinstance(right, Type)):
        return left if isinstance(left, Type) else right
    if left == right:
        return right if left.assumed else left
    if left.assumed != right.assumed:
        return right if left.assumed else left
    ranks = rank_of(left), rank_of(right)
    if set(ranks) == {2, 3}:
        return type_of('complex128' if {'fp64', 'complex128'} & {left, right} else 'complex64')
    if ranks[0] != ranks[1]:
        return left if ranks[0] > ranks[1] else right
    if {left, right} == {'fp16', 'bf16'}:
        return type_of('fp32')
    return left if SIZES.get(left, 0) >= SIZES.get(right, 0) else right


def constant(name):
    """A name that the language or CANN defines, or None."""
    tail = name.split('::')[-1]
    short = TYPES.get(tail) or ACL_TYPES.get(tail)
    if short:
        return type_of(short)
    if tail in ('true', 'false'):
        return tail == 'true'
    if tail == 'ASCEND950':
        return Constant('ASCEND910_95')
    if tail == 'DT_UNDEFINED' or tail in SOCS or tail in ARCHITECTURES:
        return Constant(tail)
    if tail.startswith(SUCCESS) or tail in ('ACL_SUCCESS', 'GRAPH_SUCCESS'):
        return Constant(SUCCESS)
    if tail.startswith(ERROR):
        return Constant(ERROR)
    if tail.startswith('FORMAT_') or '::' in name and re.search(r'Format::|SocVersion|NpuArch', name):
        return Constant(tail)
    return None


def ordered(left, sign, right):
    """left < right and the like: a bool, or an Unknown."""
    for order in (SOCS, ARCHITECTURES):
        if isinstance(left, Constant) and isinstance(right, Constant) and left in order and right in order:
            left, right = order.index(left), order.index(right)
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return {'<': left < right, '>': left > right, '<=': left <= right, '>=': left >= right}[sign]
    return Unknown('%s %s %s' % (words(left), sign, words(right)))
