"""The fact text of one target while a release is read: its releases in their order, and what each registers."""
import datetime
import os
import re
import time
from collections import namedtuple

from fact_text.native import version
from fact_text.tables import OPTIONS, FactText, Malformed, Refused

Name = namedtuple('Name', 'release ref torch plugin kind')  # the columns of releases.tsv that the name of a release says


def today():
    seconds = int(os.environ.get('SOURCE_DATE_EPOCH', time.time()))
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).date().isoformat()


def refuse(message, *values):
    raise Refused(OPTIONS, message % values)


class Release:
    """What one release registers: rows {(ns, op, key): {column: cell}}, and old, the rows that it had."""

    def __init__(self, target, name, options):
        self.target, self.name, self.options = target, name, options
        self.text = FactText(options.opdb)
        self.releases = self.text.table(target + '/releases.tsv')
        self.check_options()
        self.tables = self.text.spans_in(target, self.releases.names())
        self.support = self.tables[target + '/support.tsv']
        self.field = self.releases.find('release', name.release)
        self.is_new = not self.field
        if self.is_new:
            self.insert()
        elif not options.force:
            refuse('the fact text has %s %s already; --force replaces what its lists say', target, name.release)
        elif self.field['torch'] != name.torch:
            refuse('%s is a release for PyTorch %s, not %s', name.release, self.field['torch'], name.torch)
        self.field.update({column: getattr(options, column) or self.field[column] for column in ('date', 'commit')})
        self.old = {cells[:3]: dict(zip(self.support.columns, cells)) for cells in self.support.at(name.release)}
        self.support.remove(name.release)
        self.rows, self.places = {}, {}

    def check_options(self):
        options = self.options
        if not self.text.table('torch/versions.tsv').find('version', self.name.torch):
            refuse("PyTorch '%s' has no universe in the fact text", self.name.torch)
        if options.source and not self.text.table('sources.tsv').find('source', options.source):
            refuse("sources.tsv has no source '%s': add its repository, ref and path there first", options.source)
        if options.date and not re.fullmatch('[0-9]{4}-[0-9]{2}-[0-9]{2}', options.date):
            refuse("'%s' is not a date (YYYY-MM-DD)", options.date)
        if not re.fullmatch('[0-9a-f]{0,64}', options.commit + getattr(options, 'plugin_commit', '')):
            refuse('a commit is written in the digits 0-9 and a-f')

    def order(self, row):
        """A key for the order of releases that opdb/README.md describes."""
        torch = row['release'] == 'master', version(row['torch'])
        return (*torch, row['date']) if self.target == 'musa' else (*torch, row['kind'] == 'dev', version(row['plugin']))

    def insert(self):
        row = dict(self.name._asdict(), date=self.options.date or today())
        behind = (at for at, other in enumerate(self.releases.rows) if self.order(other) > self.order(row))
        self.field = self.releases.insert(next(behind, len(self.releases.rows)), **row)

    def source(self, usual):
        """What rows cite: the source that the user names for everything, else this one."""
        return self.options.source or usual

    def add(self, key, place, **cells):
        if key in self.rows:
            raise Malformed(place, '"%s" is registered twice; the other entry is %s' % (key[1], self.places[key]))
        self.rows[key] = {**dict.fromkeys(self.support.columns[:-1], ''), **dict(zip(('ns', 'op', 'key'), key)), **cells}
        self.places[key] = place
        return self.rows[key]

    def keep_old(self, origins):
        """Keep the rows that only the C++ code has, in place of those of a list; returns how many."""
        kept = {key: row for key, row in self.old.items() if row['origin'] in origins}
        self.rows.update(kept)
        return len(kept)

    def difference(self):
        added, removed = self.rows.keys() - self.old.keys(), self.old.keys() - self.rows.keys()
        changed = sum(self.rows[key] != self.old[key] for key in self.rows.keys() & self.old.keys())
        return '%d added, %d removed, %d changed' % (len(added), len(removed), changed)

    def write(self):
        """Put the rows into the table, count them, write the tables and report."""
        for row in self.rows.values():
            self.support.add(row.values(), [self.name.release])
        dense = sum(row['ns'] == 'aten' and row['key'] == self.field['key'] for row in self.rows.values())
        self.field.update(rows=str(len(self.rows)), dense_rows=str(dense))
        for name, table in self.tables.items():
            self.text.put(name, table.text(self.releases.names(), 3 if table is self.support else 0))
        self.text.put(self.target + '/releases.tsv', self.releases.text())
        self.text.write()
        print('%s@%s: %d registrations, %d of them dense\n%s' % (self.target, self.name.release, len(self.rows), dense, self.difference()))
