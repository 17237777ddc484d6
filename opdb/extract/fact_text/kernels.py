"""What kernels of torch_musa, collectives and packages take: the tables of musa.py into tables of the fact text of the same rows, with
fewer columns."""
import os
import re
from collections import defaultdict, namedtuple

from fact_text import given
from fact_text.arguments import LARGEST, rank_limit
from fact_text.tables import COLUMNS, LIST, FactText, Spans, Table, covered

COLLECTIVES = 'collective reduce_op dtypes supported note source releases'

# given: the table and its columns · keys: the first cells that identify a fact · order: of the releases that the last cell has spans over ·
# cells: the given column of each cell, a text in quotes as it is · types: those that are lists of types
Copy = namedtuple('Copy', 'file given columns keys order cells types')
COPIES = [
    Copy('musa/kernel_limits.tsv', 'musa_kernel_limits.tsv', 'op kernel argument takes refuses other host source releases', 6,
         'musa/releases.tsv', "op argument takes refuses other host source 'musa-kernels'", 'takes refuses'),
    Copy('musa/tested_types.tsv', 'musa_tested_types.tsv', 'api test types source releases', 3, 'musa/releases.tsv',
         "api types source 'musa-kernels'", 'types'),
    Copy('musa/collectives.tsv', 'musa_collectives.tsv', COLLECTIVES, 5, 'musa/releases.tsv',
         "collective reduce_op dtypes supported note source 'musa-kernels'", 'dtypes'),
    Copy('npu/collectives.tsv', 'hccl_collectives.tsv', COLLECTIVES, 5, 'npu/releases.tsv',
         "collective reduce_op dtypes supported note source 'npu-collectives'", 'dtypes'),
    Copy('package_ops.tsv', 'package_ops.tsv', 'package op target since versions argument takes refuses how note test-skip source', 0, None,
         'op target package argument since versions takes refuses how note test-skip source', 'takes refuses test-skip'),
]


def types_of(cell, place):
    """The types of a list that PyTorch's tensors have; "*" stands for itself."""
    others = [word for word in cell.split() if 'qint' in word or 'quint' in word]
    return cell if cell == '*' else given.listed(given.types_in(cell, place, others))


def limits_something(row):
    """Whether an answer could use it: not a row about PyTorch's own kernel alone, or without any limit."""
    return (row['takes'] not in ('', '*') or row['refuses'] or row['host'] or 'always throws' in row['other']
            or row['other'].startswith('composed: '))


def rows_of(copy, path, about):
    """(place, given row) with the cells of the fact text."""
    for place, row in given.read(path, copy.columns):
        for column in copy.types.split():
            row[column] = types_of(row[column], place)
        if 'versions' in row:  # the last one: v2.2.0 of "v1.7.1 v2.0.0..v2.2.0"
            row['versions'] = row['versions'].split(' ')[-1].split('..')[-1]
        if 'api' in row:  # what the table of APIs says it is about, else its last part: linalg_svd for torch.linalg.svd
            op = about.get(row['api'], ' ')
            row['api'] = row['api'].split('.')[-1] if ' ' in op or not op else op
        if 'host' not in row or limits_something(row):
            yield place, row


def copied(text, copy, folder):
    """The table of the fact text from the given one in the folder."""
    about = {row['api']: row['about'] for row in text.table('torch/apis.tsv').rows}
    names = copy.cells.split()
    rows = [(place, row, tuple(name[1:-1] if name[0] == "'" else row[name] for name in names))
            for place, row in rows_of(copy, os.path.join(folder, copy.given), about)]
    columns = COLUMNS[copy.file]
    if not copy.order:
        return Table(columns, (dict(zip(columns, cells)) for cells in sorted({cells for place, row, cells in rows}))).text()
    order = text.table(copy.order).names()
    return Spans(columns, ((cells, covered(row['releases'], order, place, LIST)) for place, row, cells in rows)).text(order, copy.keys)


def rank_limits(text, copy, folder):
    """Rows of musa/arguments.tsv: tensors of more dimensions than the wrapper of muDNN takes, where every path goes through it."""
    order = text.table(copy.order).names()
    ranks, paths = defaultdict(set), {}  # (operator, release, most dimensions): arguments
    for place, row in given.read(os.path.join(folder, copy.given), copy.columns):
        most = re.search('rank<=([0-9]+)', row['other'])
        aside = re.search('also CUDA kernel|in some cases|own path|key ', row['other'])
        if not most or aside or int(most[1]) > LARGEST or not row['argument'] or row['argument'] in ('result', 'out'):
            continue
        for release in covered(row['releases'], order, place, LIST):
            ranks[row['op'], release, int(most[1])].add(row['argument'])
        paths.setdefault((row['op'], int(most[1])), row['source'])
    table = Spans(COLUMNS['musa/arguments.tsv'])
    for (op, release, most), names in ranks.items():
        table.add([op, *rank_limit(names, most), paths[op, most], 'musa-kernels'], [release])
    return table.text(order, 2)


def run(options):
    text = FactText(options.opdb)
    text.put('musa/arguments.tsv', rank_limits(text, COPIES[0], options.tables))
    for copy in COPIES:
        text.put(copy.file, copied(text, copy, options.tables))
    text.write()
    text.report()
