"""Which unit of CANN runs an operator with which types: the tables of cann.py into npu/units.tsv, npu/calls.tsv, npu/aclnn.tsv and
npu/casts.tsv.

aten_aicpu.tsv has the verdicts of two releases. Other versions and chips follow for the operators that have one call into CANN alone,
from the verdicts of that call; for the others they stay unknown."""
import os
import re
from collections import defaultdict, namedtuple

from fact_text import arguments, checks, custom, given
from fact_text.tables import COLUMNS, FactText, Malformed, Spans, Table

CHIPS = ['910A', '310P', '910B', '310B', '910_93', '950']
UNITS = {'aicore+': 'helper', 'aicore-undeclared': 'undeclared',
         **{unit: unit for unit in 'aicore helper undeclared varies mixed aicpu rejected'.split()}}
FOREIGN = set('hif8 int4 fp4_e2m1 fp4_e1m2 any'.split())  # types that no tensor of a program has
# Types that the tables of verdicts leave out: a list of what a call takes says that it does not take them.
BEYOND = set('complex32 fp8 uint16 uint32 uint64'.split())
FIRST_ARGUMENTS = set('self selfRef input inputRef x'.split())  # names of the tensor that a verdict's type is the type of

Verdict = namedtuple('Verdict', 'unit kernels note')
Call = namedtuple('Call', 'op call path release')  # a call into CANN that a release of op-plugin makes for an operator
Code = namedtuple('Code', 'call path ref source')  # where the code of a call is


def natural(text):
    """A key by which rank10 comes behind rank2."""
    tokens = re.findall('([0-9]+)|(.)', text)
    return [('0', len(digits.lstrip('0')), digits.lstrip('0')) if digits else (other, 0, '') for digits, other in tokens], text


def split_source(source, place):
    """Repository, ref and path of "Ascend/op-plugin@7.1.0:op_plugin/ops/opapi/X.cpp:31 (by hand)"."""
    found = re.match('([^@ ]*)@([^: ]*):([^ ]*)', source)
    if not found:
        raise Malformed(place, 'source "%s" is not REPOSITORY@REF:PATH' % source)
    return found.groups()


def counts(op, call):
    """Whether a verdict of the operator counts the call: not a helper's, nor one for weights in the layout FRACTAL_NZ, which only
    operators of the plugin's own take as a rule."""
    own = op.startswith(('npu_', '_npu'))
    return not call.startswith(('aclnnDropoutGenMask', 'aclnnTransQuantParam')) and (own or not call.lower().endswith('weightnz'))


def goes_by_tensor(op):
    """Whether op-plugin goes on with one call a tensor where the call for a list is rejected."""
    return op.startswith('_foreach_')


class Cann:
    """What the tables say, by (name, chip, version of CANN)."""

    def __init__(self, versions, folder):
        self.versions = [row['cann'] for row in versions]
        self.version_of = {row['plugin']: row['cann'] for row in versions}  # the release of torch_npu made for each
        self.folder = folder
        self.calls, self.ops, self.aclnn, self.taken = [], defaultdict(dict), defaultdict(dict), defaultdict(set)

    # --- tables

    def read(self, name, columns):
        """(place, row) of a table, with its chips checked and its types as a set."""
        for place, row in given.read(os.path.join(self.folder, name), columns):
            for chip in row['chip'].split() if 'chip' in row else ():
                if chip not in CHIPS:
                    raise Malformed(place, 'no chip is called "%s"' % chip)
            if row.get('verdict', 'aicore') not in UNITS:
                raise Malformed(place, 'no verdict is called "%s"' % row['verdict'])
            if 'dtypes' in row:
                row['types'] = given.types_in(row['dtypes'], place, FOREIGN)
            yield place, row

    def read_versions(self, text):
        """Those of a list that npu/cann.tsv has."""
        return [name for name in text.split(' ') if name in self.versions]

    def version_for(self, plugin, place):
        if plugin not in self.version_of:
            raise Malformed(place, 'npu/cann.tsv has no version of torch_npu "%s"' % plugin)
        return self.version_of[plugin]

    @staticmethod
    def set_verdicts(cell, name, types, verdict, place):
        for type_ in types:
            if type_ in cell:
                raise Malformed(place, '%s has two verdicts for %s' % (name, type_))
            cell[type_] = verdict

    def read_calls(self):
        for place, row in self.read('aten_aclnn.tsv', 'op aclnn condition source release'):
            self.calls.append(Call(row['op'], row['aclnn'], split_source(row['source'], place)[2], row['release']))

    def read_verdicts(self):
        """Why a type is rejected stands where the kernels of the others do: "docs only"."""
        for place, row in self.read('aclnn_aicpu.tsv', 'aclnn chip verdict dtypes kernels ref'):
            unit, kernels = UNITS[row['verdict']], row['kernels']
            verdict = Verdict(unit, '', kernels) if unit == 'rejected' else Verdict(unit, kernels, '')
            for version in self.read_versions(row['ref']):
                self.set_verdicts(self.aclnn[row['aclnn'], row['chip'], version], row['aclnn'], row['types'], verdict, place)
        for place, row in self.read('aten_aicpu.tsv', 'op release chip verdict dtypes kernels aclnn'):
            version = self.version_for(row['release'], place)
            verdict = Verdict(UNITS[row['verdict']], row['kernels'], 'acl_op' if row['aclnn'].startswith('acl_op: ') else '')
            self.set_verdicts(self.ops[row['op'], row['chip'], version], row['op'], row['types'], verdict, place)

    def read_taken(self):
        """Types that the first tensor of a call may have."""
        for place, row in self.read('aclnn_dtypes.tsv', 'aclnn argument chip dtypes limits source ref from'):
            if row['types'] and row['from'] == 'code' and row['argument'] in FIRST_ARGUMENTS:
                for chip in row['chip'].split():
                    for version in self.read_versions(row['ref']):
                        self.taken[row['aclnn'], chip, version] |= row['types']

    def codes(self):
        """Where the code of each call is, at the newest ref."""
        found, called = {}, {call.call for call in self.calls}
        for place, row in self.read('aclnn_l0.tsv', 'aclnn l0op source ref'):
            repository, ref, path = split_source(row['source'], place)
            known = found.get(row['aclnn'])
            if row['aclnn'] in called and not (known and natural(known.ref) >= natural(ref)):
                found[row['aclnn']] = Code(row['aclnn'], path, ref, 'cann-' + repository)
        return sorted(found.values())

    def casts(self):
        """Casts that op-plugin makes before a call; how it is for a version of CANN stands in the plugin for that."""
        table = Spans(COLUMNS['npu/casts.tsv'])
        for place, row in self.read('casts.tsv', 'op kernel argument dtypes becomes path plugin plugins'):
            cells = [row[column] for column in 'op kernel argument dtypes becomes path plugin'.split()]
            table.add([*cells, 'npu-casts'], [self.version_for(plugin, place) for plugin in row['plugins'].split()])
        return table

    def arguments(self, selects, schemas):
        """Calls that are refused by an argument."""
        read, calls = arguments.Arguments(self, CHIPS, selects), defaultdict(list)
        read.read(split_source)
        for call in self.newest_calls():
            if counts(call.op, call.call) and not goes_by_tensor(call.op):
                calls[call.op].append(call.call)
        table = Spans(COLUMNS['npu/arguments.tsv'])
        names = {row['op']: arguments.argument_names(row['signature']) for row in schemas}
        for cells, version in arguments.table_of(read, calls, names, self.versions):
            table.add(cells, [version])
        return table

    # --- what follows

    def newest_calls(self):
        """One row for each call of an operator, read in the newest release that has it."""
        newest = {}
        for call in self.calls:
            known = newest.setdefault(call[:2], call)
            if natural(call.release) > natural(known.release):
                newest[call[:2]] = call
        return [newest[key] for key in sorted(newest)]

    def editions(self):
        """{version of CANN: the release of op-plugin that stands for it}: the next one from its own on whose calls were read, else the
        last such."""
        plugins, read = list(self.version_of), {call.release for call in self.calls}
        found = {}
        for at, plugin in enumerate(plugins):
            before = [other for other in plugins[:at] if other in read]
            found[self.version_of[plugin]] = next((other for other in plugins[at:] if other in read), before[-1] if before else '')
        return found

    def follow_calls(self):
        """Add the verdicts of an operator's only call where the tables have none for the operator, and why one is rejected; then
        reject the types beyond those of the verdicts that no call of the operator takes, where the lists of all are known."""
        calls, editions = defaultdict(dict), self.editions()
        for call in self.calls:
            if counts(call.op, call.call):
                calls[call.op, call.release][call.call] = True
        for version, edition in editions.items():
            for op in dict.fromkeys(call.op for call in self.calls):
                for chip in CHIPS if len(calls[op, edition]) == 1 else ():
                    self.follow_call(op, *calls[op, edition], chip, version)
        for (op, chip, version), cell in self.ops.items():
            taken = [self.taken.get((call, chip, version)) for call in calls[op, editions[version]]]
            if taken and all(taken) and not goes_by_tensor(op):
                for type_ in BEYOND.difference(*taken):
                    cell.setdefault(type_, Verdict('rejected', '', ''))

    def follow_declarations(self):
        """Reject what a kernel is declared for on other chips alone: where a verdict is by declaration, the chip's own is all there is."""
        declared = defaultdict(set)  # (operator, version): types that the AI Core of some chip has
        for (op, chip, version), cell in self.ops.items():
            declared[op, version].update(name for name, verdict in cell.items() if verdict.unit == 'aicore')
        for (op, chip, version), cell in self.ops.items():
            if any(verdict.note == 'declaration only' for verdict in cell.values()):
                for type_ in declared[op, version].difference(cell):
                    cell[type_] = Verdict('rejected', '', 'declaration only')

    def follow_call(self, op, call, chip, version):
        for type_, verdict in self.aclnn.get((call, chip, version), {}).items():
            rejected = verdict.unit == 'rejected'
            known = self.ops[op, chip, version].get(type_)
            if (rejected and known and known.unit == 'rejected') or not (known or (rejected and goes_by_tensor(op))):
                self.ops[op, chip, version][type_] = verdict

    def units(self):
        """One row for all types, chips and versions of an operator that share a verdict."""
        groups = defaultdict(list)
        for (op, chip, version), cell in self.ops.items():
            for verdict in set(cell.values()):
                groups[op, version, verdict, given.listed({name for name in cell if cell[name] == verdict})].append(chip)
        table = Spans(COLUMNS['npu/units.tsv'])
        for (op, version, verdict, types), chips in groups.items():
            table.add((op, verdict.unit, types, ' '.join(sorted(chips, key=CHIPS.index)), verdict.kernels, verdict.note), [version])
        return table


def run(options):
    text = FactText(options.opdb)
    cann = Cann(text.table('npu/cann.tsv').rows, options.tables)
    cann.read_calls()
    cann.read_verdicts()
    cann.read_taken()
    calls = [(*call, 'npu-calls') for call in cann.newest_calls()]
    codes = cann.codes()
    cann.follow_calls()
    cann.follow_declarations()
    text.put('npu/units.tsv', cann.units().text(cann.versions, 4))
    selects = {row['name'] for row in text.table('rules/names.tsv').rows if row['list'] == 'selects'}
    refused = cann.arguments(selects, text.table('torch/schemas.tsv').rows)
    text.put('npu/arguments.tsv', refused.text(cann.versions, 3))
    custom.put(cann, text, split_source, CHIPS, refused)
    documented = text.table('npu/custom_arguments.tsv').rows
    checks.put(cann, text, split_source, {cells[:2] for cells in refused.rows} | {(row['op'], row['test']) for row in documented})
    for name, rows in (('npu/calls.tsv', calls), ('npu/aclnn.tsv', codes)):
        text.put(name, Table(COLUMNS[name], (dict(zip(COLUMNS[name], row)) for row in rows)).text())
    if os.path.exists(os.path.join(options.tables, 'casts.tsv')):  # tables made before there was one leave the casts as they are
        text.put('npu/casts.tsv', cann.casts().text(cann.versions, 5))
    text.write()
    text.report()
