"""The fact text: tables with spans and without, read with checks, changed in memory, and written all at once or not at all."""
import os
import re
from collections import namedtuple

from reader.text import spans

OPTIONS, LIST, TEXT, WRITING = 2, 3, 4, 6  # why an import is refused, as exit statuses
COLUMNS = {name: columns.split() for name, columns in {
    'sources.tsv': 'source target repository ref path kind remark',
    'package_ops.tsv': 'op target package argument since last takes refuses how note skips path',
    'torch/versions.tsv': 'version wheel overloads source',
    'torch/universe.tsv': 'op kind has structured_delegate autogen_of variants tags keys torch',
    'torch/schemas.tsv': 'op signature torch',
    'torch/gradients.tsv': 'node forward calls torch',
    'torch/apis.tsv': 'api about calls backward source',
    'npu/releases.tsv': 'release ref torch plugin kind date commit op_plugin op_plugin_branch op_plugin_yaml codegen key custom_ns'
                        ' fallback list rows dense_rows',
    'npu/versions.tsv': 'torch pip cann release remark source',
    'npu/support.tsv': 'ns op key origin acl_op op_api symint exposed_py internal_format_opapi status note host_path acl_launch source'
                       ' releases',
    'npu/collectives.tsv': 'collective reduce_op dtypes supported note path source releases',
    'npu/cann.tsv': 'cann plugin source',
    'npu/units.tsv': 'op unit dtypes chips kernels note cann',
    'npu/arguments.tsv': 'op test chips en zh path ref source cann',
    'npu/custom_units.tsv': 'op unit dtypes chips kernels note cann',
    'npu/custom_arguments.tsv': 'op test chips en zh path ref source cann',
    'npu/plugin_arguments.tsv': 'op test chips en zh path ref source releases',
    'npu/custom_calls.tsv': 'op call path plugin source',
    'rules/names.tsv': 'list name reason source',
    'npu/calls.tsv': 'op call path plugin source',
    'npu/aclnn.tsv': 'call path ref source',
    'npu/casts.tsv': 'op kernel argument dtypes becomes path plugin source cann',
    'musa/releases.tsv': 'release ref torch plugin kind date commit key fallback list rows dense_rows',
    'musa/support.tsv': 'ns op key origin status note kernel host_path source releases',
    'musa/arguments.tsv': 'op test en zh path source releases',
    'musa/arguments_by_hand.tsv': 'op test en zh path source releases',
    'musa/collectives.tsv': 'collective reduce_op dtypes supported note path source releases',
    'musa/kernel_limits.tsv': 'op argument takes refuses other host path source releases',
    'musa/tested_types.tsv': 'op types path source releases',
}.items()}
CONTROL = re.compile('[\0-\x08\x0b-\x1f\x7f]')


class Place(namedtuple('Place', 'file line', defaults=[0])):
    def __str__(self):
        return '%s:%d' % self if self.line else str(self.file)


class Refused(Exception):
    """The reason why no table is written: an exit status, a sentence, and its place."""

    def __init__(self, status, message, place=None):
        super().__init__('%s: %s' % (place, message) if place else message)
        self.status = status


class Malformed(Refused):
    """An error in a list of a vendor, at its line."""

    def __init__(self, place, message):
        super().__init__(LIST, message, place)


def read_text(path, status=LIST):
    """The text of a UTF-8 file."""
    try:
        with open(path, 'rb') as file:
            data = file.read()
        bad = data.find(0)
        text = data.decode('utf-8')
    except OSError as error:
        raise Refused(status, error.strerror, Place(path)) from error
    except UnicodeDecodeError as error:
        raise Refused(status, 'byte %d is not UTF-8' % (error.start + 1), Place(path, data.count(b'\n', 0, error.start) + 1)) from error
    if bad >= 0:
        raise Refused(status, 'this is not text: it has a byte 0', Place(path, data.count(b'\n', 0, bad) + 1))
    return text


def read_rows(path, status):
    """(place, cells) of every line of tab separated cells; the first line, which names the columns, has as many."""
    *lines, rest = read_text(path, status).split('\n')
    if rest or not lines:
        raise Refused(status, 'the last line does not end in a line feed', Place(path, len(lines) + 1))
    width = lines[0].count('\t') + 1
    for number, line in enumerate(lines, 1):
        cells = line.split('\t')
        if CONTROL.search(line):
            raise Refused(status, 'a control character', Place(path, number))
        if len(cells) != width:
            raise Refused(status, 'expected %d columns, found %d' % (width, len(cells)), Place(path, number))
        yield Place(path, number), cells


def covered(text, order, place, status=TEXT):
    """The names of an ordered list that spans such as "a..c e" cover."""
    found = []
    for span in text.split(' '):
        first, dots, last = span.partition('..')
        unknown = [name for name in (first, last if dots else first) if name not in order]
        if unknown:
            raise Refused(status, '"%s" in the span is unknown' % unknown[0], place)
        names = order[order.index(first):order.index(last if dots else first) + 1]
        if not names:
            raise Refused(status, '"%s" is before the beginning of its span' % last, place)
        found += names
    return found


def line_of(cells):
    return '\t'.join(cell or '.' for cell in cells) + '\n'


class Table:
    """A table without spans: rows are {column: cell}, and an empty cell is ''."""

    def __init__(self, columns, rows=()):
        self.columns, self.rows = columns, list(rows)

    def find(self, column, value):
        return next((row for row in self.rows if row[column] == value), None)

    def names(self):
        return [row[self.columns[0]] for row in self.rows]

    def insert(self, at, **cells):
        self.rows.insert(at, dict(dict.fromkeys(self.columns, ''), **cells))
        return self.rows[at]

    def text(self):
        return '# ' + '\t'.join(self.columns) + '\n' + ''.join(line_of(row.values()) for row in self.rows)


class Spans:
    """A table whose last column is spans over an ordered list of names: {the other cells: the names at which the row holds}. A name
    that is put into the order later is covered by no row."""

    def __init__(self, columns, rows=()):
        self.columns, self.rows = columns, {}
        for cells, names in rows:
            self.add(cells, names)

    def add(self, cells, names):
        self.rows.setdefault(tuple(cells), set()).update(names)

    def at(self, name):
        return [cells for cells, names in self.rows.items() if name in names]

    def remove(self, name):
        for names in self.rows.values():
            names.discard(name)

    def text(self, order, keys=0):
        """Sorted by the first cells, then by the first name; without keys in the order of reading."""
        rows = [(cells, names) for cells, names in self.rows.items() if names]
        if keys:
            place = {name: at for at, name in enumerate(order)}
            rows.sort(key=lambda row: (row[0][:keys], min(place[name] for name in row[1])))
        return '# ' + '\t'.join(self.columns) + '\n' + ''.join(line_of([*cells, spans(order, names)]) for cells, names in rows)


class FactText:
    """The tables in a folder, and the new texts of some of them."""

    def __init__(self, folder):
        self.folder, self.changes = folder, {}

    def read(self, name):
        """The columns of a table, and (place, cells) of its rows."""
        (place, header), *rows = read_rows(os.path.join(self.folder, name), TEXT)
        columns = [header[0].removeprefix('# '), *header[1:]]
        if not header[0].startswith('# ') or columns != COLUMNS.get(name, columns):
            raise Refused(TEXT, 'expected "# " and the columns %s' % ' '.join(COLUMNS.get(name, [])), place)
        for place, cells in rows:
            if any(not cell or cell != cell.strip() for cell in cells):
                raise Refused(TEXT, 'a cell is empty or padded; an empty cell is written "."', place)
        return columns, [(place, ['' if cell == '.' else cell for cell in cells]) for place, cells in rows]

    def table(self, name):
        columns, rows = self.read(name)
        return Table(columns, (dict(zip(columns, cells)) for place, cells in rows))

    def spans_in(self, folder, order):
        """{name: table} of the tables in a folder with spans over this order, of releases or, for torch, of versions."""
        column, found = 'torch' if folder == 'torch' else 'releases', {}
        for file in sorted(os.listdir(os.path.join(self.folder, folder))):
            name = '%s/%s' % (folder, file)
            columns, rows = self.read(name) if file.endswith('.tsv') else ([''], [])
            if columns[-1] == column:
                found[name] = Spans(columns, ((cells[:-1], covered(cells[-1], order, place)) for place, cells in rows))
        return found

    def put(self, name, text):
        self.changes[name] = text

    def write(self):
        """Write the tables that differ: every one beside the old one first, then all of them in its place."""
        staged = []
        try:
            for name, text in self.changes.items():
                path = os.path.join(self.folder, name)
                if os.path.exists(path) and read_text(path, TEXT) == text:
                    continue
                staged.append(path)
                with open(path + '.new', 'w', encoding='utf-8', newline='\n') as out:
                    out.write(text)
            for path in staged:
                os.replace(path + '.new', path)
        except OSError as error:
            raise Refused(WRITING, 'cannot write it: %s' % error.strerror, Place(staged[-1])) from error
        finally:
            for path in staged:
                if os.path.exists(path + '.new'):
                    os.remove(path + '.new')

    def report(self):
        for name, text in self.changes.items():
            print('%s: %d bytes' % (name, len(text.encode())))
