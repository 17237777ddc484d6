"""Conditions of C++ about the arguments of an operator, as tests of npu/unit_conditions.tsv.

A condition is a list of alternatives, each a dictionary of facts that hold together: {("rank", "self"): Range(5, MOST), ...}. What a test
cannot state has no alternative, so a condition is true of no more calls than in the code; UNKNOWN has none at all."""
import re
from collections import namedtuple

from fact_text.arguments import joined
from fact_text.given import DTYPES
from reader.syntax import Binary, Block, Call, Choice, Constructor, Declare, Evaluate, If, Index, Jump, Member, Name, Number, Unary, Assign
from reader.types import COMPLEX, FLOATING, INTEGRAL, types_in

Argument = namedtuple('Argument', 'name kind')
Closure = namedtuple('Closure', 'value scope')
Range = namedtuple('Range', 'least most')

UNKNOWN, ALWAYS = [], [{}]
LEAST, MOST = -2**63, 2**63 - 1
MANY, DEEPEST, JOINED = 8, 3, 3
SAME = re.compile(r'(.*::)?(const_cast|value_or_else|format_contiguous|format_contiguous_add_copy_optimize|npu_format_cast|Tensor|static_cast)$')
SAME_METHODS = {'value', 'value_or', 'contiguous', 'clone', 'toTensor'}
OPPOSITE = {'==': '!=', '!=': '==', '<': '>=', '>=': '<', '>': '<=', '<=': '>'}
TURNED = {'==': '==', '!=': '!=', '<': '>', '>': '<', '<=': '>=', '>=': '<='}
# The first model of each family in the order of torch_npu's SocVersion.
CHIPS = [('910A', 100), ('310P', 200), ('910B', 220), ('310B', 240), ('910_93', 250), ('950', 260)]
MODELS = [(r'Ascend910(PremiumA|ProA|A|ProB|B)$', 100), (r'Ascend310P', 200), (r'Ascend910B\d', 220), (r'Ascend310B', 240), (r'Ascend910_9[34]', 250),
          (r'Ascend9(50|10_95)', 260)]
CHIP = 'chip', ''
UNSIGNED, TYPE_KINDS = {'rank', 'count', 'size'}, {'type', 'types'}
WHOLE = INTEGRAL | {'uint16', 'uint32', 'uint64'}
TYPE_QUESTIONS = {'isFloatingType': FLOATING | {'fp8'}, 'isComplexType': COMPLEX | {'complex32'}, 'isIntegralType': WHOLE}


# --- alternatives

def both(one, other):
    """The facts of two alternatives together, or None where they contradict each other."""
    found = dict(one)
    for key, value in other.items():
        known = found.get(key)
        if isinstance(value, Range) and known is not None:
            value = Range(max(known.least, value.least), min(known.most, value.most))
        elif isinstance(value, frozenset) and known is not None:
            value &= known
        elif known is not None and known != value:
            return None
        if value == frozenset() or isinstance(value, Range) and value.least > value.most:
            return None
        found[key] = value
    return found


def all_of(one, other):
    found = []
    for left in one:
        for right in other:
            together = both(left, right)
            if together is not None and together not in found:
                found.append(together)
    return found if len(found) <= MANY else UNKNOWN


def any_of(one, other):
    found = one + [right for right in other if right not in one]
    return found if len(found) <= MANY else UNKNOWN


def ranged(key, sign, number):
    least = 0 if key[0] in UNSIGNED else LEAST
    ranges = {'==': [(number, number)], '!=': [(least, number - 1), (number + 1, MOST)], '<': [(least, number - 1)], '<=': [(least, number)],
              '>': [(number + 1, MOST)], '>=': [(number, MOST)]}[sign]
    return [{key: Range(*one)} for one in ranges if one[0] <= one[1]]


# --- expressions

def type_names(value):
    return {'fp8' if name.startswith('fp8') else name for name in types_in(value.name)} if isinstance(value, Name) else set()


def whole_number(value):
    if isinstance(value, Unary) and value.sign == '-':
        inner = whole_number(value.value)
        return None if inner is None else -inner
    found = re.match(r'(0[xX][0-9a-fA-F]+|\d+)[uUlL]*$', value.text) if isinstance(value, Number) else None
    return int(found[1], 0) if found else None


class Scope:
    """What the names in a function stand for; one that is assigned again stands for nothing."""

    def __init__(self, names, constants, changed):
        self.names, self.constants, self.changed = names, constants, changed

    def look(self, name):
        if name in self.changed:
            return None
        if name in self.names:
            return self.names[name]
        value = getattr(self.constants.get(name.split('::')[-1]), 'value', None)
        return Closure(value, self) if value is not None else None

    def argument(self, value, depth=0):
        """The argument that an expression is, in the same shape and type."""
        found = None
        if depth > 2 * DEEPEST:
            return None
        if isinstance(value, Name):
            known = self.look(value.name)
            return known if isinstance(known, Argument) else known.scope.argument(known.value, depth + 1) if known else None
        if isinstance(value, Unary) and value.sign == '*':
            found = value.value
        elif isinstance(value, Choice):
            found = value.yes
        elif isinstance(value, Constructor) and len(value.arguments) == 1:
            found = value.arguments[0]
        elif isinstance(value, Call) and isinstance(value.function, Member) and value.function.name in SAME_METHODS:
            found = value.function.base
        elif isinstance(value, Call) and isinstance(value.function, Name) and SAME.match(value.function.name) and value.arguments:
            found = value.arguments[0]
        return self.argument(found, depth + 1) if found is not None else None

    def tensor(self, value):
        found = self.argument(value)
        return found.name if found and found.kind == 'tensor' else None

    def measured(self, value, depth=0):
        """What an expression measures: (kind, argument[, dimension]), a number, types, a chip; or None."""
        number = whole_number(value)
        if number is not None:
            return number
        if isinstance(value, Name):
            return self.measured_name(value, depth)
        if isinstance(value, Index):
            return self.size(value.base, value.index)
        if isinstance(value, Call) and isinstance(value.function, Member):
            return self.measured_method(value.function, value.arguments)
        if isinstance(value, Call) and isinstance(value.function, Name):
            if value.function.name.endswith('GetSocVersion'):
                return CHIP
            if value.function.name in ('static_cast', 'int64_t', 'size_t') and len(value.arguments) == 1 and depth < DEEPEST:
                return self.measured(value.arguments[0], depth + 1)
        found = self.argument(value)
        return ('value', found.name) if found and found.kind in ('int', 'bool') else None

    def measured_name(self, value, depth):
        chip = next((first for pattern, first in MODELS if re.match(pattern, value.name.split('::')[-1])), None)
        if chip:
            return 'model', chip
        if type_names(value):
            return frozenset(type_names(value))
        known = self.look(value.name)
        if isinstance(known, Closure) and depth < DEEPEST:
            return known.scope.measured(known.value, depth + 1)
        return ('value', known.name) if isinstance(known, Argument) and known.kind in ('int', 'bool') else None

    def measured_method(self, method, arguments):
        tensor = self.tensor(method.base)
        if method.name == 'size' and not arguments and isinstance(method.base, Call) and isinstance(method.base.function, Member):
            inner = method.base.function
            tensor = self.tensor(inner.base) if inner.name == 'sizes' else None
            return ('rank', tensor) if tensor else None
        if not tensor:
            return None
        if method.name in ('dim', 'ndimension'):
            return 'rank', tensor
        if method.name == 'size' and len(arguments) == 1:
            number = self.measured(arguments[0])
            return ('size', tensor, number) if isinstance(number, int) else None
        return {'numel': ('count', tensor), 'scalar_type': ('type', tensor), 'dtype': ('type', tensor), 'sizes': ('shape', tensor)}.get(method.name)

    def size(self, base, index):
        sizes = base.function if isinstance(base, Call) and isinstance(base.function, Member) and base.function.name == 'sizes' else None
        tensor = self.tensor(sizes.base) if sizes else None
        number = self.measured(index) if tensor else None
        return ('size', tensor, number) if isinstance(number, int) else None

    # --- conditions

    def holds(self, value, wanted=True, depth=0):
        """The alternatives in which a condition holds, or does not."""
        if isinstance(value, Unary) and value.sign == '!':
            return self.holds(value.value, not wanted, depth)
        if isinstance(value, Binary) and value.sign in ('&&', '||'):
            sides = [self.holds(side, wanted, depth) for side in (value.left, value.right)]
            return all_of(*sides) if (value.sign == '&&') == wanted else any_of(*sides)
        if isinstance(value, Binary) and value.sign in OPPOSITE:
            return self.compared(value, value.sign if wanted else OPPOSITE[value.sign])
        if isinstance(value, Name):
            return self.named(value, wanted, depth)
        if isinstance(value, Call):
            return self.asked(value, wanted)
        return UNKNOWN

    def named(self, value, wanted, depth):
        if value.name in ('true', 'false'):
            return ALWAYS if (value.name == 'true') == wanted else UNKNOWN
        known = self.look(value.name)
        if isinstance(known, Closure) and depth < DEEPEST:
            return known.scope.holds(known.value, wanted, depth + 1)
        return [{('true', known.name): wanted}] if isinstance(known, Argument) and known.kind == 'bool' else UNKNOWN

    def asked(self, call, wanted):
        """x.has_value(), isFloatingType(x.scalar_type())."""
        if isinstance(call.function, Member):
            given = self.argument(call.function.base) if call.function.name in ('has_value', 'defined') else None
            return [{('given', given.name): wanted}] if given else UNKNOWN
        question = call.function.name.split('::')[-1] if isinstance(call.function, Name) else ''
        measured = self.measured(call.arguments[0]) if question in TYPE_QUESTIONS and call.arguments else None
        if not isinstance(measured, tuple) or measured[0] != 'type':
            return UNKNOWN
        types = TYPE_QUESTIONS[question] | ({'bool'} if getattr(call.arguments[-1], 'name', '') == 'true' else set())
        return self.typed(measured, types, wanted)

    @staticmethod
    def typed(key, types, wanted):
        return [{key: frozenset(types if wanted else set(DTYPES).difference(types))}]

    def compared(self, value, sign):
        left, right = self.measured(value.left), self.measured(value.right)
        if isinstance(left, (int, frozenset)) or left and left[0] == 'model':
            left, right, sign = right, left, TURNED[sign]
        if not isinstance(left, tuple) or right is None:
            return self.truth(value, sign)
        if left == CHIP:
            return self.on_chips(right, sign)
        if left[0] == 'type' and isinstance(right, frozenset) and sign in ('==', '!='):
            return self.typed(left, right, sign == '==')
        if isinstance(right, int) and left[0] in ('rank', 'count', 'size', 'value'):
            return ranged(left, sign, right)
        pair = {'type': 'types', 'shape': 'differs'}.get(left[0])
        if pair and isinstance(right, tuple) and right[0] == left[0] and right[1] != left[1] and sign == '!=':
            return [{(pair, *sorted((left[1], right[1]))): True}]
        return UNKNOWN

    def truth(self, value, sign):
        """flag == true"""
        other = next((side for side in (value.left, value.right) if isinstance(side, Name) and side.name in ('true', 'false')), None)
        if other is None or sign not in ('==', '!='):
            return UNKNOWN
        return self.holds(value.right if other is value.left else value.left, (other.name == 'true') == (sign == '=='))

    @staticmethod
    def on_chips(right, sign):
        if not isinstance(right, tuple) or right[0] != 'model':
            return UNKNOWN
        model = right[1]
        chips = frozenset(name for name, first in CHIPS if {'<': first < model, '<=': first < model, '>': first > model, '>=': first >= model,
                                                            '==': False, '!=': first != model}[sign])
        return [{CHIP: chips}] if chips else UNKNOWN


# --- statements

def parts(node):
    """Every node below one, without lambdas' bodies being told apart."""
    if isinstance(node, (list, tuple)):
        yield node
        for item in node:
            yield from parts(item)


def leaves(node):
    """Whether a statement always leaves the function."""
    if isinstance(node, Block):
        return any(leaves(item) for item in node.statements)
    return isinstance(node, Jump) and node.word == 'return' or isinstance(node, If) and node.no is not None and leaves(node.yes) and leaves(node.no)


def may_leave(node):
    return any(isinstance(part, Jump) and part.word == 'return' for part in parts(node))


def changed_names(body):
    return {part.target.name for part in parts(body) if isinstance(part, Assign) and isinstance(part.target, Name)}


class Reader:
    """The checks on the way through a kernel of an operator: found is [(alternatives that are refused, path, line)]."""

    def __init__(self, plugin, function, operator):
        self.plugin, self.found, self.inside = plugin, [], []
        given = zip(function.parameters, operator.arguments, operator.kinds)
        self.enter(function, {parameter.name: Argument(name, kind) for parameter, name, kind in given}, ALWAYS)

    def enter(self, function, names, way):
        if function in self.inside or len(self.inside) > DEEPEST:
            return
        self.inside.append(function)
        self.walk(function.body, Scope(names, function.constants, changed_names(function.body)), way)
        self.inside.pop()

    def walk(self, node, scope, way):
        """Returns the alternatives in which what follows is reached."""
        if not way:
            return way
        if isinstance(node, Block):
            for item in node.statements:
                way = self.walk(item, scope, way)
            return way
        if isinstance(node, If):
            return self.branch(node, scope, way)
        if isinstance(node, Declare):
            for variable in node.variables:
                self.calls(variable.value, scope, way)
                if variable.value is not None:
                    scope.names[variable.name] = Closure(variable.value, scope)
            return way
        if isinstance(node, (Evaluate, Jump)):
            self.calls(node.value, scope, way)
            return UNKNOWN if leaves(node) else way
        return UNKNOWN if may_leave(node) else way

    def branch(self, node, scope, way):
        yes, no = (all_of(way, scope.holds(node.condition, wanted)) for wanted in (True, False))
        after = self.walk(node.yes, scope, yes), self.walk(node.no, scope, no) if node.no is not None else no
        if leaves(node.yes):
            return after[1]
        if node.no is not None and leaves(node.no):
            return after[0]
        return UNKNOWN if may_leave(node.yes) or may_leave(node.no) else way

    def calls(self, value, scope, way):
        """Note a check, and follow the functions of the file that a value calls; a choice may call either."""
        if not isinstance(value, Call) or not isinstance(value.function, Name):
            return
        name, given = value.function.name, value.arguments
        function = self.inside[-1]
        if name == 'TORCH_CHECK' and given:
            if function.built(value.line, self.plugin.torch):
                self.found.append((all_of(way, scope.holds(given[0], False)), function.path, value.line))
            return
        for called in self.plugin.called(function, name, len(given)):
            names = {parameter.name: scope.argument(argument) or Closure(argument, scope) for parameter, argument in zip(called.parameters, given)}
            self.enter(called, names, way)


# --- tests and words

# What stands before sign and number in a test, and the words for more, for less and for another number.
NUMBERS = {
    'rank': ('rank:%s', ('%s has more than %d dimensions', '%s 超过 %d 维'), ('%s has fewer than %d dimensions', '%s 少于 %d 维'),
             ('%s does not have %s dimensions', '%s 不是 %s 维')),
    'count': ('count:%s', ('%s has more than %d elements', '%s 超过 %d 个元素'), ('%s has fewer than %d elements', '%s 少于 %d 个元素'),
              ('%s does not have %s elements', '%s 不是 %s 个元素')),
    'value': ('value:%s', ('%s is larger than %d', '%s 大于 %d'), ('%s is smaller than %d', '%s 小于 %d'), ('%s is not %s', '%s 不是 %s')),
    'size': ('length:%s', ('%s is longer than %d', '%s 长于 %d'), ('%s is shorter than %d', '%s 短于 %d'),
             ('%s is not %s long', '%s 长度不是 %s')),
}
FLAGS = {('given', True): ('given:%s', '%s is given', '给出了 %s'), ('given', False): ('missing:%s', '%s is not given', '未给出 %s'),
         ('true', True): ('true:%s', '%s is True', '%s 为 True'), ('true', False): ('false:%s', '%s is False', '%s 为 False')}
PAIRS = {'types': ('types:%s,%s', '%s and %s differ in type', '%s 与 %s 的类型不同'),
         'differs': ('differs:%s,%s', '%s and %s differ in shape', '%s 与 %s 的形状不同')}


def called(key):
    """An argument in a test, in English, in Chinese: a dimension of it, or itself."""
    if key[0] != 'size':
        return (key[1],) * 3
    if key[2] == -1:
        return '%s@-1' % key[1], 'the last dimension of ' + key[1], key[1] + ' 的最后一维'
    return '%s@%d' % key[1:], 'dimension %d of %s' % key[:0:-1], '%s 的第 %d 维' % key[1:]


def number_facts(key, value):
    """The ends of a range."""
    test, more, less, _ = NUMBERS[key[0]]
    name, en, zh = called(key)
    if value.least > (0 if key[0] in UNSIGNED else LEAST):
        yield '%s>%d' % (test % name, value.least - 1), more[0] % (en, value.least - 1), more[1] % (zh, value.least - 1)
    if value.most < MOST:
        yield '%s<%d' % (test % name, value.most + 1), less[0] % (en, value.most + 1), less[1] % (zh, value.most + 1)


def facts_of(key, value):
    """(test, English, Chinese) of what holds."""
    kind, name = key[:2]
    if kind in NUMBERS:
        return list(number_facts(key, value))
    if kind == 'type':
        taken = [one for one in DTYPES if one not in value]
        return [('takes:%s,%s' % (name, ','.join(taken)), '%s has another type than %s' % (name, ', '.join(taken)),
                 '%s 的类型不是 %s' % (name, '、'.join(taken)))]
    texts = PAIRS.get(kind) or FLAGS[kind, value]
    return [tuple(text % key[1:] for text in texts)]


def outside(alternatives):
    """(key, least, most) where two alternatives leave a number inside of them: fewer than 3, or more than 4."""
    if len(alternatives) != 2 or any(len(one) != 1 for one in alternatives):
        return None
    (key, less), (other, more) = (next(iter(one.items())) for one in alternatives)
    if key != other or key[0] not in NUMBERS or less.most >= more.least:
        return None
    return (key, less.most + 1, more.least - 1) if more.most == MOST and less.least == (0 if key[0] in UNSIGNED else LEAST) else None


def said(alternatives):
    """(test, English, Chinese) of alternatives that are about arguments and short enough; the test is empty where none is."""
    facts = [[fact for key in sorted(one, key=str) for fact in facts_of(key, one[key])] for one in alternatives]
    facts = [one for one in facts if 0 < len(one) <= JOINED]
    test = ' '.join(sorted('&'.join(fact[0] for fact in one) for one in facts))
    left = outside(alternatives)
    if left and facts:
        (key, least, most), words = left, NUMBERS[left[0][0]][3]
        _, en, zh = called(key)
        return (test, words[0] % (en, least if least == most else '%d to %d' % (least, most)),
                words[1] % (zh, least if least == most else '%d 至 %d' % (least, most)))
    return (test, joined(['%s' % ' and '.join(fact[1] for fact in one) for one in facts], ' or ') if facts else '',
            joined(['，且 '.join(fact[2] for fact in one) for one in facts], ' 或 ', '、') if facts else '')
