"""package_ops: what third-party packages register or bind for the NPU and MUSA, since which version, with the types their checks name."""
import os
import re
from collections import defaultdict, namedtuple

from reader.checks import facts_of
from reader.functions import functions_in
from reader.preprocessor import preprocess
from reader.sources import Checkout
from reader.text import call_arguments, closing, line_of, spans, without_comments
from reader.types import listed

HEADER = ['package', 'op', 'target', 'since', 'versions', 'argument', 'takes', 'refuses', 'how', 'note', 'test-skip', 'source']
CODE = r'\.(cpp|mu|cu|h|hpp|cc|muh|cxx)$'
LARGEST = 400000
NATIVE = re.compile(r'EXEC_(?:NPU|UPDATE)\w*CMD|OpCommand|aclnn\w+|ACLNN|<<<|mudnn|MUSA_1D|cmd\.Name|RunOpApi|acl_call|EXEC_KERNEL|ATB_|atb::'
                    r'|DvppTransform|acldvpp|launch|aclrtlaunch|_impl<|RunAtbCmd|EXEC_NPU_NO_FORMAT')
TO_FLOAT = re.compile(r'\.to\(\s*(?:at::|torch::)?(?:ScalarType::Float|kFloat|torch::kFloat)|npu_dtype_cast\([^;]*kFloat')
LIBRARY = re.compile(r'TORCH_LIBRARY(_IMPL|_FRAGMENT|_EXPAND|_IMPL_EXPAND)?\(\s*([\w:]+|CONCAT\([^)]*\))\s*(?:,\s*(\w+))?\s*(?:,\s*(\w+))?\s*\)\s*\{')
REGISTERED = re.compile(r'(\w+)\.(def|impl)\(\s*(?:TORCH_SELECTIVE_NAME\(|TORCH_SELECTIVE_SCHEMA\()?\s*((?:"[^"]*"\s*)+)\)?\s*'
                        r'(?:,\s*(torch::k\w+|c10::DispatchKey::\w+|at::\w+))?\s*(?:,\s*(?:TORCH_FN\(|&|torch::dispatch\([^,]*,\s*TORCH_FN\()?\s*([\w:]+))?')
OTHER_KEYS = ('Meta', 'AutogradPrivateUse1', 'Autograd', 'CPU', 'CUDA', 'kCPU', 'AutogradCUDA', 'AutogradCPU')
SKIPPED = re.compile(r'pytest\.param\(\s*torch\.(\w+),\s*marks=pytest\.mark\.skipif\(\s*([^)]*?)(?:,\s*reason|\))', re.S)
PYTHON_TYPES = {'double': 'fp64', 'half': 'fp16', 'float': 'fp32', 'float64': 'fp64', 'float16': 'fp16', 'bfloat16': 'bf16', 'float32': 'fp32'}

Registration = namedtuple('Registration', 'namespace op key function kind path')
# bound: the namespace of what is bound to Python beside the dispatcher; dropped: bound names that are no operators
Extension = namedtuple('Extension', 'package checkout target versions wanted bound dropped')


def same(*versions):
    return [(version, version) for version in versions]


EXTENSIONS = [
    Extension('mx_driving', 'DrivingSDK', 'npu', [
        ('6.0.0-RC3', 'branch_v6.0.0-RC3'), ('6.0.0', 'branch_v6.0.0'), *same('v7.0.RC1', 'v7.1.RC1', 'v7.2.RC1', 'v7.3.0'),
        ('v26.0.0', 'branch_v26.0.0'), ('master', 'master')], '^(mx_driving/csrc|ads/common/ops/csrc|ads/csrc|mx_driving/common/ops/csrc|include)/',
        'mx_driving._C::', None),
    Extension('MindSpeed', 'MindSpeed', 'npu', same('1.0.RC1', '1.0.0_core_r0.6.0', '2.0.0_core_r0.8.0', '2.1.0_core_r0.12.1', '2.3.0_core_r0.12.1',
                                                    '26.1.0_core_r0.12.1', 'master'), '^mindspeed/ops/csrc/', 'mindspeed::',
              r'^test_|recorder|precise_match|cpp_manager|Profiler|Policy|OpName|updateStep|recordTensor|coarsen|search_kmeans|get_mask_list'),
    Extension('vllm-ascend', 'vllm-ascend', 'npu', same('v0.7.3', 'v0.8.5rc1', 'v0.9.1', 'v0.10.0rc1', 'v0.11.0', 'v0.13.0', 'v0.18.0', 'v0.23.0',
                                                        'v0.25.1rc1', 'main'), r'^csrc/.*(torch_binding\.cpp|torch_adpt)|csrc/(ops|utils)\.h', None, None),
    Extension('fbgemm_ascend', 'fbgemm-ascend', 'npu', [('efdbe91', 'HEAD')], '^src/', None, None),
    Extension('mate', 'mate', 'musa', same('v0.1.0', 'v0.1.3', 'v0.2.0', 'v0.2.2') + [('main', 'HEAD')], '^csrc/', 'mate::', None),
    Extension('vllm_musa (2024)', 'vllm_musa', 'musa', [('main', 'HEAD')], '^csrc_musa/', 'vllm::', None),
]
MMCV = same('v1.7.1', 'v1.7.2', 'v2.0.0', 'v2.0.1', 'v2.1.0', 'v2.2.0', 'main')
VISION = same('v0.9.1', 'v0.12.0', 'v0.12.0-6.0.rc2', 'v0.16.0-6.0.rc2', 'v0.16.0-6.0.0', 'v0.20.1-7.0.0', 'v0.20.1-7.1.0', 'v0.21.0-7.1.0', 'master')
MUSA_VISION = same('v1.2.1', 'v1.3.0', 'v1.3.2', 'v2.0.0', 'v2.0.1', 'v2.0.0-pt25', 'v2.1.0', 'v2.1.1', 'v2.5.0')
BITSANDBYTES = same('0.46.0', '0.47.0', '0.48.0', '0.49.0', '0.50.0', 'main')


class Code:
    """The C++ of a package at one version."""

    def __init__(self, files):
        self.plain, self.by_name = {}, defaultdict(list)
        for path, text in sorted(files.items(), key=lambda file: ('/cpu/' in file[0], file[0])):
            if re.search(CODE, path) and len(text.encode()) <= LARGEST and 'mubin' not in path:
                self.plain[path] = without_comments(text)
                for function in functions_in(preprocess(text, {}), path):
                    function.facts = facts_of(function)
                    self.by_name[function.name].append(function)

    def named(self, name, path=None):
        there = self.by_name.get(name, [])
        return next((f for f in there if f.path == path), there[0] if there else None)

    def registrations(self):
        """What TORCH_LIBRARY blocks define or implement."""
        for path, text in self.plain.items():
            for library in LIBRARY.finditer(text):
                namespace = '_C_ascend' if 'CONCAT' in library[2] else library[2]
                key = library[3] if library[3] and 'IMPL' in (library[1] or '') else ''
                for entry in REGISTERED.finditer(text[library.end():closing(text, library.end() - 1, '}')]):
                    name = ''.join(re.findall(r'"([^"]*)"', entry[3])).split('(')[0].strip()
                    space, op = name.split('::', 1) if '::' in name else (namespace, name)
                    own = (entry[4] or '').replace('torch::k', '').replace('c10::DispatchKey::', '')
                    yield Registration(space, op, key or own, (entry[5] or '').split('::')[-1], entry[2], path)

    def bindings(self):
        """(name, function, how) of what is bound to Python beside the dispatcher."""
        for path, text in self.plain.items():
            for export in re.finditer(r'TVM_FFI_DLL_EXPORT_TYPED_FUNC\(\s*(\w+)\s*,\s*([\w:]+)\s*\)', text):
                yield export[1] if export[1] != 'run' else export[2], export[2].split('::')[-1], 'TVM FFI'
            if 'PYBIND11_MODULE' not in text and 'pybind' not in path.lower() and 'TORCH_LIBRARY' in text:
                continue
            for bound in re.finditer(r'\b\w+\.def\(\s*"(\w+)"\s*,\s*&\s*([\w:]+)', text):
                yield bound[1], bound[2].split('::')[-1], 'pybind'


class Reading:
    """What a function and the ones it calls check: types by argument, refusals, whether it launches a kernel, whether it casts."""

    def __init__(self, code, function, before=()):
        self.code, self.function = code, function
        self.takes, self.refuses = {}, {}
        self.native = bool(NATIVE.search(function.body)) or function.path.endswith('.mu')
        self.casts = bool(TO_FLOAT.search(function.body))
        self.parameters = {name for name, _ in function.parameters}
        for fact in function.facts:
            if fact.kind in ('takes', 'refuses') and isinstance(fact.types, set | frozenset) and fact.types and not fact.conditions:
                lists = self.takes if fact.kind == 'takes' else self.refuses
                lists.setdefault(self.root(fact.subject), (fact.types, function.place(fact.at)))
        if len(before) < 3:
            self.follow((*before, function))

    def root(self, name, depth=0):
        """The parameter that a name comes from, or the last name on the way to it."""
        local = self.function.locals.get(name) if name not in self.parameters and depth < 3 else None
        return self.root(local.names[0], depth + 1) if local and local.names else name

    def follow(self, before):
        for call in self.function.calls:
            there = self.code.by_name.get(call.name, [])
            target = next((f for f in there if f.path == self.function.path), there[0] if len(there) == 1 else None)
            if call.method or call.qualifier.startswith(('at::', 'std::', 'torch::')) or target is None or target in before:
                continue
            inner = Reading(self.code, target, before)
            given = call_arguments(self.function.body, call.opens)
            roots = {}
            for (parameter, _), argument in zip(target.parameters, given):
                name = re.match(r'[*&]?\s*(\w+)', argument)
                roots[parameter] = self.root(name[1]) if name else ''
            for argument, types in inner.takes.items():
                if roots.get(argument):
                    self.takes.setdefault(roots[argument], types)
            self.native |= inner.native
            self.casts |= inner.casts


class Rows:
    def __init__(self):
        self.found = {}  # row without versions -> (versions, source)
        self.orders = {}

    def put(self, package, op, target, version, argument='', takes='', refuses='', how='', note='', skip='', source=''):
        key = package, op, target, argument, takes, refuses, how, note, skip
        versions = self.found.setdefault(key, ([], None))[0]
        if version not in versions[-1:]:
            versions.append(version)
        self.found[key] = versions, source

    def emit(self, package, op, target, version, code, function, how=None, note='', skip='', source=''):
        """The rows of one operator: by what its function checks."""
        if function is None:
            self.put(package, op, target, version, how=how or '', note=note, skip=skip, source=source)
            return
        reading = Reading(code, function)
        how = how or ('native kernel' if reading.native else 'composed')
        note = '; '.join(filter(None, (note, 'computed in fp32' if reading.casts else '')))
        takes = {name: said for name, said in reading.takes.items() if name in reading.parameters and 'utils.hpp' not in said[1]}
        if not takes and not reading.refuses:
            self.put(package, op, target, version, how=how, note=note, skip=skip, source=function.place())
        for name, (types, place) in sorted(takes.items()):
            self.put(package, op, target, version, name, listed(types), '', how, note, skip, place)
        for name, (types, place) in reading.refuses.items():
            self.put(package, op, target, version, name, '', listed(types), how, note, skip, place)

    def rows(self):
        for (package, op, target, *rest), (versions, source) in self.found.items():
            yield (package, op, target, versions[0], spans(self.orders[package, target], versions), *rest, source)


def mmcv_skips(files):
    """{(test, target): types that the package's own tests skip there}."""
    found = defaultdict(set)
    for path, text in files.items():
        for skipped in SKIPPED.finditer(text):
            for target in ('npu', 'musa'):
                guard = 'IS_%s_AVAILABLE' % target.upper()
                if guard in skipped[2] and 'not ' + guard not in skipped[2]:
                    found[os.path.basename(path)[5:-3], target].add(PYTHON_TYPES.get(skipped[1], skipped[1]))
    return found


def musa_launcher(code, function):
    """The function of a .mu file that a host function launches, else the host function."""
    for name in re.findall(r'\b(\w+(?:Launcher|_launcher|MUSAKernel\w*|_musa))\s*\(', function.body):
        if code.by_name.get(name) and code.by_name[name][0].path.endswith('.mu'):
            return code.by_name[name][0]
    return function


def mmcv(sources, rows):
    checkout = Checkout(sources, 'mmcv')
    rows.orders['mmcv', 'npu'] = rows.orders['mmcv', 'musa'] = [version for version, _ in MMCV]
    for version, ref in MMCV:
        skips = mmcv_skips(checkout.files(ref, r'^tests/test_ops/[^/]*\.py$'))
        for target in ('npu', 'musa'):
            code = Code(checkout.files(ref, '^mmcv/ops/csrc/pytorch/%s/' % target))
            for path, text in code.plain.items():
                for entry in re.finditer(r'REGISTER_(?:NPU|DEVICE)_IMPL\(\s*(\w+)\s*,\s*(?:\w+\s*,\s*)?(\w+)\s*\)', text):
                    if entry[1] == 'key':
                        continue
                    op = re.sub('_impl$', '', entry[1])
                    function = code.named(entry[2]) or code.named(entry[1].replace('_impl', '_' + target))
                    skip = {t for (test, where), types in skips.items() for t in types
                            if where == target and (op.startswith(test) or test.replace('_', '') in op.replace('_', ''))}
                    if function is not None and target == 'musa':
                        function = musa_launcher(code, function)
                    how = 'native kernel' if function is None or target == 'musa' else None
                    rows.emit('mmcv', 'mmcv::' + op, target, version, code, function, how, '', listed(skip), path)


def vision(sources, rows):
    checkout = Checkout(sources, 'vision')
    rows.orders['torchvision_npu', 'npu'] = [version for version, _ in VISION]
    for version, ref in VISION:
        files = checkout.files(ref, '^torchvision_npu/')
        code = Code(files)
        for entry in code.registrations():
            if entry.kind == 'impl':
                how = 'CPU' if entry.key == 'CPU' or '/cpu/' in entry.path else 'cast, then the kernel' if 'Autocast' in entry.key else None
                note = 'key ' + entry.key if entry.key not in ('PrivateUse1', 'XLA') else ''
                rows.emit('torchvision_npu', '%s::%s' % (entry.namespace, entry.op), 'npu', version, code, code.named(entry.function, entry.path),
                          how, note, '', entry.path)
        for path, text in files.items():
            for replaced in re.finditer(r'^\s*(torchvision\.ops\.[\w.]+)\s*=\s*(\w+)', text, re.M) if path.endswith('.py') else ():
                rows.put('torchvision_npu', replaced[1].rstrip('.'), 'npu', version, how='replaced in Python', source=path)


def musa_vision(sources, rows):
    package, checkout = 'torchvision in torch_musa', Checkout(sources, 'torch_musa')
    rows.orders[package, 'musa'] = [version for version, _ in MUSA_VISION]
    for version, ref in MUSA_VISION:
        code = Code(checkout.files(ref, '^torch_musa/csrc/aten/.*torchvision'))
        for entry in code.registrations():
            if entry.kind == 'impl' and entry.namespace == 'torchvision':
                cast = 'Autocast' in entry.key
                function = next((f for f in code.by_name.get(entry.function, []) if f.path == entry.path), None)
                rows.emit(package, 'torchvision::' + entry.op, 'musa', version, code, function, 'cast, then the kernel' if cast else 'native kernel',
                          'key ' + entry.key if cast else '', '', entry.path)


def extension(sources, rows, spec):
    checkout = Checkout(sources, spec.checkout)
    rows.orders[spec.package, spec.target] = [version for version, _ in spec.versions]
    for version, ref in spec.versions:
        code, seen = Code(checkout.files(ref, spec.wanted)), {}
        for name, there in code.by_name.items():
            there[:] = [function for function in there if 'meta' not in function.path.lower()]
        for entry in code.registrations():
            if entry.key in OTHER_KEYS:
                if 'CPU' in entry.key and not entry.key.startswith('Autograd'):
                    seen.setdefault((entry.namespace, entry.op), ('CPU', entry))
            elif entry.kind == 'def' and not entry.function:
                seen.setdefault((entry.namespace, entry.op), ('', entry))
            elif entry.function or (entry.namespace, entry.op) not in seen:
                seen[entry.namespace, entry.op] = '', entry
        for (namespace, op), (how, entry) in sorted(seen.items(), key=lambda item: item[0]):
            if (entry.function or how) and not (spec.dropped and re.search(spec.dropped, op)):
                rows.emit(spec.package, '%s::%s' % (namespace, op), spec.target, version, code, code.named(entry.function, entry.path),
                          how or None, '', '', entry.path)
        for name, function, how in code.bindings() if spec.bound else ():
            if not (spec.dropped and how == 'pybind' and re.search(spec.dropped, name)):
                there = code.by_name.get(function) or [None]
                rows.emit(spec.package, spec.bound + name, spec.target, version, code, there[0], None, how + ', not in the dispatcher')


def bitsandbytes(sources, rows):
    """Its operators of PyTorch that have a generic kernel; and the backend of a branch that was never merged."""
    checkout, branch = Checkout(sources, 'bitsandbytes'), 'multi-backend-refactor'
    for target in ('npu', 'musa'):
        rows.orders['bitsandbytes', target] = [version for version, _ in BITSANDBYTES]
    for version, ref in BITSANDBYTES:
        generic, names = checkout.text(ref, 'bitsandbytes/backends/default/ops.py'), checkout.text(ref, 'bitsandbytes/_ops.py')
        there = set(re.findall(r'register_kernel\(\s*"(bitsandbytes::[\w.]+)"\s*,\s*"default"', generic or ''))
        for op in sorted(set(re.findall(r'"(bitsandbytes::[\w.]+)"', names or ''))) if generic else ():
            for target in ('npu', 'musa'):
                rows.put('bitsandbytes', op, target, version, how='composed' if op in there else 'not implemented',
                         note='generic kernel of PyTorch operators, none for this device' if op in there else 'no generic kernel, none for this device',
                         source='bitsandbytes/backends/default/ops.py' if op in there else 'bitsandbytes/_ops.py')
    package, path = 'bitsandbytes (branch %s)' % branch, 'bitsandbytes/backends/npu.py'
    rows.orders[package, 'npu'] = [branch]
    text = checkout.text(branch, path) or ''
    for method in re.finditer(r'^    def (\w+)\(', text, re.M):
        if method[1].startswith('__') or method[1] == 'device_synchronize':
            continue
        body = text[method.end():].split('\n    def ')[0]
        refuses = re.search(r'\)[^:]*:\s*(?:"""[\s\S]*?"""\s*)?raise NotImplementedError', body) and 'lib.' not in body
        types = 'fp32 fp16 bf16' if 'torch.float32' in body and 'bfloat16' in body else ''
        rows.put(package, 'bitsandbytes.functional.' + method[1], 'npu', branch, 'A' if types else '', types,
                 how='not implemented' if refuses else 'native kernel' if 'lib.' in body else 'composed',
                 note='nf4 only' if 'quantization data type' in body else '', source='%s:%d' % (path, line_of(text, method.start())))


def apex(sources, rows):
    rows.orders['apex (Ascend)', 'npu'] = ['master']
    for path, text in Checkout(sources, 'apex').files('master', r'^src/apex/optimizers/(npu_fused_\w+|lamb)\.py$').items():
        name = re.search(r'^class (\w+)\(Optimizer', text, re.M)
        called = sorted(set(re.findall(r'torch_npu\.(npu_\w+)', text)))
        rows.put('apex (Ascend)', 'apex.optimizers.' + (name[1] if name else os.path.basename(path)[:-3]), 'npu', 'master', how='composed',
                 note='calls ' + ' '.join(called) if called else 'PyTorch operators over one combined tensor', source=path)


def package_ops(sources):
    """The rows of every package whose checkout is there, and what is missing."""
    rows, missing = Rows(), []
    readers = [musa_vision, bitsandbytes, apex, mmcv, vision] + [
        lambda folder, found, spec=spec: extension(folder, found, spec) for spec in EXTENSIONS]
    for reader in readers:
        try:
            reader(sources, rows)
        except FileNotFoundError as error:
            missing.append(str(error))
    return list(rows.rows()), missing
