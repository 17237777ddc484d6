"""aten_aclnn: the aclnn calls that an ATen operator reaches in op-plugin, through the interfaces that its yaml generates and through
the EXEC_NPU_CMD calls of its C++, with the conditions on the way."""
import re
import sys
from collections import defaultdict, namedtuple

from reader.syntax import Call, Choice, If, Member, Name, parse, shown
from reader.text import arguments

HEADER = ['op', 'aclnn', 'condition', 'source', 'release']
RELEASES = ['7.1.0', '7.3.0', '26.1.0']
YAML = 'op_plugin/config/op_plugin_functions.yaml'
DEEPEST = 6
IN_PLACE = set('copy_ resize_ fill_ zero_ set_ squeeze_ unsqueeze_ transpose_ t_ resize_as_ requires_grad_ detach_ unsafe_'.split())
NO_STEP = set('empty zeros ones scalar_tensor empty_like zeros_like result_type arange tensor full ones_like copy cat stack infer_size linear'
              ' tensor_split native where'.split())
# the kind of an argument: by the name in a schema, by the type in C++; the first that matches
SCHEMA_KINDS = [(r'Tensor\??\[', 'tensors'), (r'Tensor', 'tensor'), (r'(Sym)?[iI]nt\[', 'ints'), (r'(int|SymInt)$', 'int'), (r'Scalar\[', 'scalars'),
                (r'Scalar$', 'scalar'), (r'float\[', 'floats'), (r'float$', 'float'), (r'bool$', 'bool'), (r'bool\[', 'bools'), (r'str$', 'str'),
                (r'ScalarType$', 'type'), (r'Generator$', 'generator'), (r'Dimname\[|Dimname.*\[', 'names'), (r'Dimname', 'name')]
CODE_KINDS = [(r'TensorList|ITensorListRef|List<.*Tensor|Tensor.*List<|vector<at::Tensor|ArrayRef<at::Tensor', 'tensors'), (r'Tensor', 'tensor'),
              (r'IntArrayRef|ArrayRef<int|ArrayRef<c10::SymInt', 'ints'), (r'ScalarType', 'type'), (r'ArrayRef<at::Scalar', 'scalars'),
              (r'Scalar', 'scalar'), (r'ArrayRef<double', 'floats'), (r'array<bool', 'bools'), (r'bool', 'bool'), (r'double|float', 'float'),
              (r'int64_t|SymInt', 'int'), (r'string', 'str'), (r'Generator', 'generator'), (r'DimnameList', 'names'), (r'Dimname', 'name')]
TYPE_WORDS = {'Int': 'int32', 'Long': 'int64', 'Float': 'fp32', 'Double': 'fp64', 'Half': 'fp16', 'BFloat16': 'bf16', 'Bool': 'bool', 'Byte': 'uint8',
              'Char': 'int8', 'Short': 'int16'}
WORDS = [('GetSocVersion()', 'soc'), ('scalar_type()', 'dtype'), ('.dtype()', '.dtype'), ('.value()', ''), ('.has_value()', ' given'),
         ('.defined()', ' given'), (' && ', ' & '), (' || ', ' | ')]
NAMESPACES = re.compile(r'c10_npu::|at_npu::native::|op_plugin::|at::|c10::|npu_preparation::|utils::|SocVersion::')
LONGEST_PART, LONGEST = 90, 180

Operator = namedtuple('Operator', 'line interface interface_line has_op_api inherits name base kinds is_out arguments')
# kind: exec (an aclnn), method (at::Tensor method in place), call (a function by its name)
Event = namedtuple('Event', 'kind name conditions line count')
Reached = namedtuple('Reached', 'name conditions path line')


def kind_of(kinds, text):
    return next((kind for pattern, kind in kinds if re.search(pattern, text)), 'other')


def schema_kind(declared):
    return next((kind for pattern, kind in SCHEMA_KINDS if re.match(pattern, declared.rstrip('?'))), 'other')


def read_signature(signature):
    """(name with overload, base name, kinds of the arguments with the outputs last, whether outputs are given, names of the arguments), or None."""
    found = re.match(r'([\w:]+)(?:\.(\w+))?\((.*)\)\s*->\s*(.*)$', signature)
    if not found:
        return None
    base = found[1].split('::')[-1]
    given, outs, keywords = [], [], False
    for argument in arguments(found[3]):
        if argument == '*':
            keywords = True
            continue
        declared, name = re.sub(r'\(\w+!?( -> \w+)?\)', '', argument.split('=')[0].strip()).rsplit(' ', 1)
        is_out = keywords and re.search(r'\(\w!\)', argument)
        (outs if is_out else given).append((schema_kind(declared), name))
    kinds, names = ([one[part] for one in given + outs] for part in (0, 1))
    return base + ('.' + found[2] if found[2] else ''), base, kinds, bool(outs), names


def read_operators(text):
    """The operators of op_plugin_functions.yaml in their order."""
    found, fields = [], None

    def close():
        signature = read_signature(fields['func']) if fields else None
        if signature:
            name, base, kinds, is_out, names = signature
            has_op_api = 'op_api' in fields or 'op_api' in fields.get('impl_ns', '')
            found.append(Operator(fields['line'], fields.get('exec'), fields.get('exec line'), has_op_api, fields.get('structured_inherit'),
                                  name, base, kinds, is_out, names))

    for number, line in enumerate(text.split('\n'), 1):
        entry = re.match(r'\s*-\s*func:\s*(.*)$', line)
        field = re.match(r'\s+(exec|op_api|impl_ns|structured_inherit):\s*(.*)$', line)
        if entry:
            close()
            fields = {'func': entry[1].strip(), 'line': number}
        elif field and fields:
            fields[field[1]] = field[2].strip()
            fields[field[1] + ' line'] = number
    close()
    return found


def events(node, conditions, found):
    """The calls of a function in their order, each with the conditions of ifs and ?: around it."""
    if isinstance(node, list):
        for item in node:
            events(item, conditions, found)
    elif isinstance(node, (If, Choice)):
        events(node.condition, conditions, found)
        events(node.yes, conditions + [shown(node.condition)], found)
        if node.no is not None:
            events(node.no, conditions + ['!(%s)' % shown(node.condition)], found)
    elif isinstance(node, Call) and isinstance(node.function, Name):
        name, given = node.function.name, node.arguments
        if re.match(r'EXEC_\w*NPU\w*CMD\w*$', name) and given:
            found.append(Event('exec', shown(given[0]), conditions, node.line, 0))
        else:
            found.append(Event('call', name, conditions, node.line, len(given)))
        events(given, conditions, found)
    elif isinstance(node, tuple):
        if isinstance(node, Call) and isinstance(node.function, Member):
            found.append(Event('method', node.function.name, conditions, node.line, len(node.arguments)))
        for item in node:
            events(item, conditions, found)


def version_regions(source):
    """(first line, last line, words) of #if VERSION_BETWEEN(...): both branches of every #if are read."""
    found, open_ifs = [], []
    for number, line in enumerate(source.split('\n'), 1):
        directive = re.match(r'\s*#\s*(if|endif)\w*\b(.*)', line)
        if directive and directive[1] == 'if':
            open_ifs.append((number, directive[2]))
        elif directive and open_ifs:
            first, condition = open_ifs.pop()
            between = re.search(r'VERSION_BETWEEN\((\w+),\s*(\w+)\)', condition)
            if between:
                found.append((first, number, 'torch %s..%s' % (torch_version(between[1]), torch_version(between[2]))))
    return found


def torch_version(name):
    version = re.match(r'V(\d)R(\d+)', name)
    return '%s.%s' % version.groups() if version else 'newest'


def condition_words(conditions):
    found = []
    for text in conditions:
        text = NAMESPACES.sub('', text)
        for code, said in WORDS:
            text = text.replace(code, said)
        text = re.sub(r'\bk(%s)\b' % '|'.join(TYPE_WORDS), lambda m: TYPE_WORDS[m[1]], text)
        text = re.sub(r'\s*(==|!=|<=|>=)\s*', r'\1', text)
        found.append(text if len(text) <= LONGEST_PART else text[:LONGEST_PART - 2] + '..')
    return ' & '.join(found)[:LONGEST].replace('"', '')


class CodeFunction:
    def __init__(self, function, path, regions):
        self.name, self.path, self.line, self.namespace = function.name.split('::')[-1], path, function.line, function.namespace
        self.parameters = function.parameters
        self.kinds = [kind_of(CODE_KINDS, parameter.type.replace(' ', '')) for parameter in function.parameters]
        self.needed = sum(1 for parameter in function.parameters if parameter.default is None)
        self.regions = regions
        self.events = []
        events(function.body, [], self.events)

    def versions(self, line):
        return [said for first, last, said in self.regions if first < line < last]


class Plugin:
    """op-plugin at one release."""

    def __init__(self, release, files):
        self.release, self.functions = release, defaultdict(list)
        self.operators = read_operators(files[YAML])
        self.by_name = {operator.name: operator for operator in self.operators}
        for path, source in files.items():
            if path.endswith('.cpp'):
                unit, regions = parse(source), version_regions(source)
                for function in unit.functions:
                    read = CodeFunction(function, path, regions)
                    self.functions[read.name].append(read)
                for name, problem in unit.errors:
                    print('%s@%s: %s not read: %s' % (path, release, name or 'a declaration', problem), file=sys.stderr)

    def targets(self, function, event):
        """The functions of op-plugin that a call may mean."""
        scope, _, name = event.name.rpartition('::')
        there = self.functions.get(name, [])
        if scope and not event.name.startswith(('op_api::', 'op_infer', 'op_plugin::')) and not any(f.namespace.endswith(scope) for f in there):
            return []
        near = [f for f in there if f.path == function.path]
        if event.name.startswith('op_api::') or (not near and event.name.startswith('op_plugin::')):
            near = there
        fitting = [f for f in near if f.needed <= event.count <= len(f.parameters)]
        return [f for f in (fitting or near)[:DEEPEST] if f is not function]

    def reached(self, function, before=()):
        """Every aclnn and every at:: operator that a function reaches."""
        if function in before or len(before) > DEEPEST:
            return
        for event in function.events:
            conditions = function.versions(event.line) + event.conditions
            if event.kind == 'exec':
                if event.name.startswith('acl'):
                    yield Reached(event.name, conditions, function.path, event.line)
            elif event.kind == 'method':
                if re.match(r'[a-z]\w*_$', event.name) and event.name not in IN_PLACE:
                    yield Reached('at::' + event.name, conditions, function.path, event.line)
            elif re.match(r'at::\w+$', event.name):
                yield Reached(event.name, conditions, function.path, event.line)
            elif not event.name.startswith(('acl_op::', 'std::', 'at::')) or event.name.count('::') > 1 and event.name.startswith('at::'):
                for target in self.targets(function, event):
                    for found in self.reached(target, (*before, function)):
                        yield found._replace(conditions=conditions + found.conditions)

    def implementations(self, operator):
        """The C++ functions whose parameters fit the schema best."""
        fitting = defaultdict(list)
        for function in self.functions.get(operator.base + ('_out' if operator.is_out else ''), []):
            if 'op_api' in function.namespace and len(function.kinds) == len(operator.kinds):
                fitting[sum(a == b for a, b in zip(function.kinds, operator.kinds))].append(function)
        return fitting[max(fitting)] if fitting else []

    def calls_of(self, operator):
        source = operator if operator.interface else self.by_name.get(operator.inherits)
        if source is not None and source.interface:
            return [Reached(source.interface.split(',')[0].strip(), [], YAML, source.interface_line)]
        return [found._replace(conditions=list(dict.fromkeys(function.versions(function.line) + found.conditions)))
                for function in self.implementations(operator) for found in self.reached(function)]

    def rows(self):
        entries = [(operator.name, self.calls_of(operator)) for operator in self.operators if operator.has_op_api]
        calls = dict(entries)  # where an operator has an entry for each version of PyTorch, the newest is followed through others
        for op, found in entries:
            for call in found:
                condition, place = condition_words(call.conditions), '%s:%d' % (call.path, call.line)
                if not call.name.startswith('at::'):
                    yield self.row(op, call.name, condition, place)
                for aclnn in self.through(calls, call.name[4:]) if call.name.startswith('at::') and found is calls[op] else ():
                    yield self.row(op, aclnn, 'via aten::%s' % call.name[4:] + (' & ' + condition if condition else ''), place)

    def through(self, calls, name):
        """The aclnn of another operator that is called by its name, one step on."""
        if name in NO_STEP:
            return []
        reached = {call.name for op, found in calls.items() if op.split('.')[0] == name or op.split('.')[0] + '_out' == name and op.endswith('out')
                   for call in found if not call.name.startswith('at::')}
        return sorted(reached)[:DEEPEST]

    def row(self, op, aclnn, condition, place):
        return op, aclnn, condition, 'Ascend/op-plugin@%s:%s' % (self.release, place), self.release


def aten_aclnn(checkout):
    rows = []
    for release in RELEASES:
        files = checkout.files(release, r'^op_plugin/(.*(opapi|op_api).*/[^/]*\.cpp|config/op_plugin_functions\.yaml)$', 'aclops')
        rows += Plugin(release, files).rows()
    return rows
