"""casts: the types of arguments that op-plugin casts before it calls a kernel, with the conditions on the type.

A cast counts where its operand is an argument of the operator, under another name or handed on to a function of the same file if need be,
and the types that decide are those of arguments: the others have the type of the one that is asked. Casts of results are left out."""
import functools
import re
from collections import defaultdict

from cann_facts.names import VERSIONS
from cann_facts.op_plugin import TYPE_WORDS, YAML, read_operators
from reader.syntax import Assign, Binary, Call, Choice, Constructor, ForEach, If, Member, Name, Unary, Variable, parse
from reader.text import arguments

HEADER = ['op', 'kernel', 'argument', 'dtypes', 'becomes', 'path', 'plugin', 'plugins']
PLUGINS = dict(zip(VERSIONS, ['7.2.0', '7.3.0', '26.0.0', '26.1.0']))
TYPES = ['fp32', 'fp16', 'bf16', 'fp64', 'int8', 'uint8', 'int16', 'int32', 'int64', 'bool']
WHOLE = {'int8', 'uint8', 'int16', 'int32', 'int64'}
FOLDERS = {'op_plugin/ops/aclops/': 'acl_op', 'op_plugin/utils/custom_functions/aclops/': 'acl_op', 'op_plugin/ops/opapi/': 'aclnn'}
FILES = r'^(%s|%s)' % ('|'.join(FOLDERS), re.escape(YAML))
CAST = re.compile(r'(.*::)?_?npu_dtype_cast$')
SAME = re.compile(r'(.*::)?(const_cast|value_or_else|format_contiguous|format_contiguous_add_copy_optimize|npu_format_cast)$')
SAME_METHODS = {'rename', 'value', 'value_or', 'contiguous', 'clone'}
DEEPEST = 4
GIVEN = 'dtype '


def type_named(value):
    """'fp32' for at::kFloat, at::ScalarType::Float and c10::kFloat."""
    word = value.name.split('::')[-1] if isinstance(value, Name) else ''
    return TYPE_WORDS.get(word.removeprefix('k'))


class Scope:
    """What the names in a function stand for."""

    def __init__(self, function):
        tensors = [p for p in function.parameters if 'Tensor' in p.type]
        self.inputs = [p.name for p in tensors if 'const' in p.type or '&' not in p.type or p.name == 'self']  # in place
        self.given = [p.name for p in function.parameters if 'ScalarType' in p.type]
        self.values = defaultdict(list)

    def note(self, name, value):
        if name and name not in self.inputs:
            self.values[name].append(value)

    def resolved(self, value, wanted, seen=()):
        """The first of wanted(expression), over the values that a name was given."""
        found = wanted(value)
        if found is None and isinstance(value, Choice):
            return self.resolved(value.yes, wanted, seen) or self.resolved(value.no, wanted, seen)
        if found is None and isinstance(value, Name) and value.name not in seen:
            for other in self.values.get(value.name, ()):
                found = found or self.resolved(other, wanted, (*seen, value.name))
        return found

    def argument(self, value):
        """The argument that an expression is, in the same type."""
        def same(value):
            if isinstance(value, Name):
                return value.name if value.name in self.inputs else None
            if isinstance(value, Constructor) and 'Tensor' in str(value.type) and len(value.arguments) == 1:
                return self.argument(value.arguments[0])
            if isinstance(value, Call) and isinstance(value.function, Member) and value.function.name in SAME_METHODS:
                return self.argument(value.function.base)
            if isinstance(value, Call) and isinstance(value.function, Name) and SAME.match(value.function.name) and value.arguments:
                return self.argument(value.arguments[0])
            return None
        return self.resolved(value, same)

    def type_asked(self, value):
        """The argument whose type an expression is: self.scalar_type(), self.dtype()."""
        def asked(value):
            if isinstance(value, Call) and isinstance(value.function, Member) and value.function.name in ('scalar_type', 'dtype'):
                return self.argument(value.function.base)
            return None
        return self.resolved(value, asked)

    def becomes(self, value, argument):
        """A type, the name of one that is given (behind GIVEN), or the argument whose type it is; None for anything else."""
        def given(value):
            if isinstance(value, Call) and isinstance(value.function, Member) and value.function.name in ('value', 'value_or'):
                value = value.function.base
            return GIVEN + value.name if isinstance(value, Name) and value.name in self.given else None
        other = type_named(value) or self.resolved(value, given) or self.type_asked(value)
        return None if other == argument else other

    def allowed(self, condition, holds):
        """The types of arguments with which a condition holds, or does not; all of them where it is about something else."""
        if isinstance(condition, Unary) and condition.sign == '!':
            return self.allowed(condition.value, not holds)
        if isinstance(condition, Name) and len(self.values.get(condition.name, ())) == 1:
            return self.allowed(self.values[condition.name][0], holds) if not isinstance(self.values[condition.name][0], Name) else set(TYPES)
        if isinstance(condition, Binary) and condition.sign in ('&&', '||'):
            sides = [self.allowed(side, holds) for side in (condition.left, condition.right)]
            return sides[0] & sides[1] if (condition.sign == '&&') == holds else sides[0] | sides[1]
        if isinstance(condition, Binary) and condition.sign in ('==', '!='):
            for asked, named in ((condition.left, condition.right), (condition.right, condition.left)):
                if type_named(named) and self.type_asked(asked):
                    return {type_named(named)} if (condition.sign == '==') == holds else set(TYPES) - {type_named(named)}
        if isinstance(condition, Call) and isinstance(condition.function, Name) and condition.function.name.endswith('isIntegralType'):
            if condition.arguments and self.type_asked(condition.arguments[0]):
                whole = WHOLE | ({'bool'} if getattr(condition.arguments[-1], 'name', '') == 'true' else set())
                return whole if holds else set(TYPES) - whole
        return set(TYPES)

    def types(self, conditions):
        return functools.reduce(set.__and__, (self.allowed(condition, holds) for condition, holds in conditions), set(TYPES))


class Reader:
    """The casts of one file's functions."""

    def __init__(self, source):
        self.functions = defaultdict(list)
        for function in parse(source).functions:
            self.functions[function.name.split('::')[-1]].append(function)

    def casts(self, function, before=()):
        """(argument, types, what they become, line) of what a function casts of its own arguments."""
        yield from self.walk(function.body, [], Scope(function), (*before, function))

    def walk(self, node, conditions, scope, functions):
        if isinstance(node, (If, Choice)):
            for part, more in ((node.condition, []), (node.yes, [(node.condition, True)]), (node.no, [(node.condition, False)])):
                if part is not None:
                    yield from self.walk(part, conditions + more, scope, functions)
            return
        for name in node.names if isinstance(node, ForEach) else ():
            scope.note(name, node.values)
        if isinstance(node, Call):
            yield from self.call(node, conditions, scope, functions)
        for item in node if isinstance(node, (list, tuple)) else ():
            yield from self.walk(item, conditions, scope, functions)
        if isinstance(node, Variable):
            scope.note(node.name, node.value)
        elif isinstance(node, Assign) and isinstance(node.target, Name):
            scope.note(node.target.name, node.value)

    def call(self, node, conditions, scope, functions):
        name = node.function.name if isinstance(node.function, (Name, Member)) else ''
        if isinstance(node.function, Name) and CAST.match(name) and len(node.arguments) == 2:
            yield from self.cast(*node.arguments, node.line, conditions, scope)
        elif isinstance(node.function, Member) and name == 'to' and len(node.arguments) == 1:
            yield from self.cast(node.function.base, node.arguments[0], node.line, conditions, scope)
        elif isinstance(node.function, Name) and len(functions) <= DEEPEST:
            for called in self.functions.get(name.split('::')[-1], ()):
                if called not in functions and len(called.parameters) == len(node.arguments):
                    yield from self.handed_on(called, node, conditions, scope, functions)

    def cast(self, value, to, line, conditions, scope):
        argument = scope.argument(value)
        becomes = argument and scope.becomes(to, argument)
        if becomes:
            yield argument, frozenset(scope.types(conditions) - {becomes}), becomes, line

    def handed_on(self, called, node, conditions, scope, functions):
        given = {p.name: scope.argument(a) for p, a in zip(called.parameters, node.arguments)}
        handed = {p.name: a for p, a in zip(called.parameters, node.arguments)}
        for argument, types, becomes, line in self.casts(called, functions):
            if becomes not in TYPES:
                asked = becomes.removeprefix(GIVEN)
                becomes = scope.becomes(handed[asked], given.get(argument)) if becomes.startswith(GIVEN) else given.get(asked)
            if given.get(argument) and becomes:
                yield given[argument], frozenset((types & scope.types(conditions)) - {becomes}), becomes, line


@functools.lru_cache(maxsize=None)
def casts_in(source):
    """[(function, the names of its arguments, [(argument, types, what they become, line)])] of a file."""
    reader = Reader(source)
    return [(name, [p.name for p in function.parameters], list(reader.casts(function)))
            for name, functions in reader.functions.items() for function in functions]


def schema_names(text):
    """{base: the names of its arguments} and {(base, how many): them in their order}, as they are in C++, too."""
    found, of_base = {}, defaultdict(set)
    for signature in re.findall(r'-\s*func:\s*(.*)$', text, re.M):
        read = re.match(r'([\w:]+)(?:\.\w+)?\((.*)\)\s*->', signature)
        if read:
            names = [re.sub(r'=.*', '', a).split()[-1] for a in arguments(read[2]) if a != '*']
            found.setdefault((read[1].split('::')[-1], len(names)), names)
            of_base[read[1].split('::')[-1]].update(names)
    return found, of_base


def kernel_of(path):
    return next((kernel for folder, kernel in FOLDERS.items() if path.startswith(folder)), None)


def casts_of(files):
    """{(op, kernel, argument, types, becomes): path and line} of op-plugin at one version."""
    bases = {operator.base for operator in read_operators(files[YAML])}
    (schemas, of_base), found = schema_names(files[YAML]), {}
    for path, source in files.items():
        if not kernel_of(path) or not ('dtype_cast' in source or '.to(' in source or '->to(' in source):
            continue
        for function, names, casts in casts_in(source):
            base = function if function in bases else function.removesuffix('_out')
            called = dict(zip(names, schemas.get((base, len(names)), ())))
            called.update((name, name) for name in names if name in of_base[base])
            for argument, types, becomes, line in casts if base in bases and not CAST.match(base.removesuffix('_backward')) else ():
                told = ' '.join(t for t in TYPES if t in types) if becomes in TYPES else ''
                if told or becomes not in TYPES:
                    named = 'dtype' if becomes.startswith(GIVEN) else called.get(becomes, becomes)
                    cast = (base, kernel_of(path), called.get(argument, argument), told, named)
                    found.setdefault(cast, '%s:%d' % (path, line))
    return found


def cast_rows(checkout):
    """One row for each cast, at the newest version that has it."""
    versions = {plugin: casts_of(checkout.files(plugin, FILES)) for plugin in PLUGINS.values() if checkout.resolve(plugin)}
    for cast in sorted({cast for casts in versions.values() for cast in casts}):
        there = [plugin for plugin, casts in versions.items() if cast in casts]
        yield (*cast, versions[there[-1]][cast], there[-1], ' '.join(there))
