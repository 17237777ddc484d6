"""Follows a kernel of torch_musa through the functions that it calls, with its arguments mapped to those of the schema."""
import re
from collections import namedtuple

from reader.text import arguments, call_arguments

# kind: takes, refuses, mudnn, host, throw, check, cuda, calls; chain: the functions on the way, each with whether it tests for complex
Finding = namedtuple('Finding', 'kind subject types conditions source chain')

DEEPEST = 8
COMPLEX_TEST = re.compile(r'is_complex\(|isComplexType|ComplexFloat|ComplexDouble|complex_case')
NOT_FOLLOWED = {'Contiguous', 'FormatContiguous', 'CreateMUTensor', 'GetMudnnHandle', 'InternalMemAlloc', 'resize_out', 'create_out',
                'check_inplace', 'empty_musa', 'EmptyMUSA', 'ResizeReduction', 'IsTranspose', 'is_musa', 'copy_', 'resize_output',
                'EmptyStridedMUSA', 'maybe_create_proxy', 'AT_DISPATCH_INDEX_TYPES'}
NOT_KERNELS = ('resize', 'get_', 'empty_like', 'wrapped', 'alpha_check', 'sub_check', 'make_', 'zero_', 'as_strided', 'expand', 'check', 'set_', 'borrow')
LIBRARY_PATHS = ('/utils/', 'elemwise/', 'MUSABlas', 'MUSASolver')


class Follower:
    def __init__(self, release):
        self.release = release
        self.found = []

    def follow(self, function, names, conditions=(), chain=(), constants=None):
        """names: what each parameter is in the schema; a '~' before it: cast to another type."""
        if len(chain) >= DEEPEST or any(function is earlier for earlier, _ in chain):
            return
        step = Step(self, function, names, list(conditions), chain, constants or {})
        step.read_facts()
        step.read_calls()


class Step:
    """One function on the way."""

    def __init__(self, follower, function, names, conditions, before, constants):
        self.follower, self.release, self.function = follower, follower.release, function
        self.names, self.around, self.constants = names, conditions, constants
        self.chain = (*before, (function, self.tests_complex()))
        if re.search(r'\bstructured_\w+\s+op\s*\(', function.body) and 'op.impl(' in function.body:
            follower.found.append(Finding('cuda', 'structured', None, conditions, function.place(), (*before, (function, False))))

    def tests_complex(self):
        for first, _, condition in self.function.branches:
            if COMPLEX_TEST.search(condition):
                others = [c for start, end, c in self.function.branches if start <= first < end and c != condition]
                if self.undecided(others) is not None:
                    return True
        return False

    def root(self, name, depth=0):
        """The argument of the schema that a local name comes from, or ''."""
        if name in self.names:
            return self.names[name]
        local = self.function.locals.get(name) if depth < 4 else None
        for used in local.names if local else ():
            found = self.root(used, depth + 1) if used != name else ''
            if found:
                cast = local.cast and not found.startswith('~') and not re.search(r'scalar_type|dtype\(\)|\.type\(\)', local.value)
                return '~' + found if cast else found
        return ''

    def undecided(self, conditions):
        """The conditions that the constants of the call do not decide; None if they decide that one is false."""
        left = []
        for condition in conditions:
            negated = condition.startswith('NOT(')
            text = condition[4:-1] if negated else condition
            compared = re.match(r'^\s*(\w+)\s*(==|!=)\s*(?:[\w:]*::)?(\w+)\s*$', text)
            flag = re.match(r'^\s*(!?)\s*(\w+)\s*$', text)
            if compared and compared[1] in self.constants:
                holds = (self.constants[compared[1]] == compared[3]) == (compared[2] == '==')
            elif flag and self.constants.get(flag[2]) in ('true', 'false'):
                holds = (self.constants[flag[2]] == 'true') != bool(flag[1])
            else:
                left.append(condition)
                continue
            if holds == negated:
                return None
        return left

    def record(self, kind, subject, types, conditions, source):
        self.follower.found.append(Finding(kind, subject, types, self.around + conditions, source, self.chain))

    def read_facts(self):
        for fact in self.function.facts:
            conditions = self.undecided(fact.conditions)
            if conditions is None:
                continue
            subject, types = fact.subject, fact.types
            if fact.kind in ('takes', 'refuses', 'mudnn') and not subject.startswith('@'):
                subject = self.root(subject) or '?' + subject
            if types == 'MUSA_TENSOR_TYPE_CHECK':
                types = self.release.checked_types
            self.record(fact.kind, subject, types, conditions, self.function.place(fact.at))

    def read_calls(self):
        for call in self.function.calls:
            conditions = self.undecided(self.function.conditions(call.at)) if not call.method or call.name == 'launch' else None
            if conditions is None:
                continue
            if call.name.endswith('_stub'):
                self.call_stub(call, conditions)
            elif call.qualifier in ('at::', 'torch::') and call.name != 'cat' or call.qualifier.startswith(('at::_ops', 'at::redispatch')):
                name = call.qualifier.split('::')[-2] if call.qualifier.startswith('at::_ops') else call.name
                self.record('calls', name, None, conditions, '')
            elif call.qualifier not in ('at::cpu::', 'cpu::', 'std::', 'c10::'):
                self.call_function(call, conditions)

    def call_stub(self, call, conditions):
        target = self.release.pick(self.release.stubs.get(call.name, ''), self.function.path)
        if target is None:
            self.record('cuda', call.name, None, conditions, self.function.place(call.at))
            return
        names = {name: 'self' if name in ('iter', 'in', 'self') else name for name, _ in target.parameters}
        self.follower.follow(target, names, self.around + conditions, self.chain)

    def call_function(self, call, conditions):
        given = call_arguments(self.function.body, call.opens)
        target = self.release.pick(call.name, self.function.path, len(given))
        if target and target.parameters and given and re.match(r'\w*iter\w*$', given[0]) and 'Iterator' not in target.parameters[0][1]:
            target = next((f for f in self.release.by_name[call.name] if f.parameters and 'Iterator' in f.parameters[0][1]), target)
        if target is None or call.name in NOT_FOLLOWED or any(part in target.path for part in LIBRARY_PATHS):
            native = re.match(r'(at::)?native::', call.qualifier)
            if native or (not call.qualifier and re.search(r'(_cuda|_cuda_template)$|^launch_\w+_kernel$', call.name)):
                if not call.name.startswith(NOT_KERNELS):
                    self.record('cuda', call.name, None, conditions, '')
        elif target is not self.function:
            self.follower.follow(target, self.handed(target, given), self.around + conditions, self.chain, self.constants_for(target, call, given))

    def handed(self, target, given):
        """What each parameter of a called function is in the schema."""
        names = {}
        for (parameter, _), argument in zip(target.parameters, given):
            argument = re.sub(r'^\s*[*&]+', '', argument)
            name = re.match(r'(?:std::move\(|const_cast<[^>]*>\(|Contiguous\(|FormatContiguous\(|\()?\s*\*?\s*([A-Za-z_]\w*)', argument)
            root = self.root(name[1]) if name else ''
            cast = root and not root.startswith('~') and re.search(r'\.to\(\s*(?!.*device)', argument)
            names[parameter] = '~' + root if cast else root
        return names

    def constants_for(self, target, call, given):
        """Constants of enums and flags that a call hands in as arguments or template arguments."""
        constants = {}
        for name, value in [*zip([name for name, _ in target.parameters], given), *zip(target.template, arguments(call.template))]:
            constant = re.match(r'^(?:[\w]+::)*([A-Z][A-Z0-9_]*|true|false)$', value.replace('/*', '').strip())
            if constant:
                constants[name] = constant[1]
            elif value.strip() in self.constants:
                constants[name] = self.constants[value.strip()]
        return constants
