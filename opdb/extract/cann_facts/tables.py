"""The rows of the tables, from what was interpreted, declared and documented."""
import re
from collections import defaultdict

from cann_facts.names import CHIPS, COMMON, HELPERS, OLDEST, VERSIONS, clean, listed, versions_listed
from cann_facts.paths import OPPOSITE, alternatives, in_words

L0_HEADER = ['l0op', 'unit', 'chip', 'dtypes', 'condition', 'source', 'ref', 'kernel', 'optype', 'overload']
CALLS_HEADER = ['aclnn', 'l0op', 'source', 'ref']
UNITS_HEADER = ['aclnn', 'chip', 'unit', 'dtypes', 'kernel', 'optype', 'kernel_dtype', 'condition', 'ref', 'undeclared']
DTYPES_HEADER = ['aclnn', 'argument', 'chip', 'dtypes', 'limits', 'source', 'ref', 'from']
CPU_HEADER = ['op', 'unit', 'dtypes', 'aicore_chips', 'aicpu_only_chips', 'source', 'ref']
PARTIAL = ' (partial)'
BY_TEXT = ' (by text)'
ALL_TYPES = 15
NO_BF16 = ('910A', '310P')
UNLIMITED_KERNELS = ('TransData', 'AsStrided', 'Identity', 'Reshape')
NO_LIMIT = re.compile(r'has\(|nullptr|null|executor|\bvalue\b|\.\.|::|Check|infer|out[A-Z]?\w*Shape|\bret\b|fileds|\bi\b|\[i\]|,i\)|==0\?|batchNum|obj'
                      r'|Infer|Broadcast|^\w+$')


def source_of(routine, version, line=None):
    library, path = routine.path.split(':', 1)
    return '%s@%s:%s:%d' % (library, version, path, line or routine.line)


def preferred(versions):
    """The version whose place is named: 8.5.0 where a row holds there, else the newest."""
    return '8.5.0' if '8.5.0' in versions else [version for version in VERSIONS if version in versions][-1]


def cleaned(rows):
    return {tuple(map(clean, row)) for row in rows}


# --- l0 functions

def launching(l0):
    """{(unit, op, kernel): conditions} of an l0 function at one chip and type."""
    found = defaultdict(list)
    for condition, launches in l0.outcomes:
        for launch in launches:
            found[launch].append(condition)
    for launch, conditions in found.items():
        said = '' if len(dict.fromkeys(conditions)) == len(l0.outcomes) else alternatives(conditions, 3)
        yield launch, said + (PARTIAL if l0.more and said else '')


def l0_rows(known):
    """Rows of l0_dtypes from code; known: {version: [L0]}."""
    types, places = defaultdict(lambda: defaultdict(set)), {}
    for version, functions in known.items():
        for l0 in functions:
            for (unit, op, kernel), condition in launching(l0):
                types[l0.name, unit, l0.chip, condition, kernel, op, l0.count][version].add(l0.type)
                places[l0.name, l0.count, version] = source_of(l0.routine, version)
    to_cpu = {(key[0], key[2], key[6]) for key in types if key[1] == 'aicpu'}
    for (name, unit, chip, condition, kernel, op, count), by_version in types.items():
        for said, versions in grouped(by_version).items():
            if unit != 'aicpu' and len(said.split()) >= ALL_TYPES and (name, chip, count) not in to_cpu:
                said = 'any'
            yield name, unit, chip, said, condition, places[name, count, preferred(versions)], versions_listed(versions), kernel, op, str(count)


def grouped(by_version):
    """{types listed: versions}"""
    found = defaultdict(list)
    for version, types in by_version.items():
        found[listed(types)].append(version)
    return found


class Launches:
    """Which units the l0 functions launch an operator on."""

    def __init__(self, known):
        self.units, self.ops, self.sources = defaultdict(set), defaultdict(set), {}
        for version, functions in known.items():
            for l0 in functions:
                for (unit, op, _), _ in launching(l0):
                    self.units[version, op, l0.chip].add(unit)
                    self.ops[l0.name].add(op)
                    self.sources.setdefault((version, op), source_of(l0.routine, version))

    def cpu_rows(self):
        """Rows of aicpu_kernels: operators that the code launches on the AI CPU."""
        for version, op in sorted({key[:2] for key in self.units}):
            units = {chip: self.units[version, op, chip] for chip in CHIPS if (version, op, chip) in self.units}
            if any('aicpu' in there for there in units.values()):
                yield (op, 'aicpu-launch', '', ' '.join(chip for chip, there in units.items() if there & {'aicore', 'dsa'}),
                       ' '.join(chip for chip, there in units.items() if there == {'aicpu'}), self.sources[version, op], version)


# --- aclnn interfaces

class Interfaces:
    """What was interpreted of the aclnn interfaces, {version: [Interface]}; by_hand: the aclnn whose units, arguments and calls people read."""

    def __init__(self, known, launches, declarations, documents, by_hand):
        self.launches, self.declarations, self.documents = launches, declarations, documents
        self.by_hand, self.arguments_by_hand, self.calls_by_hand = by_hand
        self.all = {version: {one.aclnn for one in found} for version, found in known.items()}
        self.known = defaultdict(lambda: defaultdict(dict))  # (version, aclnn) -> chip -> type -> Interface
        for version, found in known.items():
            for one in found:
                self.known[version, one.aclnn][one.chip][one.type] = one

    def accepting(self):
        """(version, aclnn, chip, {type: Interface}) where a type is accepted at all: elsewhere the reading failed."""
        for (version, aclnn), chips in self.known.items():
            for chip, by_type in chips.items():
                if any(one.accepted for one in by_type.values()):
                    yield version, aclnn, chip, by_type

    def failed(self):
        """The interfaces that seem to reject everything: they are listed, and get no rows."""
        read = {key[:3] for key in self.accepting()}
        return sorted((aclnn, version, chip) for (version, aclnn), chips in self.known.items() for chip in chips
                      if (version, aclnn, chip) not in read and aclnn not in self.by_hand)

    def call_rows(self):
        """Rows of aclnn_l0."""
        places = defaultdict(dict)
        for (version, aclnn), chips in self.known.items():
            calls, nearby = {}, {}
            for one in (one for by_type in chips.values() for one in by_type.values()):
                for name, (path, line) in one.calls.items():
                    calls.setdefault(name, source_of(one.routine._replace(path=path), version, line))
                for _, op, _, _ in one.launches:
                    if not any(op == name or op in self.launches.ops[name] for name in calls):
                        calls.setdefault(op, source_of(one.routine, version))
                for name in one.unknown:
                    calls.setdefault(name, source_of(one.routine, version))
                if not calls:
                    nearby.update((name, source_of(one.routine, version, line) + BY_TEXT) for name, line in one.nearby.items())
            for name in [name for name in calls if name not in HELPERS] or calls or nearby:
                places[aclnn, name].setdefault(version, calls.get(name) or nearby[name])
        interpreted = set().union(*self.all.values()) if self.all else set()
        for version in VERSIONS:
            for (op, _), declaration in self.declarations[version].items():
                if 'aclnn' + op not in interpreted:
                    places['aclnn' + op, op][version] = declaration.source + ' (generated interface)'
        for (aclnn, name), by_version in places.items():
            if aclnn not in self.calls_by_hand:
                yield aclnn, name, by_version[preferred(by_version)], versions_listed(by_version)

    def documented(self, aclnn, version):
        return self.documents['8.5.0' if version == '8.3' else version].get(aclnn)

    def unit_rows(self):
        """Rows of aclnn_units."""
        found = defaultdict(lambda: defaultdict(set))
        for version, aclnn, chip, by_type in self.accepting():
            if aclnn in self.by_hand:
                continue
            first = first_tensor(by_type)
            unchecked = all(one.accepted for one in by_type.values()) and not any(first in one.checks for one in by_type.values())
            document = self.documented(aclnn, version)
            said = document.arguments[first].types if document and first in document.arguments else None
            for type_name, one in by_type.items():
                if unchecked and said and type_name not in said:
                    found[aclnn, chip, 'rejected', '', '', '', 'by docs only'][version].add(type_name)
                elif not one.accepted:
                    allowed = 'docs list it' if document_allows(document, first, chip, type_name) else ''
                    found[aclnn, chip, 'rejected', '', '', '', allowed][version].add(type_name)
                if one.accepted and not (unchecked and said and type_name not in said):
                    for key in [*self.launch_keys(one, unchecked and not said), *self.nearby_keys(one, version)]:
                        found[aclnn, chip, *key][version].add(type_name)
        for (aclnn, chip, unit, kernel, op, kernel_type, condition), by_version in found.items():
            for types, versions in grouped(by_version).items():
                undeclared = self.undeclared(op, chip, versions, (kernel_type or types).split()) if unit == 'aicore' and op else ''
                yield aclnn, chip, unit, types, kernel, op, kernel_type, condition, versions_listed(versions), undeclared

    def nearby_keys(self, one, version):
        """The same for an interface whose calls are not followed: the kernels its file calls, if they never run on the AI CPU."""
        ops = sorted({op for name in one.nearby for op in self.launches.ops[name]})
        if ops and not any('aicpu' in self.launches.units[version, op, one.chip] for op in ops):
            yield 'aicore', '', ' '.join(ops[:6]), '', 'calls found by text only'

    @staticmethod
    def launch_keys(one, unchecked):
        """(unit, kernel, op, kernel type, condition) of what an accepted type launches."""
        main = any(op not in HELPERS and op != 'TransposeV2' for _, op, _, _ in one.launches)
        for (unit, op, kernel, kernel_type), conditions in one.launches.items():
            if unit == 'aicore' and main and (op in HELPERS or op == 'TransposeV2'):
                continue
            condition = alternatives(conditions, 2)
            condition += PARTIAL if one.more and condition else ''
            yield unit, kernel, op, kernel_type if kernel_type != one.type else '', condition + (' [no dtype check met]' if unchecked else '')

    def undeclared(self, op, chip, versions, types):
        """The types that the kernel is not declared for; '?' if no declaration is known."""
        version = [v for v in VERSIONS if v in versions][-1]
        declaration = next((d for d in (self.declarations[v].get((op, chip)) for v in (version, OLDEST)) if d and any(d.inputs.values())), None)
        known = {name for inputs in declaration.inputs.values() for name in inputs} if declaration else None
        missing = set() if known is None else {name for name in types if name not in known}
        if chip != '950':
            chips = {c for by_op in self.declarations.values() for o, c in by_op if o == op} if known is None else {chip}
            if chips and chip not in chips and chips != {'950'}:
                missing |= set(types)
            elif chip in NO_BF16 and 'bf16' in types and op not in UNLIMITED_KERNELS:
                missing.add('bf16')
        return listed(missing) if known is not None or missing else '?'

    def dtype_rows(self):
        """Rows of aclnn_dtypes from code, without source and versions: (row, version, source)."""
        for version, aclnn, chip, by_type in self.accepting():
            if aclnn not in self.arguments_by_hand:
                one = next(iter(by_type.values()))
                for argument, types, limits in argument_limits(by_type):
                    yield (aclnn, argument, chip, types, limits), version, source_of(one.routine, version)


def first_tensor(by_type):
    return next((name for name, kind in next(iter(by_type.values())).parameters if 'aclTensor' in kind), None)


def document_allows(document, argument, chip, type_name):
    if not document or argument not in document.arguments or not document.products.get(chip, True):
        return False
    refused = any(chip in remark.chips and remark.refused and type_name in remark.types and remark.argument in (argument, '')
                  for remark in document.remarks)
    return type_name in document.arguments[argument].types and not refused


def limit_words(must_hold, text):
    """A requirement as a limit, or None if it says nothing to a reader."""
    text = text.replace(' ', '') if len(text) < 60 else text
    if NO_LIMIT.search(text) or len(text) > 70 or not re.search(r'[<>=]|in\{', text):
        return None
    if must_hold:
        return in_words(text)
    inside = re.match(r'^!\((.*)\)$', text)
    if inside and '&&' not in text and '||' not in text:
        return in_words(inside[1])
    compared = re.match(r'^([\w(),]+)(==|!=|<=|>=|<|>)([\w().,-]+)$', text)
    if compared:
        return in_words(compared[1] + OPPOSITE[compared[2]] + compared[3])
    either = re.match(r'^([\w(),]+)([<>]=?|==)([\w().,-]+)\|\|([\w(),]+)([<>]=?|==)([\w().,-]+)$', text)
    if either:
        return in_words('%s%s%s & %s%s%s' % (either[1], OPPOSITE[either[2]], either[3], either[4], OPPOSITE[either[5]], either[6]))
    unlike = re.match(r'^([\w(),]+)!=([\w().,-]+)&&\1!=([\w().,-]+)$', text)
    return in_words('%s in {%s %s}' % unlike.groups()) if unlike else None


def argument_limits(by_type):
    """(argument, types, limits) of an interface on one chip; '*': limits that are of no single argument."""
    one = next(iter(by_type.values()))
    tensors = [name for name, kind in one.parameters if 'aclTensor' in kind]
    checks, limits = defaultdict(list), defaultdict(set)
    for type_name, found in by_type.items():
        for argument, lists in found.checks.items():
            checks[argument] += [(type_name, types) for types in lists]
        for must_hold, text in found.requirements if found.accepted else ():
            said = limit_words(must_hold, text)
            named = [name for name in tensors if said and re.search(r'\b%s\b' % re.escape(name), said)]
            if said:
                limits[named[0] if len(named) == 1 else '*'].add(said)

    def joined(argument, more=()):
        return '; '.join(sorted({*limits.pop(argument, set()), *more}))[:300]

    first = tensors[0] if tensors else None
    if first and not (first.lower().startswith('mask') or 'condition' in first):
        accepted = {name for name, found in by_type.items() if found.accepted}
        unchecked = len(accepted) == len(by_type) and first not in checks
        others = {name for _, types in checks[first] for name in types if name not in by_type} if first in checks else set()
        yield first, '' if unchecked else listed(accepted | others), joined(first) + (' (no dtype check met in code)' if unchecked else '')
    for argument in tensors[1:]:
        if argument not in checks:
            continue
        lists, more = {types for _, types in checks[argument]}, set()
        if len(lists) > 1 and all(len(types) == 1 for types in lists):
            types, more = '', {'dtype==dtype(%s)' % first}
        else:
            longer = [types for types in lists if len(types) > 1] if len(lists) > 1 else lists
            types = listed(name for names in longer for name in names)
            more = {'may have to equal another dtype'} if len(longer) < len(lists) else set()
        yield argument, types, joined(argument, more)
    for argument in list(limits):
        yield argument, '', joined(argument)


def with_places(found, origin):
    """Rows of aclnn_dtypes: the same at several versions is one row."""
    places = defaultdict(dict)
    for row, version, source in found:
        places[row].setdefault(version, source)
    for row, by_version in places.items():
        yield (*row, by_version[preferred(by_version)], versions_listed(by_version), origin)


def generated_rows(calls, units, declarations, used):
    """Rows of aclnn_units for interfaces made from a declaration: the types of the kernel's first input."""
    run = {(row[0], row[1], version) for row in units for version in row[8].split() if row[2] in ('aicore', 'aicpu', 'dsa')}
    said = {(row[0], row[1], version) for row in units for version in row[8].split()}
    found = defaultdict(set)
    for aclnn, op, source, refs in calls:
        if aclnn not in used or '(generated interface)' not in source:
            continue
        every = {(chip, version): by_op[op, chip].inputs for version, by_op in declarations.items() for chip in CHIPS if (op, chip) in by_op}
        every = {key: {name: types for name, types in inputs.items() if types} for key, inputs in every.items()}
        known = {name for inputs in every.values() for types in inputs.values() for name in types}
        for version in refs.split() if known else ():
            for chip in CHIPS:
                if (chip, version) == ('950', '8.3') or (aclnn, chip, version) in run:
                    continue
                first = next(iter(every.get((chip, version), {}).values()), None)
                if first:
                    found[aclnn, chip, 'aicore', listed(first), '', op, '', ' [kernel declaration]'].add(version)
                    no = [name for name in COMMON if name not in known]
                    if no and (aclnn, chip, version) not in said:
                        found[aclnn, chip, 'rejected', listed(no), '', '', '', 'by kernel declaration'].add(version)
                elif chip != '310B' and not any(key[0] == chip for key in every) and any(key[1] == version for key in every):
                    if (aclnn, chip, version) not in said:
                        found[aclnn, chip, 'rejected', ' '.join(COMMON), '', '', '', 'by kernel declaration'].add(version)
    return [(*row, versions_listed(versions), '') for row, versions in found.items()]
