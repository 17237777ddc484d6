"""Evaluates expressions of op_api functions: names, operators, members. Calls are evaluated by calls.py."""
import re

from cann_facts.values import (Constant, Tensor, Thing, Tuple, Type, Unknown, as_condition, both, constant, either, equal, negated, ordered, truth, words)
from reader.syntax import (Assign, Binary, Braces, Call, Choice, Constructor, Index, Jump, Lambda, Member, Name, Number, Opaque, String, Unary,
                           shown)

SCALAR_TYPE = re.compile(r'(u?int\d*(_t)?|int|bool|size_t|float|double)$')
ARITHMETIC = {'+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b, '%': lambda a, b: a % b, '<<': lambda a, b: a << b,
              '&': lambda a, b: a & b, '|': lambda a, b: a | b, '/': lambda a, b: a // b if isinstance(a, int) and isinstance(b, int) else a / b}


def worded(value, node):
    """The words for a value; for an object without words those of its expression."""
    return shown(node) if isinstance(value, (Thing, dict, Lambda)) else words(value)


def is_number(value):
    return isinstance(value, (int, float))


class Expressions:
    def evaluate(self, node, scope):
        self.spend()
        return self.EXPRESSIONS[type(node)](self, node, scope)

    def name_value(self, node, scope):
        name, tail = node.name, node.name.split('::')[-1]
        if name in scope:
            return scope[name]
        if tail in ('nullptr', 'NULL'):
            return None
        known = constant(name)
        if known is not None:
            return known
        if tail in scope:
            return scope[tail]
        place = self.library.variable(tail, self.path)
        return Unknown(tail) if place is None else self.constant_value(tail, place)

    def constant_value(self, name, place):
        """The value of a constant of a file; it is kept."""
        key = place.path, name
        if key in self.library.constants:
            return self.library.constants[key]
        self.library.constants[key] = Unknown(name)
        variable = place.variable
        if variable.value is not None:
            self.routines.append(self.routines[-1]._replace(path=place.path))
            try:
                value = variable.value
                if isinstance(value, Constructor):
                    made = self.evaluate(value.arguments[0], {}) if value.arguments else Unknown(name)
                else:
                    made = self.evaluate(value, {})
            finally:
                self.routines.pop()
            if re.search(r'\bmap\b|unordered_map', variable.type) and isinstance(made, list):
                made = {words(pair[0]): pair[1] for pair in made if isinstance(pair, list) and len(pair) == 2}
            elif isinstance(made, list) and len(made) == 1 and SCALAR_TYPE.match(variable.type):
                made = made[0]
            self.library.constants[key] = made
        return self.library.constants[key]

    def number_value(self, node, scope):
        hexadecimal = node.text.lower().startswith('0x')
        text = node.text.rstrip('uUlL') if hexadecimal else re.sub(r'[uUlLfF]+$', '', node.text)
        try:
            return int(text, 0) if hexadecimal or not re.search(r'[.eE]', text) else float(text)
        except ValueError:
            return Unknown(node.text)

    def string_value(self, node, scope):
        return Constant(node.text.strip('"\''))

    def binary_value(self, node, scope):
        sign, left = node.sign, self.evaluate(node.left, scope)
        if sign == '&&':
            return False if truth(left) is False else both(left, self.evaluate(node.right, scope))
        if sign == '||':
            return True if truth(left) is True else either(left, self.evaluate(node.right, scope))
        right = self.evaluate(node.right, scope)
        if sign in ('==', '!='):
            same = equal(left, right)
            return same if sign == '==' else negated(same)
        if sign in ('<', '>', '<=', '>='):
            if isinstance(left, Thing) or isinstance(right, Thing):
                return Unknown('%s %s %s' % (worded(left, node.left), sign, worded(right, node.right)))
            return ordered(left, sign, right)
        if is_number(left) and is_number(right) and sign in ARITHMETIC:
            try:
                return ARITHMETIC[sign](left, right)
            except (TypeError, ZeroDivisionError, ValueError, OverflowError):
                pass
        elif sign in '|&' and (isinstance(left, bool) or isinstance(right, bool)):
            return (either if sign == '|' else both)(left, right)
        return Unknown('%s %s %s' % (worded(left, node.left), sign, worded(right, node.right)))

    def unary_value(self, node, scope):
        value = self.evaluate(node.value, scope)
        if node.sign == '!':
            return negated(value)
        if node.sign in ('*', '&', '+', '++', '--'):
            return value
        if node.sign == '-' and is_number(value) and not isinstance(value, bool):
            return -value
        return Unknown(node.sign + words(value))

    def choice_value(self, node, scope):
        condition = self.evaluate(node.condition, scope)
        known = truth(condition)
        if known is not None:
            return self.evaluate(node.yes if known else node.no, scope)
        yes, no = self.evaluate(node.yes, scope), self.evaluate(node.no, scope)
        if isinstance(yes, Type) and isinstance(no, Type) and yes == no:
            return yes
        if isinstance(yes, (Type, Tensor, list)) or isinstance(no, (Type, Tensor, list)):
            return yes if self.decide(as_condition(condition)) else no
        wrapped = re.match(r'(\w+) (<|>=|>|<=) 0$', words(condition))  # dim < 0 ? dim + rank : dim
        for value in (yes, no):
            if wrapped and isinstance(value, Unknown) and value.text == wrapped[1]:
                return value
        if isinstance(yes, Unknown) and isinstance(no, Unknown) and yes.text == no.text:
            return yes
        if yes is True and no is False:
            return as_condition(condition)
        if yes is False and no is True:
            return negated(condition)
        return Unknown('%s ? %s : %s' % (words(condition), words(yes), words(no)))

    def assigned_value(self, node, scope):
        value = self.evaluate(node.value, scope)
        if node.sign != '=':
            before = self.evaluate(node.target, scope)
            if is_number(before) and is_number(value) and node.sign in ('+=', '-=', '*='):
                value = ARITHMETIC[node.sign[0]](before, value)
            elif node.sign in ('&=', '|='):
                value = (both if node.sign == '&=' else either)(before, value)
            else:
                value = Unknown(shown(node.target))
        self.assign(node.target, value, scope)
        return value

    def assign(self, target, value, scope):
        if isinstance(target, Unary) and target.sign == '*':
            target = target.value
        if isinstance(target, Name):
            scope[target.name] = value
        elif isinstance(target, Member):
            base = self.evaluate(target.base, scope)
            if isinstance(base, dict):
                base[target.name] = value
            elif isinstance(target.base, Name) and isinstance(base, Unknown):
                scope[target.base.name] = {target.name: value}

    def braces_value(self, node, scope):
        return [self.evaluate(item, scope) for item in node.items]

    def index_value(self, node, scope):
        base, index = self.evaluate(node.base, scope), self.evaluate(node.index, scope)
        if isinstance(base, list) and isinstance(index, int) and 0 <= index < len(base):
            return base[index]
        if isinstance(base, dict):
            return base.get(words(index), Unknown('%s[%s]' % (shown(node.base), words(index))))
        if isinstance(base, Tensor):
            return Tensor('%s[%s]' % (base.name, words(index)) if base.is_list else base.name, base.type)
        if isinstance(base, Thing) and base.kind == 'shape':
            return Unknown('size(%s,%s)' % (base.about, words(index)))
        return Unknown('%s[%s]' % (worded(base, node.base), words(index)))

    def member_value(self, node, scope):
        base = self.evaluate(node.base, scope)
        if isinstance(base, Thing) and base.kind == 'search' and node.name == 'second' and base.value is not None:
            return base.value
        if isinstance(base, dict) and node.name in base:
            return base[node.name]
        if isinstance(base, list) and node.name in ('first', 'second') and base:
            return base[0 if node.name == 'first' else -1]
        return Unknown('%s.%s' % (worded(base, node.base), node.name))

    def itself(self, node, scope):
        return node

    def jump_value(self, node, scope):
        return self.execute_jump(node, scope)

    def call_value(self, node, scope):
        return self.call(node, scope)

    def opaque_value(self, node, scope):
        return Unknown(node.text)

    EXPRESSIONS = {Name: name_value, Number: number_value, String: string_value, Binary: binary_value, Unary: unary_value, Choice: choice_value,
                   Assign: assigned_value, Braces: braces_value, Index: index_value, Member: member_value, Call: call_value, Lambda: itself,
                   Jump: jump_value, Opaque: opaque_value}


def tuple_of(values):
    return values[0] if len(values) == 1 and isinstance(values[0], Tuple) else Tuple(values)
