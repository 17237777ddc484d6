"""The functions and constants of the operator libraries' op_api sources at one version of CANN."""
import os
import pickle
import re
from collections import defaultdict, namedtuple

from cann_facts.names import LIBRARIES, UNWANTED, ref_of
from reader.sources import Checkout
from reader.syntax import parse

SOURCES = r'(op_api|/common|aclnn)[^/]*/(.*/)?[^/]*\.(cpp|h)$'
LEFT_OUT = UNWANTED + r'|/op_kernel|/fallback|/stub|(^|/)tests?/'

Routine = namedtuple('Routine', 'path name parameters body line namespace')
Place = namedtuple('Place', 'path variable')


def is_l0(routine):
    return 'l0op' in routine.namespace or 'l0op' in routine.name


def parsed_files(sources, version, cache=None):
    """{library:path: (functions, variables)}; cache: a file to keep them in."""
    if cache and os.path.exists(cache):
        with open(cache, 'rb') as kept:
            return pickle.load(kept)
    found = {}
    for library, (checkout, _) in LIBRARIES.items():
        for path, source in Checkout(sources, checkout).files(ref_of(library, version), SOURCES, LEFT_OUT).items():
            if 'op_api' in os.path.dirname(path) or 'DataType' in source:
                unit = parse(source)
                found['%s:%s' % (library, path)] = unit.functions, unit.variables
    if cache:
        with open(cache, 'wb') as kept:
            pickle.dump(found, kept)
    return found


class Library:
    def __init__(self, version, files):
        self.version = version
        self.routines, self.variables = defaultdict(list), defaultdict(list)
        self.found, self.known, self.constants = {}, {}, {}
        for path, (functions, variables) in files.items():
            for function in functions:
                routine = Routine(path, function.name, function.parameters, function.body, function.line, function.namespace)
                self.routines[function.name.split('::')[-1]].append(routine)
            for name, variable in variables.items():
                self.variables[name].append(Place(path, variable))

    def source(self, routine):
        library, path = routine.path.split(':', 1)
        return '%s@%s:%s:%d' % (library, self.version, path, routine.line)

    def lookup(self, name, count, path, l0=False):
        """The routine that a call in a file means, or None."""
        key = name, count, path, l0
        if key not in self.found:
            scored = [(self.distance(routine, count, path, l0), number, routine)
                      for number, routine in enumerate(self.routines.get(name.split('::')[-1], ())) if self.reachable(routine, count, path, l0)]
            self.found[key] = min(scored)[2] if scored else None
        return self.found[key]

    @staticmethod
    def needed(routine):
        return sum(1 for parameter in routine.parameters if parameter.default is None)

    def reachable(self, routine, count, path, l0):
        there, interface = routine.path, routine.name.split('::')[-1].startswith('aclnn')
        if l0 and not is_l0(routine) or count > len(routine.parameters):
            return False
        shared = '/common' in there or there.endswith('.h') or 'l0op' in routine.namespace or 'level' in there or 'util' in there
        near = there == path or os.path.dirname(there) == os.path.dirname(path) or 'common' in os.path.basename(there)
        if not (l0 or shared or near or interface and 'GetWorkspaceSize' in routine.name):
            return False
        missing = self.needed(routine) - count
        return missing <= 0 or missing <= 3 and (l0 or there == path or 'aclnn' in routine.name)

    def distance(self, routine, count, path, l0):
        """The smaller, the likelier: as many arguments, the same file, folder, library; op_host is the older place."""
        there = routine.path
        return (count < self.needed(routine), there != path, there != path and there.endswith('.cpp') and 'util' not in there and not l0,
                os.path.dirname(there) != os.path.dirname(path), there.split(':')[0] != path.split(':')[0], 'op_host' in there,
                len(routine.parameters) - count)

    def variable(self, name, path):
        """The constant that a name in a file means: (path, variable), or None."""
        key = name, path
        if key not in self.known:
            self.known[key] = min(self.variables.get(name, ()), default=None, key=lambda place: (
                place.path != path, os.path.dirname(place.path) != os.path.dirname(path), place.path.split(':')[0] != path.split(':')[0]))
        return self.known[key]
