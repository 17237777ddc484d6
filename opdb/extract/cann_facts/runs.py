"""Interprets every aclnn interface that op-plugin calls and every l0 function, for each chip and data type, on several processors."""
import multiprocessing
import os
import re
import sys
from collections import namedtuple

from cann_facts.interpreter import Interpreter
from cann_facts.library import Library, is_l0, parsed_files
from cann_facts.names import COMMON, HELPERS
from cann_facts.paths import REJECTED, collapsed, conjunction, in_words, leaves, tree, when
from reader.syntax import Call, Name

# the chips that are read at each version: all at one, elsewhere what shows how versions differ
INTERFACE_CHIPS = {'8.3': ['910B', '910A', '310P'], '8.5.0': ['910B', '910A', '310P', '950', '910_93', '310B'], '9.0.0': ['910B'],
                   '9.1.0': ['910B', '910A', '950']}
L0_CHIPS = {'8.3': ['910A', '910B'], '8.5.0': ['910A', '910B', '910_93', '310P', '310B', '950'], '9.0.0': ['910A', '910B', '950'],
            '9.1.0': ['910A', '910B', '950']}
L0_TYPES = COMMON + ['uint16', 'uint32', 'uint64']
INTERFACE_PATHS, FEWER_PATHS, L0_PATHS = 32, 12, 40
UNITS = ('aicore', 'aicpu', 'dsa')
PAST_RECURSION = 5000
MEMORY = 60000  # remembered outcomes of l0 functions

# of an aclnn, chip and type: checks {argument: {types}}, requirements {(must hold, condition)}, launches {(unit, op, kernel, type): [conditions]};
# nearby: the l0 functions that its file calls anywhere, where no path calls one
Interface = namedtuple('Interface', 'aclnn routine chip type accepted more calls checks requirements launches unknown parameters nearby')
# of an l0 function, chip and type: outcomes [(condition, [(unit, op, kernel)])]
L0 = namedtuple('L0', 'name routine count chip type more outcomes')


def calls_in(node, found):
    """{name: line} of the functions that a body calls."""
    if isinstance(node, Call) and isinstance(node.function, Name):
        found.setdefault(node.function.name, node.line)
    if isinstance(node, (tuple, list)):
        for item in node:
            calls_in(item, found)
    return found


def read_interface(library, routine, chip, type_name, memory):
    paths, more = Interpreter(library, chip, type_name, memory).explore(routine, INTERFACE_PATHS if chip in ('910B', '910_93') else FEWER_PATHS)
    judge = Interpreter(library, chip, type_name)
    rejected = [judge.rejected(path) for path in paths]
    calls, checks, requirements = {}, {}, set()
    for path, refused in zip(paths, rejected):
        for argument, types in path.checks:
            checks.setdefault(argument, set()).add(types)
        if refused:
            continue
        requirements |= set(path.requirements)
        for event in path.events:
            if event.unit == 'l0' and ('aclnn' in os.path.basename(event.path) or 'level2' in event.path):
                calls.setdefault(event.op, (event.path, event.line))
    launches = {}
    for key in sorted({(e.unit, e.op, e.kernel, e.type) for path in paths for e in path.events if e.unit in UNITS}):
        labels = [(path.trace, REJECTED if refused else any((e.unit, e.op, e.kernel, e.type) == key for e in path.events))
                  for path, refused in zip(paths, rejected)]
        conditions = when(labels, True)
        if conditions:
            launches[key] = conditions
    unknown = {event.op for path in paths for event in path.events if event.unit == '?'}
    return Interface(routine.name[:-len('GetWorkspaceSize')], routine._replace(body=None, parameters=None), chip, type_name, not all(rejected), more,
                     calls, checks, requirements, launches, unknown, [(p.name, p.type) for p in routine.parameters],
                     {} if calls or launches or unknown else nearby_calls(library, routine.path))


def nearby_calls(library, path):
    """{l0 function: line} of every call in a file, without helpers and questions."""
    found = {}
    for routine in (routine for routines in library.routines.values() for routine in routines if routine.path == path):
        for name, line in calls_in(routine.body, {}).items():
            short = name.split('::')[-1]
            if name.startswith(('l0op::', '::l0op::')) and short not in HELPERS and not re.match('Is|Check|Get', short):
                found.setdefault(short, line)
    return found


def read_l0(library, name, routine, chip, type_name, memory):
    paths, more = Interpreter(library, chip, type_name, memory, True).explore(routine, L0_PATHS, True)
    labels = []
    for path in paths:
        launches = [event for event in path.events if event.unit in UNITS]
        own = [event for event in launches if os.path.dirname(event.path) == os.path.dirname(routine.path)]
        used = own if own or name in HELPERS else launches
        labels.append((path.trace, tuple(sorted({(e.unit, e.op, e.kernel, e.type, e.line, e.path) for e in used})) or REJECTED))
    outcomes = [(in_words(conjunction(conditions)), [event[:3] for event in label]) for conditions, label in leaves(collapsed(tree(labels)))
                if label != REJECTED]
    return L0(name, routine._replace(body=None, parameters=None), len(routine.parameters), chip, type_name, more, outcomes)


def interfaces(library, used):
    """The routine of each aclnn interface that is used."""
    for name, routines in sorted(library.routines.items()):
        there = [routine for routine in routines if routine.path.endswith('.cpp')]
        if name.startswith('acl') and name.endswith('GetWorkspaceSize') and name[:-len('GetWorkspaceSize')] in used and there:
            yield min(there, key=lambda routine: ('op_host' in routine.path, -len(str(routine.body))))


def l0_functions(library):
    """(name, routine) of every l0 function that is called or launches itself."""
    called = {name.split('::')[-1] for routines in library.routines.values() for routine in routines for name in calls_in(routine.body, {})
              if name.startswith(('l0op::', '::l0op::'))}
    for name, routines in sorted(library.routines.items()):
        for routine in routines:
            launches = name in called or any('LAUNCHER' in inner for inner in calls_in(routine.body, {}))
            part = name not in called and name.endswith(('AiCpu', 'AiCore', 'Aicpu', 'Aicore', 'AICPU', 'AICORE'))
            if not is_l0(routine) or not routine.path.endswith('.cpp') or not launches or part:
                continue
            newer = [other for other in routines if other.path != routine.path and len(other.parameters) == len(routine.parameters)
                     and other.path.split(':')[0] == routine.path.split(':')[0] and 'op_host' not in other.path and other.path.endswith('.cpp')]
            if not ('op_host' in routine.path and newer):
                yield name, routine


def work(task):
    """One routine on all its chips, in a worker process: what is read, or the name of what could not be read."""
    kind, number, chips = task
    found, (name, routine) = [], WORK[kind][number]
    for chip in chips:
        for type_name in COMMON if kind == 'interfaces' else L0_TYPES:
            if len(MEMORIES) > MEMORY:
                MEMORIES.clear()
            try:
                if kind == 'interfaces':
                    found.append(read_interface(WORK['library'], routine, chip, type_name, MEMORIES))
                else:
                    found.append(read_l0(WORK['library'], name, routine, chip, type_name, MEMORIES))
            except (RecursionError, TypeError, ValueError, IndexError, AttributeError, KeyError) as problem:
                print('%s on %s, %s: not read: %r' % (name, chip, type_name, problem), file=sys.stderr)
    return found


WORK, MEMORIES = {}, {}


def read_version(sources, version, used, kinds=('interfaces', 'l0'), chips=None, files=None):
    """{'interfaces': [Interface], 'l0': [L0]} of a version; used: the aclnn that are called."""
    sys.setrecursionlimit(PAST_RECURSION)
    library = Library(version, files or parsed_files(sources, version))
    WORK.update({'library': library, 'interfaces': [(routine.name, routine) for routine in interfaces(library, used)], 'l0': list(l0_functions(library))})
    MEMORIES.clear()
    found = {}
    for kind in kinds:
        on = chips or (INTERFACE_CHIPS if kind == 'interfaces' else L0_CHIPS)[version]
        with multiprocessing.get_context('fork').Pool() as pool:
            found[kind] = [one for many in pool.imap_unordered(work, [(kind, number, on) for number in range(len(WORK[kind]))], 4) for one in many]
    return found
