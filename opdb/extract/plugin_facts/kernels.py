"""musa_kernel_limits: for every operator that a torch_musa release registers, the types and conditions that its kernel checks."""
import os
import re
from collections import defaultdict

from plugin_facts.follow import LIBRARY_PATHS, Follower
from plugin_facts.schemas import entries, schemas_of
from plugin_facts.summary import summary
from reader.checks import facts_of
from reader.functions import functions_in
from reader.preprocessor import preprocess
from reader.text import closing, line_of, read_table, spans, without_comments
from reader.types import types_in

HEADER = ['op', 'kernel', 'argument', 'takes', 'refuses', 'other', 'host', 'source', 'releases']
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ATEN = 'torch_musa/csrc/aten/'
YAML = ATEN + 'ops/musa_functions.yaml'
KEYS = ('PrivateUse1', 'QuantizedPrivateUse1', 'SparsePrivateUse1', 'SparseCsrPrivateUse1', 'NestedTensorPrivateUse1')
CODE = re.compile(r'\.(cpp|mu|cu|muh|cuh|h)$')
REGISTERS = re.compile(r'(?:ADVANCED_REGISTER|REDEFINE_REGISTER|REGISTER_IMPL)\(\s*aten\s*,\s*(\w+)\s*,\s*"(?:aten::)?([^"]+)"\s*,\s*([\w:]+)')
LIBRARY = re.compile(r'TORCH_LIBRARY_IMPL\(\s*(\w+)\s*,\s*(\w+)\s*,\s*\w+\s*\)\s*\{')
IMPL = re.compile(r'm\.impl\(\s*(?:TORCH_SELECTIVE_NAME\()?\s*"([^"]+)"\)?\s*,\s*(?:TORCH_FN\(|&)?\s*([\w:]+)')
# the build that is read: MUSA, muDNN and the chip a release was made for
BUILDS = [('2.7', '4033', '3100', '310'), ('2', '4030', '3000', '310'), ('1', '3010', '2700', '220')]


def build_of(release):
    musa, mudnn, chip = next(build[1:] for build in BUILDS if release.startswith(build[0]))
    return {'REAL_MUSA_VERSION': musa, 'MUDNN_VERSION': mudnn, 'TORCH_MUSA_ARCH': chip, 'MUSA_ARCH': chip, 'AT_PER_OPERATOR_HEADERS': '1'}


class Release:
    def __init__(self, name, files, schemas):
        self.name, self.files, self.schemas = name, files, schemas
        self.plain = {path: without_comments(text) for path, text in files.items() if CODE.search(path)}
        self.by_name = defaultdict(list)
        for path, text in sorted(files.items(), key=lambda file: (ATEN + 'ops/' not in file[0], file[0])):
            if CODE.search(path):
                for function in functions_in(preprocess(text, build_of(name)), path):
                    function.facts = facts_of(function)
                    self.by_name[function.name].append(function)
        self.stubs = {m[1]: m[2].split('::')[-1] for path, text in self.plain.items() if path.endswith(('.cpp', '.mu'))
                      for m in re.finditer(r'REGISTER_(?:MUSA_|CUDA_|)DISPATCH\(\s*(\w+)\s*,\s*&?\s*([\w:]+)', text)}
        check = re.search(r'#define MUSA_TENSOR_TYPE_CHECK\(self\)(.*?)"Now', files.get(ATEN + 'utils/Utils.h', ''), re.S)
        self.checked_types = types_in(check[1]) if check else set()
        self.mudnn_types = {name for functions in self.by_name.values() for function in functions
                            if function.path.endswith('utils/Utils.cpp') and function.name != 'DTypeSize'
                            for fact in function.facts if fact.kind == 'takes' and len(fact.types) > 6 for name in fact.types}
        self.kernel_tables = dict(filter(None, map(self.kernel_table, sorted(self.plain))))
        self.registered = self.read_registrations()
        self.kernels = {(op, key): kernel for op, key, kernel in self.registered if kernel}

    def kernel_table(self, path):
        """A file that chooses its kernel from a table of types: (file, (types, place))."""
        if os.path.dirname(path) + '/' != ATEN + 'ops/musa/':
            return None
        rows = list(re.finditer(r'^[ \t]*REGISTER_KERNEL\(\s*((?:at::)?ScalarType::\w+)', self.plain[path], re.M))
        types = types_in(' '.join(row[1] for row in rows))
        return (os.path.basename(path), (types, '%s:%d' % (path, line_of(self.plain[path], rows[0].start())))) if types else None

    def read_registrations(self):
        """(operator, dispatch key, kernel or None: the one of PyTorch)."""
        found = set()
        for entry in entries(self.files.get(YAML, '')):
            dispatch = entry.get('dispatch') if isinstance(entry.get('dispatch'), dict) else {}
            found |= {(entry['func'], key, kernel) for key, kernel in (dispatch or {'PrivateUse1': None}).items()} if 'func' in entry else set()
        for path, text in self.plain.items():
            if not path.endswith(('.cpp', '.mu', '.h')) or path.endswith('/register_wrapper.h'):
                continue
            found |= {(m[2], m[1], m[3].split('::')[-1]) for m in REGISTERS.finditer(text)}
            for library in LIBRARY.finditer(text):
                for m in IMPL.finditer(text[library.end():closing(text, library.end() - 1, '}')]):
                    namespace, _, op = m[1].rpartition('::')
                    namespace = namespace or library[1]
                    if namespace in ('aten', 'quantized'):
                        found.add(((namespace + '::' if namespace != 'aten' else '') + op, library[2], m[2].split('::')[-1]))
        return sorted((row for row in found if row[1] in KEYS), key=lambda row: (row[0], row[1], row[2] or ''))

    def pick(self, name, path, count=None):
        """The function of a name that a call in a file means; count: its number of arguments."""
        there = self.by_name.get(name)
        if not there:
            return None
        dense = [f for f in there if '/quantized/' not in f.path]
        if count is not None and not any(f.path == path and len(f.parameters) >= count for f in there):
            exact = [f for f in dense if len(f.parameters) == count]
            if exact:
                return exact[0]
        near = [f for f in there if f.path == path] or dense or there
        if count is None:
            return near[0]
        return ([f for f in near if len(f.parameters) == count] or [f for f in near if len(f.parameters) >= count] or near)[0]

    def kernel_of(self, op, key, kernel):
        """The name of the kernel that runs: the own one, the one of the structured operator, or PyTorch's."""
        if kernel is None:
            target = self.schemas[op].delegate if op in self.schemas and self.schemas[op].delegate else op
            dispatch = self.schemas[target].dispatch if target in self.schemas else {}
            kernel = self.kernels.get((target, key)) or self.kernels.get((op, key)) or next(
                filter(None, map(dispatch.get, ('CUDA', 'CompositeExplicitAutograd', 'CompositeExplicitAutogradNonFunctional', 'CPU'))), None)
        return kernel and kernel.split('::')[-1]


def parameter_names(function, schema):
    """What each parameter of a kernel is in the schema of its operator."""
    given = schema.arguments if schema else []
    if given and len(given) <= len(function.parameters):
        names = {name: given[index] if index < len(given) else 'result' for index, (name, _) in enumerate(function.parameters)}
    else:
        names = {name: name for name, _ in function.parameters}
    names.pop('', None)
    declared = dict(function.parameters)
    return {name: argument for name, argument in names.items() if re.search(r'Tensor|ScalarType|Iterator', declared.get(name, ''))} or names


def rows_for(release, words, op, key, kernel):
    kernel = release.kernel_of(op, key, kernel)
    if kernel is None:
        return []
    function = release.pick(kernel, '')
    if function is not None and not any(part in function.path for part in LIBRARY_PATHS if part != 'elemwise/'):
        names = parameter_names(function, release.schemas.get(op))
    else:
        base = op.split('.')[0]
        stubs = words['stubs'][base].split() if base in words['stubs'] else [base.rstrip('_') + '_stub']
        function = next(filter(None, (release.pick(release.stubs.get(stub, ''), '') for stub in stubs)), None)
        if function is None:
            return [{'op': op, 'kernel': kernel, 'argument': '', 'takes': '*', 'refuses': '', 'other': set(), 'host': '', 'source': 'cuda:' + kernel}]
        kernel = function.name
        names = {name: 'self' if name in ('iter', 'in', 'self', 'input') else name for name, _ in function.parameters}
    follower = Follower(release)
    follower.follow(function, names)
    rows = summary(release, words, kernel, function, follower.found, names)
    return [dict(row, op=op, kernel=kernel) for row in rows]


def corrected(rule, row, release, order):
    """The row with a rule of musa_rules.tsv applied, or None."""
    if rule['from'] and order.index(release) < order.index(rule['from']):
        return row
    for column in ('op', 'kernel', 'argument', 'takes', 'refuses', 'other', 'host'):
        value = '; '.join(sorted(row['other'])) if column == 'other' else row[column]
        if rule[column] and not (value == '' if rule[column] == '-' else re.fullmatch(rule[column], value)):
            return row
    for change in rule['change'].split('|'):
        if change == 'drop':
            return None
        column, sign, value = re.match(r'(\w+)([+-]?=)(.*)', change).groups()
        if column == 'other':
            row['other'] = {value} if sign == '=' else row['other'] | {value} if sign == '+=' else row['other'] - {value}
        else:
            row[column] = value if sign == '=' else ' '.join(name for name in row[column].split() if name != value)
    return row


def release_rows(release, words, rules, order):
    for op, key, kernel in release.registered:
        if kernel is None and (op, key) in release.kernels:
            continue
        for row in rows_for(release, words, op, key, kernel):
            for rule in rules:
                row = corrected(rule, row, release.name, order)
                if row is None:
                    break
            if row is not None:
                other = row['other'] | ({'key ' + key} if key != 'PrivateUse1' else set())
                yield tuple('; '.join(sorted(other)) if column == 'other' else row[column] for column in HEADER[:7]), row['source']


def kernel_limits(checkout, releases, sources):
    """releases: (name, ref, version of PyTorch)."""
    words, rules = defaultdict(dict), read_table(os.path.join(HERE, 'musa_rules.tsv'))
    for row in read_table(os.path.join(HERE, 'musa_words.tsv')):
        words[row['kind']][row['text']] = row['words']
    found, order = defaultdict(list), [name for name, _, _ in releases]
    for name, ref, torch in releases:
        release = Release(name, checkout.files(ref, '^' + ATEN + r'.*(\.(cpp|mu|cu|muh|cuh|h)|functions\.yaml)$'), schemas_of(sources, torch))
        for row, source in release_rows(release, words, rules, order):
            found[row].append((name, source))
    return [row + (places[-1][1], spans(order, [name for name, _ in places])) for row, places in found.items()]
