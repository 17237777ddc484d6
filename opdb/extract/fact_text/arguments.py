"""Calls that CANN refuses by what an argument is: the limits of aclnn_dtypes.tsv into npu/arguments.tsv, under the names of PyTorch's
schemas. What the code checks comes before what a document says; a version or chip that was not read has what the nearest one has."""
import re
from collections import defaultdict, namedtuple

from fact_text import given

# Names of CANN's interfaces for arguments that schemas call otherwise; the first that the schema has.
ALIASES = {'input': ['self'], 'x': ['self', 'input'], 'x1': ['self', 'input'], 'x2': ['other', 'mat2', 'tensor2'], 'group': ['groups'],
           'grad_out': ['grad_output'], 'idx': ['index', 'indices'], 'index': ['indices'], 'y': ['other'], 'eps': ['epsilon'], 'epsilon': ['eps'],
           'condition': ['condition', 'self']}
CHOOSING = re.compile('mask|index|indices')  # what chooses or places: its type is none of the data
AT_MOST = re.compile(r'rank\((\w+)\)<=(\d+)$')  # an equality may be that of one branch
RANGE = re.compile(r'rank (\d+)(?:[-~](\d+))?$')
FLOATS = {'fp32', 'fp16', 'bf16'}
LARGEST = 8

Limit = namedtuple('Limit', 'test en zh')
Origin = namedtuple('Origin', 'path ref source')


def snake(name):
    name = re.sub('(Optional|Ref)$', '', name)
    return re.sub('(?<=[a-z0-9])([A-Z])', lambda found: '_' + found[1].lower(), name).lower()


def argument_names(signature):
    return re.findall(r'([a-z_]\w*)(?:=[^,)]*)?(?=,|\))', signature.split(') ->')[0] + ')')


def named(argument, names):
    """The argument of a schema that one of CANN's stands for, or None; without a schema its own name."""
    name = snake(argument)
    if names is None:
        return name
    return next((other for other in [name, *ALIASES.get(name, ())] if other in names), None)


def joined(names, word, comma=', '):
    """"a, b or c"; names in the order of the alphabet."""
    *others, last = sorted(names)
    return '%s%s%s' % (comma.join(others), word, last) if others else last


def rank_limit(names, most):
    """Tensors of more dimensions than a kernel takes. That it wants a least number says little: it may broadcast, or PyTorch wants it too."""
    return Limit(' '.join('rank:%s>%d' % (name, most) for name in sorted(names)),
                 '%s has more than %d dimensions' % (joined(names, ' or '), most), '%s 超过 %d 维' % (joined(names, ' 或 ', '、'), most))


def type_limit(op, name, types):
    """Of a gradient another operator makes such an argument: on the device it has the type that the device gives it."""
    words = given.listed(types)
    return Limit('takes:%s,%s%s' % (name, words.replace(' ', ','), '&?' if '_backward' in op or '_grad' in op else ''),
                 '%s has another type than %s' % (name, words.replace(' ', ', ')), '%s 的类型不是 %s' % (name, words.replace(' ', '、')))


class Arguments:
    """What each call of CANN's API says of an argument, by chip and version: the code if it was read, else a document."""

    def __init__(self, cann, chips, selects):
        self.cann, self.chips, self.selects = cann, chips, selects
        self.ranks = defaultdict(lambda: defaultdict(dict))  # call: {argument: {(chip, version): (most, origin, from code)}}
        self.types = defaultdict(lambda: defaultdict(dict))

    def read(self, split_source):
        for place, row in self.cann.read('aclnn_dtypes.tsv', 'aclnn argument chip dtypes limits source ref from'):
            library, ref, path = split_source(row['source'], place)
            for chip in row['chip'].split() or self.chips:
                for version in self.cann.read_versions(row['ref']):
                    self.note(row, Origin(path, ref, 'cann-' + library), (chip, version))

    def chooses(self, argument):
        name = snake(argument)
        return name in self.selects or CHOOSING.search(name)

    def note(self, row, origin, at):
        most, code = LARGEST + 1, row['from'] == 'code'
        ranks, types = (table[row['aclnn']][row['argument']] for table in (self.ranks, self.types))
        for limit in row['limits'].split('; '):
            compared, ranged = AT_MOST.match(limit.split(' (')[0]), RANGE.match(limit.split(' (')[0])
            if compared and compared[1] == row['argument']:
                most = min(most, int(compared[2]))
            elif ranged:
                most = int(ranged[2] or ranged[1])
        if most <= LARGEST and (code or not ranks.get(at, (0, 0, False))[2]):
            ranks[at] = (most, origin, code)
        if code and row['types'] and not row['types'] & FLOATS and self.chooses(row['argument']):
            types[at] = (row['types'], origin)

    def nearest(self, table, chip, version):
        """What was read of the chip at the nearest version, an older one first; of a chip of 910B's generation what 910B has."""
        order = self.cann.versions
        for like in [chip] if chip != '910_93' else [chip, '910B']:
            for other in sorted(order, key=lambda other: (abs(order.index(other) - order.index(version)), order.index(other))):
                if (like, other) in table:
                    return table[like, other]
        return None

    def ranks_of(self, call, names, chip, version):
        """{most dimensions: {argument of the schema: Origin}} of one call."""
        found = defaultdict(dict)
        for argument, table in self.ranks[call].items():
            name, read = named(argument, names), self.nearest(table, chip, version)
            if name and read and not re.match('out|output', name):
                found[read[0]][name] = read[1]
        return found

    def types_of(self, call, names, chip, version):
        """{(argument of the schema, types that one call takes): Origin}"""
        found = {}
        for argument, table in self.types[call].items():
            name, read = named(argument, names), self.nearest(table, chip, version)
            if name and read:
                found[name, frozenset(read[0])] = read[1]
        return found

    def limits(self, op, calls, names, chip, version):
        """{Limit: Origin} of what each of the calls refuses that an operator may make."""
        found, ranks = {}, [self.ranks_of(call, names, chip, version) for call in calls]
        types = [self.types_of(call, names, chip, version) for call in calls]
        for most, arguments in ranks[0].items():
            common = [name for name in arguments if all(name in other.get(most, ()) for other in ranks[1:])]
            if common:
                found[rank_limit(common, most)] = arguments[min(common)]
        for (name, taken), origin in types[0].items():
            if all((name, taken) in other for other in types[1:]):
                found[type_limit(op, name, taken)] = origin
        return found


def table_of(arguments, calls, signatures, versions):
    """Rows of npu/arguments.tsv. calls: {operator: the calls that it makes}; signatures: {operator: its argument names}."""
    chips_of, origins = defaultdict(list), {}
    for op, made in sorted(calls.items()):
        for version in versions:
            for chip in arguments.chips:
                for limit, origin in arguments.limits(op, made, signatures.get(op), chip, version).items():
                    chips_of[op, limit, version].append(chip)
                    known = origins.get((op, limit))
                    origins[op, limit] = max(known, origin, key=lambda one: (one.ref, one)) if known else origin
    return [((op, limit.test, ' '.join(chips), limit.en, limit.zh, *origins[op, limit]), version)
            for (op, limit, version), chips in chips_of.items()]
