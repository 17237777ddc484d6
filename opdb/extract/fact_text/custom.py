"""The plugin's own operators, from custom_limits.tsv: chips and types that documents leave out or ATB does not list into
npu/custom_units.tsv, arguments that are refused into npu/custom_arguments.tsv, and where that stands into npu/custom_calls.tsv. What the
kernels of npu/units.tsv say comes first."""
import os
import re
from collections import defaultdict, namedtuple

from fact_text import given
from fact_text.arguments import LARGEST, Limit, rank_limit
from fact_text.tables import COLUMNS, Spans, Table

FILE = 'custom_limits.tsv'
OLD_CHIPS = ['910A', '310P', '310B']  # a document that leaves out a newer one may be older than it
TYPES = [name for name in given.DTYPES if name not in ('complex32', 'fp8', 'uint16', 'uint32', 'uint64')]
ATB = 'ascend-transformer-boost'
SOURCES = {'op-plugin': 'npu-custom-documents', ATB: 'cann-atb'}

Row = namedtuple('Row', 'op argument chips types limits library ref path version')


class Custom:
    def __init__(self, cann, text, split_source, chips):
        self.cann, self.text, self.split_source, self.chips = cann, text, split_source, chips
        self.overloads = defaultdict(list)  # of the plugin's own operators, by base name
        self.known = defaultdict(dict)  # (operator, chip): {version: types that units.tsv tells}
        self.units = Spans(COLUMNS['npu/custom_units.tsv'])
        self.arguments = Spans(COLUMNS['npu/custom_arguments.tsv'])
        self.calls = {}

    def read(self):
        for row in self.text.table('npu/support.tsv').rows:
            if row['ns'] in ('npu', 'atb') and row['op'] not in self.overloads[row['op'].split('.')[0]]:
                self.overloads[row['op'].split('.')[0]].append(row['op'])
        for (op, chip, version), cell in self.cann.ops.items():
            if cell:
                self.known[op, chip][version] = set(cell)
        for place, row in self.cann.read(FILE, 'op argument chips dtypes limits source ref'):
            library, ref, path = self.split_source(row['source'], place)
            yield Row(row['op'], row['argument'], row['chips'].split(), row['types'], row['limits'], library, ref, path, row['ref'])

    def reject(self, op, chip, types, note, versions):
        """Where the kernels tell nothing of these types; of an operator that they tell something of at the versions that were read alone."""
        known = self.known[op, chip]
        if chip == '910_93' and not known and self.known[op, '910B']:
            return  # it is answered from 910B
        for version in versions:
            left = types.difference(known.get(version, ()))
            if left and (not known or version in known):
                self.rejected[op, version, given.listed(left), note].append(chip)

    def judge(self, rows):
        self.rejected = defaultdict(list)
        first = set()  # operators whose first tensor was seen
        for row in rows:
            ops = self.overloads[row.op] if row.library != ATB else [row.op]
            for op in ops:
                if row.library == ATB:
                    self.judge_atb(op, row)
                elif not row.argument:
                    for chip in OLD_CHIPS:
                        if chip not in row.chips and not self.known[op, chip]:
                            self.reject(op, chip, set(TYPES), 'API document', self.cann.versions)
                elif row.types and op not in first:
                    first.add(op)
                    for chip in row.chips:
                        self.reject(op, chip, set(TYPES).union({'fp8'}).difference(row.types), 'API document', self.cann.versions)
                if row.limits:
                    self.limit(op, row)
                call = 'torch_npu.' + row.op if row.library != ATB else ATB
                if row.library == ATB or not row.argument:  # the newest list; of a document the chips
                    self.calls[op, call] = (op, call, row.path, row.ref, SOURCES[row.library])
        for (op, version, types, note), chips in self.rejected.items():
            self.units.add((op, 'rejected', types, ' '.join(sorted(set(chips), key=self.chips.index)), '', note), [version])

    def judge_atb(self, op, row):
        self.units.add((op, 'aicore', given.listed(row.types), ' '.join(self.chips), '', 'ATB list'), [row.version])
        for chip in self.chips:
            self.reject(op, chip, set(TYPES).difference(row.types), 'ATB list', [row.version])

    def limit(self, op, row):
        ranked = re.match(r'rank (\d+)-(\d+)$', row.limits)
        if ranked and int(ranked[2]) > LARGEST:
            return
        limit = rank_limit([row.argument], int(ranked[2])) if ranked else Limit(
            'given:' + row.argument, '%s is given' % row.argument, '给出了 %s' % row.argument)
        if (op, limit.test) not in self.there:
            self.arguments.add((op, limit.test, ' '.join(sorted(row.chips, key=self.chips.index)), limit.en, limit.zh, row.path, row.ref, SOURCES[row.library]), self.cann.versions)

    def put(self, there):
        self.there = there
        self.judge(list(self.read()))
        self.text.put('npu/custom_units.tsv', self.units.text(self.cann.versions, 4))
        self.text.put('npu/custom_arguments.tsv', self.arguments.text(self.cann.versions, 3))
        calls = [dict(zip(COLUMNS['npu/custom_calls.tsv'], cells)) for cells in sorted(self.calls.values())]
        self.text.put('npu/custom_calls.tsv', Table(COLUMNS['npu/custom_calls.tsv'], calls).text())


def put(cann, text, split_source, chips, arguments):
    """Nothing where the table was not made: its facts stay as they are."""
    if os.path.exists(os.path.join(cann.folder, FILE)):
        Custom(cann, text, split_source, chips).put({(cells[0], cells[1]) for cells in arguments.rows})
