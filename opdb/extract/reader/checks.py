"""What a function of a PyTorch extension says about data types: checks, dispatch macros, switches, tensors for muDNN, host paths."""
import re
from collections import namedtuple

from reader.text import arguments, call_arguments, closing, words
from reader.types import COMPLEX, DISPATCH, EXPANDED, FLOATING, INTEGRAL, types_in

# kind: takes, refuses (types of subject), mudnn (subject is handed to muDNN), host, throw (subject: message), check (condition, message)
Fact = namedtuple('Fact', 'kind subject at conditions types')

CALLS = re.compile(r'\b(TORCH_CHECK\w*|TORCH_INTERNAL_ASSERT\w*|AT_ASSERTM?|AT_ERROR|C10_THROW_ERROR|TORCH_MUSA_CHECK_\w+|MUSA_TENSOR_TYPE_CHECK'
                   r'|_?AT_DISPATCH_\w+|CreateMUTensor|mu_input|mu_output)\s*\(')
HOST = re.compile(r'\.cpu\(\)|\.to\(\s*(?:Device\(\s*)?(?:at::|c10::)?(?:kCPU|DeviceType::CPU|"cpu")|\bat::cpu::\w+|\bat::native::\w+_cpu\w*\s*\('
                  r'|(?<![\w:])cpu::\w+\(|_to_cpu\(|OptionalDeviceGuard cpu')
THROWS = re.compile(r'(TORCH_CHECK\w*\s*\(\s*(false|0)|AT_ERROR|C10_THROW|throw|TORCH_INTERNAL_ASSERT\w*\(\s*false)')
UNREAD_DISPATCH = {'BIT_TYPES', 'QINT_AND_SUB_BYTE_TYPES', 'SPARSE_COMPRESSED_LAYOUTS', 'INTEGRAL_TYPES_AND'}
TYPE_NAME = r'(?:at::|c10::|torch::)?(?:ScalarType::|k)\w+'
EQUAL = re.compile(r'([\w.\->:\*\(\)\[\]]*?\w[\w.\->\(\)\[\]]*?)\s*(==|!=)\s*(%s)' % TYPE_NAME)
EQUAL_TURNED = re.compile(r'((?:at::|c10::)?ScalarType::\w+)\s*(==|!=)\s*([\w.\->\(\)\[\]]+)')
TYPE_FUNCTION = re.compile(r'(!?)\s*(?:at::|c10::|torch::)?(isFloatingType|isIntegralType|isComplexType)\s*\(\s*([^,()]*(?:\(\))?[^,()]*)')
TYPE_METHOD = re.compile(r'(!?)\s*([\w\.\->\[\]\(\)]+?)(?:\.|->)(is_floating_point|is_complex)\(\)')


def subject_of(expression):
    """The variable whose type an expression asks for."""
    expression = re.sub(r'^\s*[*&(]+', '', expression.strip())
    name = re.match(r'(?:const_cast<[^>]*>\(|::detail::scalar_type\(|at::typeMetaToScalarType\(|typeMetaToScalarType\()?\s*\*?\s*(\w+)', expression)
    return name[1] if name else ''


def type_condition(condition):
    """A condition on types as [(expression, types it is equal to, types it differs from)]; empty if it is about something else."""
    condition = words(condition)
    while condition.startswith('(') and closing(condition, 0) == len(condition):
        condition = condition[1:-1].strip()
    if re.search(r'is(?:Complex|Floating|Integral)Type\([^()]*(?:\(\))?[^()]*\)\s*[!=]=', condition) or 'canCast(' in condition:
        return []
    found = {}

    def record(expression, types, negated):
        found.setdefault(expression, (set(), set()))[1 if negated else 0].update(types)

    pairs = EQUAL.findall(condition) + [(right, sign, left) for left, sign, right in EQUAL_TURNED.findall(condition)]
    for expression, sign, name in pairs:
        expression = expression.strip('( ')
        if types_in(name) and re.search(r'scalar_type|dtype|type|_st\b', expression):
            record(expression, types_in(name), sign == '!=')
    for negated, function, expression in TYPE_FUNCTION.findall(condition):
        types = {'isFloatingType': FLOATING, 'isComplexType': COMPLEX}.get(function)
        if types is None:
            types = INTEGRAL | ({'bool'} if re.search(r'true\s*\)', condition) else set())
        record(expression.strip(), types, bool(negated))
    for negated, expression, method in TYPE_METHOD.findall(condition):
        record(expression.strip(), FLOATING if method == 'is_floating_point' else COMPLEX, bool(negated))
    return [(expression, takes, refuses) for expression, (takes, refuses) in found.items() if takes or refuses]


def dispatched(macro, given, text):
    """(subject, types) of an AT_DISPATCH macro, or None; text: its call."""
    name = macro.split('AT_DISPATCH_')[1]
    if name.startswith('CASE'):
        return None
    if name == 'SWITCH':
        types = set()
        for case in re.finditer(r'AT_DISPATCH_CASE(_\w+)?\s*\(', text):
            listed = call_arguments(text, case.end() - 1)
            if not case[1]:
                types |= types_in(listed[0]) if listed else set()
                continue
            base = case[1][1:] if case[1].endswith('AND_COMPLEX') else re.sub(r'_AND\d*$', '', case[1][1:])
            types |= DISPATCH.get(base, set()) | types_in(' '.join(listed[:-1]))
        return (given[0], types) if types and given else None
    if name == 'V2':
        types = set()
        for argument in given[3:]:
            expanded = re.search(r'AT_EXPAND\(\s*(\w+)\s*\)', argument)
            types |= EXPANDED.get(expanded[1], set()) if expanded else types_in(argument)
        return given[0], types
    base, number = re.match(r'(.*?)(?:_AND(\d*))?$', name).groups()
    if name in DISPATCH:
        base, number = name, None
    if base in UNREAD_DISPATCH or base not in DISPATCH:
        return None
    extra = 0 if number is None else int(number or 1)
    return (given[extra], DISPATCH[base] | types_in(' '.join(given[:extra]))) if len(given) > extra else None


def check_facts(macro, given, at, conditions):
    """The facts of TORCH_CHECK(condition, message...)."""
    condition, message = words(given[0]), ' '.join(re.findall(r'"([^"]*)"', ','.join(given[1:])))
    if condition in ('false', '0'):
        return [Fact('throw', message, at, conditions, None)]
    if 'qscheme' in condition:
        return []
    found = []
    for expression, takes, refuses in type_condition(condition):
        if takes:
            found.append(Fact('takes', subject_of(expression), at, conditions, takes))
        if refuses:
            found.append(Fact('refuses', subject_of(expression), at, conditions, refuses))
    return found or [Fact('check', (condition, message), at, conditions, None)]


def call_facts(function, call):
    body, name, opens = function.body, call[1], call.end() - 1
    text = body[opens:closing(body, opens)]
    given, at, conditions = arguments(text[1:-1]), call.start(), function.conditions(call.start())
    if name == 'CreateMUTensor':
        return [Fact('mudnn', subject_of(given[0]), at, conditions, None)] if given else []
    if name in ('mu_input', 'mu_output'):
        return [Fact('mudnn', '@in' if name == 'mu_input' else '@out', at, conditions, None)]
    if name == 'MUSA_TENSOR_TYPE_CHECK':
        return [Fact('takes', subject_of(given[0]), at, conditions, 'MUSA_TENSOR_TYPE_CHECK')]
    if name.startswith(('TORCH_MUSA_CHECK_FLOATING', 'TORCH_MUSA_CHECK_DTYPES')):
        types = types_in(' '.join(given[2:])) | ({'fp32', 'fp16', 'bf16'} if 'FLOATING' in name else set())
        return [Fact('takes', subject_of(given[0]), at, conditions, types)] if types else []
    if 'AT_DISPATCH_' in name:
        found = dispatched(name, given, text)
        return [Fact('takes', subject_of(found[0]), at, conditions, found[1])] if found else []
    if name in ('AT_ERROR', 'C10_THROW_ERROR'):
        return [Fact('throw', ' '.join(re.findall(r'"([^"]*)"', text)), at, conditions, None)]
    return check_facts(name, given, at, conditions) if given else []


def switch_facts(function):
    """A switch over a type takes its cases if its default throws."""
    for switch in re.finditer(r'\bswitch\s*\(', function.body):
        end = closing(function.body, switch.end() - 1)
        brace = function.body.find('{', end)
        if brace < 0:
            continue
        block = function.body[brace:closing(function.body, brace, '}')]
        types = types_in(' '.join(re.findall(r'\bcase\s+([\w:]+)\s*:', block)))
        default = re.search(r'\bdefault\s*:\s*\{?\s*(.*)$', block, re.S)
        if types and default and THROWS.match(default[1]):
            yield Fact('takes', subject_of(function.body[switch.end():end - 1]), switch.start(), function.conditions(switch.start()), types)


def facts_of(function):
    found = [fact for call in CALLS.finditer(function.body) for fact in call_facts(function, call)]
    found += switch_facts(function)
    found += [Fact('host', m[0], m.start(), function.conditions(m.start()), None) for m in HOST.finditer(function.body)]
    return found
