"""aten_aicpu for operators that op-plugin computes with kernels of its older kind only: the kernels that OpCommand names, and the unit
that declarations give them. A kernel without a declaration for a type gets no row; nothing is rejected here."""
import re
from collections import defaultdict

from cann_facts.names import COMMON, OLDEST, listed
from cann_facts.verdicts import RELEASES

READ_CHIPS = ['910B', '910A', '310P']
OPEN = '8.5.0'
BESIDE = set('Cast Identity TransData Transpose TensorMove ViewCopy AsStrided Fill ZerosLike OnesLike BroadcastTo Contiguous NPUAllocFloatStatus'.split())
NOT_DATA = re.compile(r'size$|^shape|seq_length|^offset|^prob|^seed|^axes$|^begin')
DEFINITION = re.compile(r'^(?:static |inline )*[\w:<>,&\* ]+?[ &\*](\w+)\s*\([^;{}]*?\)\s*\n?\{', re.M | re.S)
ENTRY = re.compile(r'- func: (\S+?)\((.*?)(?=\n\s*- func:|\Z)', re.S)
DEEPEST = 4
LONGEST = 120


class Kernels:
    """The kernel names in the functions of op-plugin's aclops."""

    def __init__(self, files):
        self.files = []
        for source in files.values():
            bodies = defaultdict(list)
            for head in DEFINITION.finditer(source):
                end = source.find('\n}', head.end())
                bodies[head[1]].append(source[head.end():end])
            self.files.append(bodies)

    def named(self, function):
        found = set()
        for bodies in self.files:
            self.collect(function, bodies, found, set(), 0)
        return found

    def collect(self, function, bodies, found, seen, depth):
        if function in seen:
            return
        seen.add(function)
        for body in bodies.get(function, ()):
            found |= set(re.findall(r'\.Name\(\s*"(\w+)"', body))
            for variable in re.findall(r'\.Name\(\s*(\w+)\s*\)', body):
                found |= set(re.findall(r'\b%s\s*=\s*[^;]*?"(\w+)"' % variable, body))
            for called in sorted(set(re.findall(r'\b(\w+)\s*\(', body)) & set(bodies)) if depth < DEEPEST else ():
                self.collect(called, bodies, found, seen, depth + 1)


def first_inputs(declarations):
    """{(op, chip): types of the first input that is data}"""
    found = {}
    for key, declaration in declarations.items():
        found[key] = next((types for name, types in declaration.inputs.items() if types and not NOT_DATA.search(name)), None)
    return {key: types for key, types in found.items() if types}


def unit_of(kernel, chip, type_name, declared, installed, on_cpu):
    if type_name in declared.get((kernel, chip), ()):
        return 'aicore'
    if (kernel, chip) in installed and (kernel, chip) not in declared:
        return None
    return 'aicpu' if on_cpu.get(kernel, set()) & {type_name, '*'} else None


def aclop_rows(checkout, declarations, cpu_rows, with_aclnn):
    """Rows of aten_aicpu; with_aclnn: the (operator, release) that go through aclnn."""
    installed, opened = first_inputs(declarations[OLDEST]), first_inputs(declarations[OPEN])
    declared = {**opened, **installed}
    on_cpu = defaultdict(set)
    for op, unit, types, _, _, _, ref in cpu_rows:
        if unit in ('aicpu', 'aicpu-tf') and ref == OLDEST:
            on_cpu[op] |= set(types.split()) or {'*'}
    for release, _ in RELEASES:
        kernels = Kernels(checkout.files(release, r'^op_plugin/ops/aclops/.*\.cpp$'))
        for op, rest in ENTRY.findall(checkout.text(release, 'op_plugin/config/op_plugin_functions.yaml')):
            if 'acl_op:' not in rest or 'op_api:' in rest or (op, release) in with_aclnn:
                continue
            base, _, overload = op.partition('.')
            functions = [base + '_out', base] if overload.endswith('out') or 'out' in overload.split('_') else [base]
            names = next(filter(None, map(kernels.named, functions)), set())
            main = sorted(names - BESIDE) or sorted(names)
            for chip in READ_CHIPS if main else ():
                label = OPEN if any((kernel, chip) not in installed and (kernel, chip) in opened for kernel in main) else OLDEST
                found = defaultdict(set)
                for type_name in COMMON:
                    units = [unit_of(kernel, chip, type_name, declared, declarations[OLDEST], on_cpu) for kernel in main]
                    if None not in units:
                        said = units[0] if len(set(units)) == 1 else 'mixed'
                        found[said, ' '.join(k for k, unit in zip(main, units) if unit == 'aicpu')].add(type_name)
                for (said, cpu), types in found.items():
                    yield op, release, chip, said, listed(types), cpu, 'acl_op: %s (%s declarations)' % (' '.join(main)[:LONGEST], label)
