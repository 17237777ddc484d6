"""One verdict for each aclnn, chip, type and version, and the same for ATen operators through op-plugin."""
import re
from collections import defaultdict

from cann_facts.names import COMMON, HELPERS, VERSIONS, listed

ACLNN_HEADER = ['aclnn', 'chip', 'verdict', 'dtypes', 'kernels', 'ref']
ATEN_HEADER = ['op', 'release', 'chip', 'verdict', 'dtypes', 'kernels', 'aclnn']
RELEASES = [('7.3.0', '8.5.0'), ('26.1.0', '9.1.0')]  # of op-plugin, with the CANN it is held against
CHIPS = ['910B', '910A', '310P', '950']
OLDER_CHIPS = ('910A', '310P', '310B')
BESIDE = HELPERS | {'TransposeV2'}
MOVES = {'Cast', 'Transpose', 'TransData', 'Contiguous', 'Reshape', 'Fill', 'BroadcastTo'}
REASONS = [('docs list it', 'docs contradict'), ('by docs only', 'docs only'), ('by kernel declaration', 'declaration only')]
OTHER_STEPS = re.compile(r'aclnn(DropoutGenMask|TransQuantParam)')
LONGEST = 160


class Unit:
    """A row of aclnn_units."""

    def __init__(self, row):
        (self.aclnn, self.chip, self.unit, self.types, self.kernel, self.op, self.kernel_type, self.condition, self.refs, undeclared) = row
        self.undeclared = [] if undeclared in ('', '?') else undeclared.split()
        self.always = not self.condition or self.condition.startswith(' [')

    def is_undeclared(self, type_name):
        return bool(self.undeclared) and (type_name if self.kernel_type in ('', 'None') else self.kernel_type) in self.undeclared


def deciding(l0_rows):
    """{(op, chip, version, type): units} where one l0 function decides between the AI Core and the AI CPU."""
    by_function, found = defaultdict(set), defaultdict(set)
    for l0, unit, chip, types, _, _, refs, kernel, op, overload in l0_rows:
        for version in refs.split() if kernel else ():
            for type_name in COMMON if types == 'any' else types.split():
                by_function[l0, overload, op, chip, version, type_name].add(unit)
    for key, units in by_function.items():
        if {'aicore', 'aicpu'} <= units:
            found[key[2:]] |= units
    return found


def verdict(rows, chip, version, type_name, decides):
    """(verdict, kernels) from the units of an aclnn for a type."""
    refused = [row.condition for row in rows if row.unit == 'rejected']
    if refused:
        return 'rejected', next((word for mark, word in REASONS if mark in refused), '')
    main = [row for row in rows if row.op not in BESIDE] or rows
    cpu = [row for row in main if row.unit == 'aicpu']
    core = [row for row in main if row.unit in ('aicore', 'dsa') and not (cpu and 'dtype(out)' in row.condition)]
    if not cpu:
        missing = {row.op for row in core if row.is_undeclared(type_name) and not row.condition}
        kernels = [row for row in core if row.op not in MOVES] or core
        if not missing and chip in OLDER_CHIPS and kernels and all(row.is_undeclared(type_name) for row in kernels):
            missing = {row.op for row in kernels}
        if missing:
            return 'aicore-undeclared', ' '.join(sorted(missing))
        beside = sorted({row.op for row in rows if row.unit == 'aicpu' and row.op in BESIDE})
        return 'aicore+' if beside else 'aicore', ' '.join(beside)
    always = [row for row in cpu if row.always]
    cut_short = any('(partial)' in row.condition for row in rows)
    both = all(decides.get((row.op, chip, version, row.kernel_type or type_name)) for row in cpu)
    found = 'mixed' if not always and (core or cut_short and both) else 'aicpu'
    return found, ' '.join(sorted({row.op for row in (always or cpu)} if found == 'aicpu' else {row.op for row in cpu}))


def verdicts(unit_rows, l0_rows):
    """{(aclnn, chip, version, type): (verdict, kernels)}"""
    rows, decides = defaultdict(list), deciding(l0_rows)
    for unit in map(Unit, unit_rows):
        for version in unit.refs.split():
            for type_name in unit.types.split():
                rows[unit.aclnn, unit.chip, version, type_name].append(unit)
    found = {key: verdict(there, *key[1:], decides) for key, there in rows.items()}
    for (aclnn, chip, version, type_name), (said, kernels) in list(found.items()):
        # another version found both units, and the l0 rule here knows both: the limit of paths hid one
        elsewhere = any(found.get((aclnn, chip, other, type_name)) == ('mixed', kernels) for other in VERSIONS)
        if said == 'aicpu' and elsewhere and any(decides.get((op, chip, version, type_name)) for op in kernels.split()):
            found[aclnn, chip, version, type_name] = 'mixed', kernels
    return found


def aclnn_rows(found):
    """Rows of aclnn_aicpu."""
    types, versions = defaultdict(set), defaultdict(list)
    for (aclnn, chip, version, type_name), (said, kernels) in found.items():
        types[aclnn, chip, said, kernels, version].add(type_name)
    for (aclnn, chip, said, kernels, version), names in types.items():
        versions[aclnn, chip, said, listed(names), kernels].append(version)
    return [(*row, ' '.join(sorted(refs))) for row, refs in versions.items()]


def of_operator(op, calls):
    """The aclnn that compute an operator, without those that only prepare it."""
    calls = [name for name in calls if not OTHER_STEPS.match(name)] or calls
    if not op.startswith(('npu_', '_npu')):
        calls = [name for name in calls if not name.lower().endswith('weightnz')] or calls
    return calls


def aten_rows(found, aten_aclnn, dtype_rows):
    """Rows of aten_aicpu for operators that go through aclnn."""
    unsupported = {(row[0], row[2]) for row in dtype_rows if row[4] == 'not supported on this chip'}
    for release, version in RELEASES:
        calls = defaultdict(set)
        for op, aclnn, _, _, where in aten_aclnn:
            if where == release:
                calls[op].add(aclnn)
        for op, every in calls.items():
            names = of_operator(op, sorted(every))
            for chip in CHIPS:
                types = defaultdict(set)
                for type_name in COMMON:
                    said = {name: found[name, chip, version, type_name] for name in names if (name, chip, version, type_name) in found}
                    unread = any((name, chip, version, type_name) not in found and (name, chip) not in unsupported for name in names)
                    refused = said and all(word == 'rejected' for word, _ in said.values())
                    if not said or refused and (op.startswith('_foreach') or unread):
                        continue
                    types[joined(said)].add(type_name)
                for (word, kernels), known in types.items():
                    yield op, release, chip, word, listed(known), kernels, ' '.join(sorted(every))[:LONGEST]


def joined(said):
    words = {word for word, _ in said.values()}
    kernels = ' '.join(sorted({kernel for word, names in said.values() if word in ('aicpu', 'mixed') for kernel in names.split()}))
    return words.pop() if len(words) == 1 else 'mixed' if words & {'aicpu', 'mixed'} else 'varies', kernels
