#!/usr/bin/env python3
"""Writes the tables of the fact text that no list of a vendor has, from a folder of CSV facts.

Usage: python3 opdb/convert.py FACTS_DIR RULES_PY_DIR [OUT_DIR]

FACTS_DIR holds universe, schemas, npu_support, npu_releases, npu_versions, musa_support, musa_releases, package_support,
api_support, api_operators, autograd_map, composite_leaves, amp_lists and soc_limits (.csv); RULES_PY_DIR holds equiv_rules.py,
the rules about backends as patterns. OUT_DIR is the folder of this script unless given. Tables that people write by hand
(sources, fallbacks, namespaces, reported, rules/dtypes, rules/implied, rules/renamed, npu/kernel_types, recipes) are not
touched. README.md beside this script says what every file and column means. The text is what is reviewed: run this only when the
CSV facts changed, then read the diff."""
import csv
import os
import re
import sys
from collections import defaultdict

OUT = os.path.dirname(os.path.abspath(__file__))

VERSION_SOURCES = {'master:COMPATIBILITY.md': 'npu-compatibility', 'v2.7.1-7.3.0:README.zh.md': 'npu-readme-7.3.0',
                   'v1.11.0:README.zh.md': 'npu-readme-1.11.0'}
PACKAGE_SOURCES = {'torchvision_npu': 'npu-vision', 'torch_musa (built with torchvision)': 'musa-vision',
                   'mmcv (built for NPU)': 'mmcv', 'mmcv (built for MUSA)': 'mmcv'}
PACKAGE_NAMES = {'mmcv (built for NPU)': 'mmcv', 'mmcv (built for MUSA)': 'mmcv'}  # one package, whatever it is built for

# --- what happens to an operator without a kernel: the text of the facts and the name in fallbacks.tsv

MECHANISMS = {'boxed fallback for every namespace on PrivateUse1': 'boxed', 'none': 'none',
              'CPU wrapper generated per op for every remaining CPU kernel': 'wrapped',
              'CPU wrapper generated per op for the tocpu list only': 'listed'}

# --- rules: an id for each row of RULES in its order, the sources of each evidence text, and the bodies that no column tells

# In place of those that are given: the kernel of one optimizer trains another way than that of another.
EQUIVALENTS = {'fused-optimizers': ['_foreach_*', '']}
RULE_IDS = ['host-query', 'onednn', 'conv-backends', 'batch-norm-backends', 'rnn-backends', 'ctc-loss-backends', 'grid-sampler-cudnn',
            'grid-sampler-cpu', 'sdpa-backends', 'transformer-fast-path', 'fused-dropout', 'fused-rnn-cells', 'weight-norm-fused',
            'cufft-plans', 'fbgemm', 'mps', 'miopen', 'cudnn', 'semi-structured-sparse', 'weight-only-quant', 'fused-optimizers', 'test-only']
EVIDENCE = [  # (part of the evidence text, source id), tried in this order; every text must be used up
    ('native_functions.yaml', 'torch'), ('Convolution.cpp', 'torch-convolution'), ('Linear.cpp', 'torch-linear'),
    ('Pooling.cpp', 'torch-pooling'), ('Normalization.cpp', 'torch-normalization'), ('MetaX:2.4 aten/src/ATen/native/RNN.cpp', 'metax-rnn-2.4'),
    ('RNN.cpp', 'torch-rnn'), ('LossCTC.cpp', 'torch-ctc'), ('GridSampler.cpp', 'torch-grid-sampler'),
    ('transformers_attention.cpp.patch', 'musa-attention-patch'), ('transformers/attention.cpp', 'torch-attention'),
    ('Dropout.cpp.patch', 'musa-dropout-patch'), ('Dropout.cpp', 'torch-dropout'), ('WeightNorm.cpp', 'torch-weight-norm'),
    ('_foreach_utils.py', 'torch-foreach-utils'), ('activation.py', 'torch-activation'), ('MetaX:2.4 (yes)', 'metax-dropout-2.4'),
    ('MetaX:2.0 (no PrivateUse1)', 'metax-dropout-2.0'), ('op-plugin c', 'npu-op-plugin'),
]
BODIES = {
    'stub': ('a composite that only throws: a backend has to override it', 'torch-convolution'),
    'bound': ("the composite's C++ body is host code of one backend: with tensors of another device it raises", 'torch'),
    'own': ('PyTorch calls it on every device, or the plugin takes its place: no rule applies', 'torch'),
}

# --- kernels of packages that no table of facts has

PACKAGE_KERNELS = [
    ('musa', 'torchvision', op, 'PrivateUse1', 'MooreThreads/vision', 'torchvision/csrc/ops/musa/roi_align_kernel.mu', 'musa-vision-fork',
     '03b35c918ec9461d265eba906c544a4434cfafe2 ce17ba9c13baeeafd6bf383ef10b49c95e10f9e4')
    for op in ('roi_align', '_roi_align_backward')
]


class Table:
    """one .tsv file: a header comment, then sorted rows; '.' is empty"""

    def __init__(self, name, columns):
        self.name, self.columns, self.rows = name, columns, []

    def add(self, *cells):
        assert len(cells) == len(self.columns), (self.name, cells)
        self.rows.append([self.cell(c) for c in cells])

    @staticmethod
    def cell(value):
        value = str(value)
        assert value != '.' and value == value.strip() and not re.search(r'[\t\r\n]', value), repr(value)
        return value or '.'

    def write(self):
        path = os.path.join(OUT, self.name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', newline='\n', encoding='utf-8') as f:
            f.write('# ' + '\t'.join(self.columns) + '\n')
            f.writelines('\t'.join(row) + '\n' for row in self.rows)


class Axis:
    """an ordered list of names and the spans over it: "a..b c" is a to b, and c"""

    def __init__(self, names):
        self.names, self.at = names, {name: n for n, name in enumerate(names)}

    def spans(self, names):
        at = sorted(self.at[n] for n in names)
        assert len(set(at)) == len(at), names
        runs = []
        for n in at:
            if runs and runs[-1][1] == n - 1:
                runs[-1][1] = n
            else:
                runs.append([n, n])
        return ' '.join(self.names[a] if a == b else self.names[a] + '..' + self.names[b] for a, b in runs)


def write_spans(name, columns, facts, axis, axis_column):
    """facts: (key cells, value cells, member of the axis); rows that differ only by the member become one row"""
    members = defaultdict(list)
    for key, values, member in facts:
        members[key, values].append(member)
    table = Table(name, columns + [axis_column])
    for (key, values), names in sorted(members.items(), key=lambda m: (m[0][0], min(axis.at[n] for n in m[1]))):
        table.add(*key, *values, axis.spans(names))
    table.write()


def natural(version):
    """rc before the final version of the same number: 5.0.rc2 < 5.0.rc2.1 < 5.0.rc3 < 5.0.0"""
    return [(0, int(p[2:])) if p.startswith('rc') else (1, int(p)) for p in re.findall(r'rc\d+|\d+', version)]


class Facts:
    def __init__(self, folder):
        self.folder = folder

    def rows(self, name):
        with open(os.path.join(self.folder, name + '.csv'), newline='', encoding='utf-8') as f:
            yield from csv.DictReader(f)


# --- torch

def convert_torch(facts):
    wheels, universe = {}, list(facts.rows('universe'))
    for r in facts.rows('sources'):
        if r['role'] == 'operator universe':
            wheels[r['release']] = r['ref'].split()[-1] if r['repository'] == 'wheel' else ''
    counts = defaultdict(int)
    for r in universe:
        assert r['op'] == r['base'] + ('.' + r['overload'] if r['overload'] else '') and r['completeness'] == 'full'
        counts[r['pytorch_version']] += 1
    axis = Axis(list(counts))
    table = Table('torch/versions.tsv', ['version', 'wheel', 'overloads', 'source'])
    for version, count in counts.items():
        table.add(version, wheels[version], count, 'torch' if wheels[version] else 'torch-' + version)
    table.write()
    has = [('cpu', 'has_cpu'), ('cuda', 'has_cuda'), ('implicit', 'composite_implicit'), ('explicit', 'composite_explicit'),
           ('nonfunctional', 'composite_explicit_nonfunctional'), ('structured', 'structured'), ('view', 'is_view')]
    write_spans('torch/universe.tsv', ['op', 'kind', 'has', 'structured_delegate', 'autogen_of', 'variants', 'tags', 'keys'],
                (((r['op'],), (r['schema_kind'], ' '.join(word for word, column in has if r[column] == '1'), r['structured_delegate'],
                               r['autogen_of'], r['variants'].replace(',', ' '), r['tags'], r['dispatch_keys']), r['pytorch_version'])
                 for r in universe), axis, 'torch')
    signatures = []
    for r in facts.rows('schemas'):
        assert r['schema'].startswith(r['op'] + '(')
        for version in axis.names[axis.at[r['first_torch']]:axis.at[r['last_torch']] + 1]:
            signatures.append(((r['op'],), (r['schema'][len(r['op']):],), version))
    write_spans('torch/schemas.tsv', ['op', 'signature'], signatures, axis, 'torch')
    return axis, sorted({r['base'] for r in universe})


# --- npu

def npu_name(release):
    """development heads get -dev: 2.1.0 alone would read as a version of torch"""
    ref = release['torch_npu_ref']
    return ref if ref == 'master' else ref[1:] + ('-dev' if release['plugin_release'] == 'dev' else '')


def npu_order(release):
    master, head = release['torch_npu_ref'] == 'master', release['plugin_release'] == 'dev'
    return master, natural(release['pytorch_version']), head, [] if head else natural(release['plugin_release'])


def npu_source(row):
    origin = row['origin']
    if origin == 'cpp':
        return 'npu-cpp' if row['note'].startswith('torch_npu/') else 'npu-op-plugin-cpp'
    generated = {'cpu-wrapper-generated': 'npu-cpu-wrapper', 'foreach-generated': 'npu-foreach', 'sparse-shared-generated': 'npu-sparse'}
    return generated.get(origin) or ('npu-op-plugin' if origin.startswith('op_plugin') else 'npu-framework')


def convert_npu(facts):
    releases = sorted(facts.rows('npu_releases'), key=npu_order)
    names = {r['torch_npu_ref']: npu_name(r) for r in releases}
    axis = Axis(list(names.values()))
    support, counts, dense = list(facts.rows('npu_support')), defaultdict(int), defaultdict(int)
    keys = {r['torch_npu_ref']: r['backend_key'] for r in releases}
    for r in support:
        counts[r['torch_npu_ref']] += 1
        dense[r['torch_npu_ref']] += r['ns'] == 'aten' and r['dispatch_key'] == keys[r['torch_npu_ref']]
    rules = {r['release']: MECHANISMS[r['mechanism']] + ('-gated' if r['env_gate'] else '')
             for r in facts.rows('fallback_rules') if r['target'] == 'npu'}
    table = Table('npu/releases.tsv', ['release', 'ref', 'torch', 'plugin', 'kind', 'date', 'commit', 'op_plugin', 'op_plugin_branch',
                                       'op_plugin_yaml', 'codegen', 'key', 'custom_ns', 'fallback', 'list', 'rows', 'dense_rows'])
    for r in releases:
        ref, plugin = r['torch_npu_ref'], r['plugin_release']
        assert dense[ref] == int(r['aten_dense_rows']) and (r['boxed_cpu_fallback'] == '1') == rules[ref].startswith('boxed'), ref
        kind = 'dev' if plugin == 'dev' else 'rc' if 'rc' in plugin else 'final'
        table.add(names[ref], ref, r['pytorch_version'], plugin, kind, r['head_date'], r['head'], r['op_plugin_commit'],
                  r['op_plugin_branch'], r['op_plugin_yaml'], r['codegen_dir'], r['backend_key'], r['custom_ns'], rules[ref],
                  'npu-op-plugin' if r['op_plugin_commit'] else 'npu-framework', counts[ref], dense[ref])
    table.write()
    values = ['origin', 'acl_op', 'op_api', 'symint', 'exposed_py', 'internal_format_opapi', 'status', 'note', 'host_path', 'acl_launch']
    write_spans('npu/support.tsv', ['ns', 'op', 'key'] + values + ['source'],
                (((r['ns'], r['op'], r['dispatch_key']), tuple(r[v] for v in values) + (npu_source(r),), names[r['torch_npu_ref']])
                 for r in support), axis, 'releases')
    convert_npu_versions(facts, names)


def convert_npu_versions(facts, names):
    """pip's version and CANN's version of each release; a branch without facts keeps its row and says so"""
    table = Table('npu/versions.tsv', ['torch', 'pip', 'cann', 'release', 'remark', 'source'])
    rows = sorted(facts.rows('npu_versions'), key=lambda r: (natural(r['pytorch_version']), natural(r['branch'].split('-')[-1]), r['torch_npu_pip']))
    for r in rows:
        pip, known = r['torch_npu_pip'], r['branch'] in names
        beta = pip.endswith('（beta）')
        remark = ' '.join(word for word, on in (('beta', beta), ('no-facts', not known)) if on)
        table.add(r['pytorch_version'], pip[:-len('（beta）')] if beta else pip, r['cann'], names.get(r['branch'], r['branch'][1:]),
                  remark, VERSION_SOURCES[r['source']])
    table.write()


# --- musa

def convert_musa(facts):
    releases = sorted(facts.rows('musa_releases'), key=lambda r: (natural(r['pytorch_version']), r['date']))
    axis = Axis([r['torch_musa_tag'][1:] for r in releases])
    support, counts, dense = list(facts.rows('musa_support')), defaultdict(int), defaultdict(int)
    for r in support:
        counts[r['torch_musa_tag']] += 1
        dense[r['torch_musa_tag']] += r['ns'] == 'aten' and r['dispatch_key'] == 'PrivateUse1'
    table = Table('musa/releases.tsv', ['release', 'ref', 'torch', 'plugin', 'kind', 'date', 'commit', 'key', 'fallback', 'list', 'rows',
                                        'dense_rows'])
    for r in releases:
        tag = r['torch_musa_tag']
        assert counts[tag] == int(r['rows']) and dense[tag] == int(r['aten_dense_rows']) and r['boxed_cpu_fallback'] == '0', tag
        table.add(tag[1:], tag, r['pytorch_version'], tag[1:], 'final', r['date'], r['commit'], 'PrivateUse1', 'none',
                  'musa-cpp-folder' if r['yaml'].startswith('(none') else 'musa-functions', counts[tag], dense[tag])
    table.write()
    source = {'musa_functions': 'musa-functions', 'cpp': 'musa-cpp', 'torch_patch': 'musa-torch-patch'}
    values = ['origin', 'status', 'note', 'kernel', 'host_path']
    write_spans('musa/support.tsv', ['ns', 'op', 'key'] + values + ['source'],
                (((r['ns'], r['op'], r['dispatch_key']), tuple(r[v] for v in values) + (source[r['origin']],), r['torch_musa_tag'][1:])
                 for r in support), axis, 'releases')


# --- rules, packages, the small tables

def evidence_sources(text):
    found = []
    for part, source in EVIDENCE:
        if part in text:
            found.append(source)
            text = text.replace(part, '')
    assert found and not re.search(r'\.(cpp|py|yaml|patch)', text), text
    return ' '.join(found)


def convert_rules(folder, bases):
    sys.path.insert(0, folder)
    import equiv_rules as given
    table = Table('rules/backend_rules.tsv', ['rule', 'specific_to', 'mode', 'npu', 'musa', 'reached_from', 'reason', 'sources'])
    names = Table('rules/backend_names.tsv', ['base', 'rule'])
    assert len(RULE_IDS) == len(given.RULES)
    taken = {}
    for rule, row in zip(RULE_IDS, given.RULES):
        pattern, specific_to, npu, musa, reached_from, reason, evidence = row
        matched = [b for b in bases if re.fullmatch(pattern, b) and b not in taken and b not in given.SELF_OK]
        manual = {bool(re.fullmatch(given.MANUAL_PAT, b)) for b in matched}
        assert len(manual) == 1, (rule, manual)
        host = specific_to in ('host query', 'test only')
        mode = 'host' if host else 'manual' if manual.pop() else given.MODE.get(specific_to, 'auto')
        equivalents = EQUIVALENTS.get(rule, ['' if e == '-' else e for e in (npu, musa)])
        table.add(rule, specific_to, mode, *equivalents, reached_from, reason, evidence_sources(evidence))
        taken.update((b, rule) for b in matched)
    table.rows.sort()
    table.write()
    for base in sorted(taken):
        names.add(base, taken[base])
    names.write()
    bodies = Table('rules/bodies.tsv', ['base', 'body', 'reason', 'source'])
    kinds = [(b, 'stub') for b in given.STUBS] + [(b, 'own') for b in given.SELF_OK] + \
            [(b, 'bound') for b in bases if re.fullmatch(given.BOUND_PAT, b)]
    assert len({b for b, _ in kinds}) == len(kinds) and {b for b, _ in kinds} <= set(bases)
    for base, kind in sorted(kinds):
        bodies.add(base, kind, *BODIES[kind])
    bodies.write()


def convert_packages(facts):
    refs = defaultdict(set)
    for r in facts.rows('package_support'):
        refs[r['target'], r['ns'], r['op'], r['dispatch_key'], PACKAGE_NAMES.get(r['package'], r['package']), r['path'],
             PACKAGE_SOURCES[r['package']]].add(r['ref'])
    table = Table('packages.tsv', ['target', 'ns', 'op', 'key', 'package', 'path', 'source', 'package_refs'])
    rows = [(*cells, ' '.join(sorted(refs[cells]))) for cells in refs]
    for cells in sorted(rows + PACKAGE_KERNELS):
        table.add(*cells)
    table.write()


# --- documents, limits, reports

def functional(name):
    name = name.lower()
    return name if name.endswith('__') else name.rstrip('_')


def about(api, calls, callers, reached):
    """the operators that what a document says of an API is said of: those that it reaches and that are called like it,
    else the only one that it always calls"""
    parts = [p for p in api.split('.')[1:] if p not in ('Tensor', 'nn', 'functional')]
    names = {functional(parts[-1]), functional('_'.join(parts))} if parts else set()
    if parts and parts[-1][:1].isupper():  # a module: nn.ReplicationPad3d is replication_pad3d
        names |= {b.lower() for b in reached if b.replace('_', '') == parts[-1].lower()}
    same = {b for b in reached if functional(b) in names or functional(b).lstrip('_') in names}
    always = {b for b, share in calls.items() if share >= 0.8 and callers[b] <= 40}
    return sorted(same or (always if len(always) == 1 else ()))


def convert_api_calls(facts):
    """calls on a device that is not the CPU, as base names; APIs that call nothing are left out"""
    calls, gradient, reached = defaultdict(dict), defaultdict(dict), defaultdict(set)
    for r in facts.rows('api_operators'):
        if r['device'] != 'cpu' and r['operator'] != '-':
            base, of = r['operator'].split('.')[0], (calls, gradient)[r['backward'] == '1'][r['api']]
            if r['backward'] == '0':
                reached[r['api']].add(base)
            if r['level'] == 'top':
                of[base] = max(of.get(base, 0), float(r['share']))
    callers = defaultdict(int)
    for of in calls.values():
        for base in of:
            callers[base] += 1
    table = Table('torch/apis.tsv', ['api', 'about', 'calls', 'backward', 'source'])
    for api, of in sorted(calls.items()):
        shares = [' '.join(f'{b}={each[b]:g}' for b in sorted(each)) for each in (of, gradient[api])]
        table.add(api, ' '.join(about(api, of, callers, reached[api])), *shares, 'api-calls')
    table.write()


def convert_leaves(facts):
    """what composite bodies always call, forward, on a device that is not the CPU"""
    calls = defaultdict(set)
    for r in facts.rows('composite_leaves'):
        if r['device'] in ('privateuse1', 'rule') and r['backward'] == '0' and r['child'] != '-' and float(r['samples_calling'] or 1) >= 0.9:
            calls[r['op']].add(r['child'])
    write_rows('torch/leaves.tsv', ['op', 'calls', 'source'], [(op, ' '.join(sorted(c)), 'composite-calls') for op, c in calls.items()])


def convert_gradients(facts, axis):
    """which operators the formula of a backward node calls: only those that are backward by name, as others run for special inputs alone,
    and none for nested tensors, whose formula stands beside that for dense ones or alone"""
    nested_alone = {'chunk', '_test_autograd_multiple_dispatch.ntonly'}
    write_spans('torch/gradients.tsv', ['node', 'forward', 'calls'],
                (((r['node'], r['forward_op']), (' '.join(c for c in r['aten_calls_in_formula'].split() if 'backward' in c and '_nested_' not in c),),
                  r['pytorch_version']) for r in facts.rows('autograd_map') if r['forward_op'] not in nested_alone), axis, 'torch')


def document_name(ref, torch):
    """the release that a document is about; master describes the development head of each line"""
    plugin = ref.split('-', 1)[1].replace('-dev', '') if '-' in ref else 'dev'
    return 'master' if torch == '2.13.0' else torch + '-' + plugin


def convert_documents(facts):
    listed = {(r['release'], r['path'].rsplit('pytorch_')[-1].replace('-', '.')): r['path']
              for r in facts.rows('sources') if r['role'].startswith('python API tables') and 'pytorch_' in r['path']}
    releases = {npu_name(r) for r in facts.rows('npu_releases')}
    rows = defaultdict(dict)
    names = {}
    for r in facts.rows('api_support'):
        key = r['source_ref'], r['pytorch_version']
        names[key] = document_name(*key)
        api = r['api'] if r['api'].startswith('torch') else 'torch.' + r['api'] if r['api'].startswith('Tensor.') else r['api']
        value = (r['supported'], r['dtypes'], r['dtypes_excluded'],
                 ' '.join(word for word, column in (('cpu', 'may_cpu_fallback'), ('other', 'other_limits')) if r[column] == '1'))
        # a name that stands twice: the entry that says more holds
        if r['hardware'] not in rows[api, names[key]] or len(''.join(value)) > len(''.join(rows[api, names[key]][r['hardware']])):
            rows[api, names[key]][r['hardware']] = value
    order = sorted(names, key=lambda k: (natural(k[1]), names[k] == 'master', names[k].endswith('-dev'), natural(names[k].split('-')[-1])))
    axis = Axis([names[k] for k in order])
    table = Table('npu/documents.tsv', ['document', 'release', 'ref', 'path', 'source'])
    for k in order:
        path = listed.get(k, 'docs/zh/PyTorch%20API支持清单.md')
        table.add(names[k], names[k] if names[k] in releases else '', k[0], path, 'npu-api-documents')
    table.write()
    cells = []
    for (api, document), by_hardware in rows.items():
        same = defaultdict(list)
        for hardware, value in by_hardware.items():
            same[value].append(hardware)
        cells += [((api, ' '.join(sorted(hardware))), value, document) for value, hardware in same.items()]
    write_spans('npu/apis.tsv', ['api', 'hardware', 'supported', 'dtypes', 'excluded', 'remarks'], cells, axis, 'documents')


def convert_chips(facts):
    releases = sorted(facts.rows('npu_releases'), key=npu_order)
    names = {r['torch_npu_ref']: npu_name(r) for r in releases}
    seen = set()
    for r in facts.rows('soc_limits'):
        source = 'npu-soc' if r['path'].startswith('torch_npu/') else 'npu-soc-op-plugin'
        key = (r['function'], r['impl'], r['path'], r['soc_condition'])
        seen.add((key, (r['branch_action'].replace('; ', ';'), source), names[r['torch_npu_ref']]))
    one = {}
    for key, value, release in sorted(seen):
        one[key, release] = (';'.join(sorted({a for a in one.get((key, release), ('',))[0].split(';') + value[0].split(';') if a})), value[1])
    write_spans('npu/chips.tsv', ['kernel', 'impl', 'path', 'condition', 'action', 'source'],
                [(key, value, release) for (key, release), value in one.items()], Axis([names[r['torch_npu_ref']] for r in releases]), 'releases')


def convert_autocast(facts):
    """which list of autocast an operator is on; the lists of CUDA are not ours to state"""
    for target, ref, releases in (('npu', 'torch_npu_ref', sorted(facts.rows('npu_releases'), key=npu_order)),
                                  ('musa', 'torch_musa_tag', sorted(facts.rows('musa_releases'), key=lambda r: (natural(r['pytorch_version']), r['date'])))):
        names = {r[ref]: npu_name(r) if target == 'npu' else r[ref][1:] for r in releases}
        seen = {((r['op'], r['list']), (r['source'], target + '-autocast'), names[r['version']]) for r in facts.rows('amp_lists') if r['target'] == target}
        write_spans(target + '/autocast.tsv', ['op', 'list', 'path', 'source'], sorted(seen), Axis(list(names.values())), 'releases')


def write_rows(name, columns, rows):
    table = Table(name, columns)
    for row in sorted(rows):
        table.add(*row)
    table.write()


def main(args):
    global OUT
    if len(args) not in (2, 3) or args[0] in ('-h', '--help'):
        sys.exit(__doc__)
    facts = Facts(args[0])
    OUT = args[2] if len(args) == 3 else OUT
    axis, bases = convert_torch(facts)
    convert_gradients(facts, axis)
    convert_npu(facts)
    convert_musa(facts)
    convert_packages(facts)
    convert_api_calls(facts)
    convert_leaves(facts)
    convert_documents(facts)
    convert_chips(facts)
    convert_autocast(facts)
    convert_rules(args[1], bases)


if __name__ == '__main__':
    main(sys.argv[1:])
