"""Calls that op-plugin refuses by an argument: the TORCH_CHECK lines of its C++ as the tests of npu/unit_conditions.tsv.

A check counts where every condition on the way to it is one that a test can state, and each kernel that may stand for the operator has it.
What a condition says beside that is left out, so no row refuses more calls than the code does."""
import functools
import re
from collections import defaultdict

from cann_facts.conditions import CHIP, CHIPS, MOST, TYPE_KINDS, UNSIGNED, Reader, said
from cann_facts.op_plugin import CODE_KINDS, kind_of, read_operators, version_regions
from reader.syntax import parse

HEADER = ['op', 'test', 'chips', 'en', 'zh', 'source', 'releases']
FOLDERS = r'^op_plugin/(ops|utils/custom_functions)/.*\.cpp$'
LONGEST = 20  # words of a user text


class CodeFunction:
    def __init__(self, function, path, regions, constants):
        self.name, self.path, self.line, self.namespace = function.name.split('::')[-1], path, function.line, function.namespace
        self.parameters, self.body, self.regions, self.constants = function.parameters, function.body, regions, constants
        self.kinds = [kind_of(CODE_KINDS, parameter.type.replace(' ', '')) for parameter in function.parameters]

    def built(self, line, torch):
        """Whether a line is compiled for a version of PyTorch."""
        return all(first >= line or line >= last or within(said, torch) for first, last, said in self.regions)


def number(version):
    return tuple(int(part) for part in version.split('.')[:2])


def within(said, torch):
    first, last = said.removeprefix('torch ').split('..')
    return number(first) <= number(torch) and (last == 'newest' or number(torch) <= number(last))


@functools.lru_cache(maxsize=None)
def functions_of(path, source):
    unit, regions = parse(source), version_regions(source)
    return [CodeFunction(function, path, regions, dict(unit.variables)) for function in unit.functions]


class Plugin:
    """op-plugin at one commit, for a version of PyTorch."""

    def __init__(self, files, torch):
        self.torch, self.functions = torch, defaultdict(list)
        for path, source in files.items():
            built_for = re.search(r'/v(\d)r(\d+)/', path)
            if built_for and '%s.%s' % built_for.groups() != '.'.join(torch.split('.')[:2]):
                continue
            for function in functions_of(path, source):
                if function.built(function.line, torch):
                    self.functions[function.name].append(function)

    def implementations(self, operator):
        """The kernels that fit the schema best: those that call CANN's API where the list says that there are some."""
        fitting = defaultdict(list)
        for function in self.functions.get(operator.base + ('_out' if operator.is_out else ''), []):
            if len(function.kinds) == len(operator.kinds) and ('op_api' in function.namespace) == operator.has_op_api:
                fitting[sum(a == b for a, b in zip(function.kinds, operator.kinds))].append(function)
        return fitting[max(fitting)] if fitting else []

    def called(self, function, name, count):
        """The functions of the same file that a call may mean; none where there are several."""
        if name.startswith(('acl_op::', 'at::', 'std::')):
            return []
        there = [f for f in self.functions.get(name.split('::')[-1], ()) if f.path == function.path and len(f.parameters) == count]
        return there if len(there) == 1 else []

    def refused(self, operator):
        """{(test, chips, en, zh): place} that each kernel of an operator checks."""
        return common(self.checks(function, operator) for function in self.implementations(operator))

    def checks(self, function, operator):
        found = {}
        for alternatives, path, line in Reader(self, function, operator).found:
            for check in stated([one for one in alternatives if counts(one, operator)]):
                found.setdefault(check, '%s:%d' % (path, line))
        return found


def common(found):
    first, *others = [*found] or [{}]
    return {check: place for check, place in first.items() if all(check in other for other in others)}


def counts(alternative, operator):
    """Whether an alternative says more than PyTorch's own checks do: of an operator of PyTorch, no least number, no types of the data and
    no type of what the device has made. Outputs are made by PyTorch."""
    own = operator.name.startswith(('npu_', '_npu'))
    made = '_backward' in operator.base or '_grad' in operator.base
    for (kind, *names), value in alternative.items():
        if any(re.match('out|result', str(name)) for name in names):
            return False
        if kind in TYPE_KINDS and (made or not own and operator.arguments[0] in names):
            return False
        if kind in UNSIGNED and not own and value.most < MOST:
            return False
    return True


def stated(alternatives):
    """(test, chips, en, zh) of a check for each set of chips."""
    by_chips = defaultdict(list)
    for one in alternatives:
        by_chips[' '.join(name for name, _ in CHIPS if name in one.get(CHIP, ()))].append({key: value for key, value in one.items() if key != CHIP})
    for chips, some in by_chips.items():
        test, en, zh = said(some)
        if test and len(en.split()) <= LONGEST:
            yield test, chips, en, zh


def rows(checkout, releases):
    """releases: (name, version of PyTorch, commit of op-plugin, path of its list)."""
    places, held = {}, defaultdict(list)
    for name, torch, commit, list_path in releases:
        listed, operators = checkout.text(commit, list_path) if commit else None, defaultdict(list)
        for operator in read_operators(listed or ''):
            operators[operator.name].append(operator)
        plugin = Plugin(checkout.files(commit, FOLDERS), torch) if operators else None
        for op, entries in operators.items():
            for check, place in common([plugin.refused(operator) for operator in entries]).items():
                held[(op, *check)].append(name)
                places[(op, *check)] = 'op-plugin@%s:%s' % (commit, place)
    return [(*key, places[key], ' '.join(names)) for key, names in held.items()]
