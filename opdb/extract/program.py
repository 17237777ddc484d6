"""What the two programs share: the tables that are asked for, with the rows that people read, written to a folder."""
import itertools
import os
import sys

from reader.text import read_table, write_table

HERE = os.path.dirname(os.path.abspath(__file__))


def by_hand(table, header):
    """The reviewed rows of a table; a cell of aclnn or chip with several names stands for a row each."""
    path = os.path.join(HERE, 'by_hand', table + '.tsv')
    for row in read_table(path) if os.path.exists(path) else ():
        cells = [row[column].split() or [''] if column in ('aclnn', 'chip') else [row[column]] for column in header]
        yield from itertools.product(*cells)


def releases(target, columns):
    """These columns of every release, in the order of the fact text."""
    with open(os.path.join(os.path.dirname(HERE), target, 'releases.tsv'), encoding='utf-8') as lines:
        header, *rows = [line.rstrip('\n').removeprefix('# ').split('\t') for line in lines]
    return [tuple('' if row[header.index(column)] == '.' else row[header.index(column)] for column in columns.split()) for row in rows]


def run(doc, tables, arguments):
    """tables: {name: (header, function from the folder of sources to rows)}."""
    if len(arguments) < 2 or not set(arguments[2:]) <= set(tables):
        print(doc, file=sys.stderr)
        return 2
    missing = 0
    for name in arguments[2:] or tables:
        header, read = tables[name]
        try:
            rows = {*map(tuple, read(arguments[0])), *by_hand(name, header)}
        except FileNotFoundError as error:
            print('%s: %s' % (name, error), file=sys.stderr)
            missing += 1
            continue
        write_table(os.path.join(arguments[1], name + '.tsv'), header, rows)
        print('%s: %d rows' % (name, len(rows)), file=sys.stderr)
    return 1 if missing else 0
