"""What the findings along a kernel's path mean together: one row for each argument, or one row for the kernel as a whole."""
import os
import re
from collections import defaultdict

from reader.checks import subject_of, type_condition
from reader.text import words as on_one_line
from reader.types import COMMON, COMPLEX, listed

OF_SHAPE = re.compile(r'^[^&|]*(defined\(\)\)?|has_value\(\)\)?)$|^has_(min|max)$')
OF_TYPE = re.compile(r'is_complex|isComplex|has_complex|complex_case|isQIntType|quantized|dtype|scalar_type|accumulate|is_index_add|canUse32'
                     r'|bits <=|vectorize|has_grad|contiguous|maybeDNN|out_int32|Type\(|is_floating_point')
NO_REFUSAL = re.compile(r'must be on the same device|at least two devices|Unexpected vectorization|[Ii]nvalid transpose|internal error')
ONLY_THROWS = re.compile(r'\{ ?(\(void\)[^;]*; ?|UNUSED\([^;]*; ?|[^;{}]*guard[^;]*; ?)*(TORCH_CHECK(_NOT_IMPLEMENTED)?\( ?false|AT_ERROR|C10_THROW)')
SCALARS_ON_HOST = ('CPUScalarMulScalar', 'CPUScalarReciprocal')
ITERATOR_FILES = re.compile(r'ops/(BinaryNew|Unary)\.cpp')
ALLOCATIONS = set('empty empty_like zeros zeros_like empty_strided resize_ scalar_tensor ones_like ones full'.split())


class Argument:
    def __init__(self):
        self.always = []  # (types, source): outside these it throws
        self.sometimes = []  # (types, conditions, source)
        self.refused = []
        self.mudnn = None  # (source, the way there tests for complex, it has conditions)


def negates(one, other):
    return one == 'NOT(%s)' % other or other == 'NOT(%s)' % one


def relevant(conditions, kernel):
    """The conditions without those on shape and presence; None if they name another operator of the same function."""
    left = []
    for condition in conditions:
        if all('numel()' in part for part in re.split(r'&&|\|\|', condition)) or OF_SHAPE.search(condition):
            continue
        named = re.match(r'^(NOT\()?op_name == "(\w+)"\)?$', condition)
        if named and (named[2] == kernel) == bool(named[1]):
            return None
        if 'op_name ==' not in condition:
            left.append(condition)
    return left


class Summary:
    def __init__(self, release, words, kernel, function, names):
        self.release, self.words, self.kernel, self.function, self.names = release, words, kernel, function, names
        self.known = set(names.values())
        self.arguments = defaultdict(Argument)
        self.other, self.host, self.calls, self.throws = set(), set(), set(), []
        self.cuda, self.always_throws = False, None

    def read(self, finding):
        conditions = relevant(finding.conditions, self.kernel)
        if conditions is None:
            return
        if finding.kind in ('takes', 'refuses', 'mudnn'):
            self.read_types(finding, conditions)
        elif finding.kind == 'host':
            if finding.chain[-1][0].name not in SCALARS_ON_HOST:
                self.host.add(tuple(conditions))
        elif finding.kind == 'throw':
            self.throws.append((finding, conditions))
        elif finding.kind == 'check':
            self.other.add(self.check_words(*finding.subject))
        elif finding.kind == 'cuda':
            self.cuda = True
        elif finding.kind == 'calls':
            self.calls.add(finding.subject)

    def read_types(self, finding, conditions):
        name = finding.subject
        if name == '@in':
            name = 'self' if 'self' in self.known else next((n for n in ('input', 'grad_output') if n in self.known), '@out')
        if name.startswith(('~', '?', '@')) or (finding.kind != 'mudnn' and not finding.types):
            return
        argument = self.arguments[name]
        if finding.kind == 'mudnn':
            argument.mudnn = argument.mudnn or (finding.source, any(tests for _, tests in finding.chain), bool(conditions))
        elif finding.kind == 'refuses':
            argument.refused.append((finding.types, conditions, finding.source))
        elif conditions:
            argument.sometimes.append((finding.types, conditions, finding.source))
        else:
            argument.always.append((finding.types, finding.source))

    def check_words(self, condition, message):
        """A check in words, or '' if nobody has put it in words."""
        if condition in self.words['check']:
            return self.words['check'][condition]
        return next((said for text, said in self.words['check'].items()
                     if text.startswith('re:') and re.search(text[3:], condition + ' | ' + message)), '')

    def read_kernel_tables(self, findings):
        for function in {step[0] for finding in findings for step in finding.chain} | {self.function}:
            table = self.release.kernel_tables.get(os.path.basename(function.path))
            if table:
                self.arguments[next((n for n in ('self', 'input') if n in self.known), 'self')].always.append(table)

    def read_throw(self, finding, conditions):
        """A throw in a branch: what its conditions on types say."""
        if NO_REFUSAL.search(finding.subject):
            return
        if not conditions:
            if ONLY_THROWS.match(on_one_line(finding.chain[-1][0].body)):
                self.always_throws = finding.source
            return
        chip = next(filter(None, (re.search(r'getMUSAArch\(\) *(<=?) *(\d+)', c) for c in conditions if 'Arch()' in c)), None)
        if chip:
            types = {t for c in conditions if not c.startswith('NOT(') for _, takes, _ in type_condition(c) for t in takes}
            self.other.add('arch%s%s%s' % ('>=' if chip[1] == '<' else '>', chip[2], ' if ' + ' '.join(sorted(types)) if types else ''))
            return
        positive = [c for c in conditions if not c.startswith('NOT(')]
        negative = [c[4:-1] for c in conditions if c.startswith('NOT(')]
        if negative and not positive:
            self.read_last_else(finding, negative)
        elif len(positive) == 1 and not negative:
            for expression, takes, refuses in type_condition(positive[0]):
                name = subject_of(expression)
                name = name if name in self.known else 'self' if 'self' in self.known else None
                if name and '&&' not in positive[0] and takes and not refuses:
                    self.arguments[name].refused.append((takes, [], finding.source))
                elif name and refuses and not takes:
                    self.arguments[name].always.append((refuses, finding.source))

    def read_last_else(self, finding, conditions):
        """if (type is a) ... else if (type is b) ... else throw: takes a and b."""
        read = [type_condition(condition) for condition in conditions]
        types = {t for found in read for _, takes, _ in found for t in takes}
        if not types or not all(read):
            return
        subject = subject_of(read[-1][-1][0])
        name = self.names.get(subject) or (subject if subject in self.known else None)
        if name is None and len(finding.chain) > 1 and 'self' in self.known:
            name = 'self'
        if name:
            self.arguments[name].always.append((types, finding.source))

    def host_words(self):
        if not self.host:
            return ''
        said = set()
        for conditions in self.host:
            known = list(dict.fromkeys(filter(None, map(self.words['branch'].get, conditions))))
            said.add(' and '.join(known) if known else 'some inputs' if conditions else 'always')
        return '1' if 'always' in said else '1 if ' + ' or '.join(sorted(said))

    def sometimes_takes(self, argument, takes, other):
        """Lists that hold in branches: united if the branches are about the type, else told as words."""
        groups = defaultdict(list)
        for types, conditions, _ in argument.sometimes:
            groups[tuple(conditions)].append(set(types))
        united, said = set(), set()
        for conditions, lists in groups.items():
            types = set.intersection(*lists)
            united |= types
            known = list(dict.fromkeys(filter(None, map(self.words['branch'].get, conditions))))
            if known:
                said.add('%s: %s' % (' and '.join(known), listed(types)))
        both = any(negates(a[-1], b[-1]) and a[:-1] == b[:-1] for a in groups for b in groups)
        if argument.mudnn is not None and takes is None and not both:
            own = {t for group in groups for c in group if not c.startswith('NOT(') for _, types, _ in type_condition(c) for t in types}
            if any(re.search(r'is_?complex|complex_case', c, re.I) for group in groups for c in group if not c.startswith('NOT(')):
                own |= COMPLEX
            other.add('own path for ' + listed(united & own or united))
        elif both or all(any(OF_TYPE.search(c) for c in group) for group in groups):
            takes = united if takes is None else takes & united or takes | united
            other |= said
        elif takes is None:
            other |= said or {'in some cases: ' + listed(united)}
        return takes

    def mudnn_limits(self, argument, takes, refuses, other):
        """What the wrapper of muDNN adds: its ranks, and the types that it does not know."""
        source, tests_complex, conditional = argument.mudnn
        other.add('mudnn')
        if 'TensorIterator' not in source and not ITERATOR_FILES.search(self.function.path):
            other.add('rank<=8')
        if takes is None and not conditional:
            refuses |= COMMON - self.release.mudnn_types - (COMPLEX if tests_complex else set())
        elif takes is None or conditional or tests_complex:
            pass
        else:
            takes &= self.release.mudnn_types
        if tests_complex and takes is None and not any(part.startswith('own path') for part in other):
            other.add('complex not refused here')
        return takes

    def argument_row(self, name, argument):
        takes, refuses, other, source = None, set(), set(), None
        for types, place in argument.always:
            takes = set(types) if takes is None else takes & set(types)
            source = place if source is None or len(types) <= len(takes) else source
        if argument.sometimes:
            source = source or argument.sometimes[0][2]
            takes = self.sometimes_takes(argument, takes, other)
        for types, conditions, place in argument.refused:
            if not conditions:
                refuses |= types
                source = source or place
        if takes and refuses:
            takes -= refuses
        if argument.mudnn:
            source = source or argument.mudnn[0]
            takes = self.mudnn_limits(argument, takes, refuses, other)
        return self.row(name, listed(takes or ()), listed(refuses), other, source or '')

    def row(self, argument, takes, refuses, other, source):
        return {'argument': argument, 'takes': takes, 'refuses': refuses, 'other': other, 'host': self.host_words(), 'source': source}

    def rows(self):
        if self.always_throws:
            return [dict(self.row('', '', '', {'always throws'}, self.always_throws), host='')]
        other = self.other - {''}
        rows = [self.argument_row(name, argument) for name, argument in sorted(self.arguments.items()) if name]
        if rows:
            rows[0]['other'] |= other
            for row in rows if self.cuda else ():
                row['other'].add('also CUDA kernel')
            return rows
        bases = {op.split('.')[0] for op in self.release.schemas}
        composed = sorted(name for name in self.calls if name not in ALLOCATIONS and name in bases)
        if composed and not self.cuda:
            other.add('composed: ' + ' '.join(composed[:8]))
        return [self.row('', '*' if self.cuda else '', '', other, self.function.place())]


def summary(release, words, kernel, function, findings, names):
    found = Summary(release, words, kernel, function, names)
    for finding in findings:
        found.read(finding)
    found.read_kernel_tables(findings)
    for finding, conditions in found.throws:
        found.read_throw(finding, conditions)
    return found.rows()
