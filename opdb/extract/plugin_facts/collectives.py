"""The collectives of ProcessGroupMCCL and ProcessGroupHCCL: which reduce operations and which types each passes on, by release."""
import re
from collections import defaultdict, namedtuple

from reader.functions import functions_in
from reader.preprocessor import preprocess
from reader.text import closing, spans, without_comments
from reader.types import COMPLEX, in_order, listed, types_in

HEADER = ['collective', 'reduce_op', 'dtypes', 'supported', 'note', 'source', 'releases']
REDUCE_OPS = ['SUM', 'AVG', 'PRODUCT', 'MIN', 'MAX', 'BAND', 'BOR', 'BXOR', 'PREMUL_SUM']
REDUCING = ['allreduce', 'allreduce_coalesced', 'reduce', '_reduce_oop', 'reduce_scatter', '_reduce_scatter_base',
            'reduce_scatter_tensor_coalesced', '_reduce_scatter_base_uneven']
COLLECTIVES = REDUCING + ['broadcast', '_broadcast_oop', 'allgather', '_allgather_base', 'allgather_coalesced',
                          'allgather_into_tensor_coalesced', 'alltoall', 'alltoall_base', 'gather', 'scatter', 'send', 'recv', 'recvAnysource',
                          'barrier', 'batch_isend_irecv', 'allgather_togather', '_allgather_base_uneven', 'allreduce_sparse']
DEFINED = {'MCCL_BF16_SUPPORTED': '1', 'MCCL_FP8_SUPPORTED': '1', 'MARCH_TYPE': '220'}
UTILITIES = ('HCCLUtils.cpp', 'HCCLUtils.hpp', 'MCCLUtils.h')
REFUSAL = re.compile(r'throw std::runtime_error\s*\(|TORCH_CHECK(?:_WITH)?\s*\(\s*(?:\w+\s*,\s*)?false\s*,|C10_THROW_ERROR\s*\(\s*NotImplementedError')

Answer = namedtuple('Answer', 'reduce_op types supported notes')


def body_after(pattern, text):
    """The body of the first function whose head matches, or None."""
    head = re.search(pattern + r'\s*\([^)]*\)\s*\{', text)
    return text[head.end():closing(text, head.end() - 1, '}') - 1] if head else None


class Backend:
    """What the maps and helpers of one release's process group say."""

    def __init__(self, source, utilities):
        self.source = source
        code = without_comments(source)
        together = '\n'.join([code] + [without_comments(text) for text in utilities])
        self.types = {name: library for pair in re.finditer(
            r'\{\s*((?:at::|c10::)?(?:ScalarType::|k)\w+)\s*,\s*((?:HCCL_DATA_TYPE_|mccl)\w+)\s*\}', together)
            for name, library in [(name, pair[2]) for name in types_in(pair[1])]}
        self.reduce_ops = set(re.findall(r'\{\s*(?:c10d::)?ReduceOp::(\w+)\s*,\s*(?:HCCL_REDUCE_|mccl)\w+', together))
        refused = re.search(r'unsupportedOp\s*=\s*\{(.*?)\};', together, re.S)
        self.refused = set(re.findall(r'ReduceOp::(\w+)', refused[1])) if refused else set()
        check = body_after(r'checkSupportedDataType\w*', together)
        newer = re.search(r'a5ExtraDataTypes\s*=\s*\{(.*?)\}', check or '', re.S)
        self.newer_chip = set(re.findall(r'HCCL_DATA_TYPE_\w+', newer[1])) if newer else set()
        self.checked = None if check is None else set(re.findall(r'HCCL_DATA_TYPE_\w+', check)) - self.newer_chip
        self.mapping = body_after(r'get(?:Hccl|Mccl)ReduceOp', code)
        mapping = self.mapping or ''
        self.emulated = {name for name in ('AVG', 'PREMUL_SUM')
                         if re.search(r'ReduceOp::%s\b(?:(?!\}).)*?return HCCL_REDUCE_SUM' % name, mapping, re.S)}
        self.multiplied = set()
        if 'PREMUL_SUM' in self.emulated:
            check = re.search(r'TORCH_CHECK\((.*?)"', mapping[mapping.index('PREMUL_SUM'):].split('}')[0], re.S)
            self.multiplied = types_in(check[1]) if check else set()
        self.bool_is_max = bool(re.search(r'kBool.*?return (?:HCCL_REDUCE_MAX|mcclMax)', mapping, re.S))
        self.bool_average = 'AVG with Boolean' not in mapping
        viewed = body_after(r'complexViewAsRealAllowed', code)
        self.complex_ops = set(re.findall(r'ReduceOp::(\w+)', viewed or ''))

    def build_note(self):
        if re.search(r'#if[^\n]*220\s*\n\s*\{at::kBFloat16', self.source):
            return ['bf16: built for arch%s2.2' % ('==' if 'MARCH_TYPE == 220' in self.source else '>=')]
        return ['bf16: built for arch>=2.2; fp8: arch>=3.1'] if 'MCCL_BF16_SUPPORTED' in self.source else []


def refusal(function):
    """(where the collective always refuses, whether it refuses only without the compatible implementation)."""
    compatible = False
    for throw in REFUSAL.finditer(function.body):
        if not re.search(r'not support', function.body[throw.start():throw.start() + 200]):
            continue
        conditions = function.conditions(throw.start())
        if not conditions:
            return throw.start(), compatible
        compatible |= 'use_compatible_impl' in conditions[-1] and '||' in conditions[-1]
    return None, compatible


def reductions(backend, function, code, types, notes, viewed):
    """An answer for every reduce operation of a collective that reduces."""
    for name in REDUCE_OPS:
        said, taken = list(notes), set(types)
        if name in backend.refused or (name not in backend.reduce_ops and name not in backend.emulated):
            unchecked = backend.mapping is None and '.at(' not in function.body
            yield Answer(name, set(), '0', ['refused by name' if name in backend.refused else 'looked up without a check' if unchecked
                                            else 'not in the list of reduce operations'])
            continue
        if name == 'AVG' and name in backend.emulated:
            said.append('SUM then division' if 'ReduceOp::AVG' in code else 'SUM without division here')
        if name == 'PREMUL_SUM':
            said.append('product then SUM')
            taken &= backend.multiplied or taken
        if name == 'SUM' and backend.bool_is_max:
            said.append('bool: MAX')
        if name == 'AVG' and not backend.bool_average:
            taken.discard('bool')
        if viewed and (not backend.complex_ops or name in backend.complex_ops):
            taken |= COMPLEX
            said.append('complex viewed as real')
        yield Answer(name, taken, '1', said)


def answers(backend, function, helpers, collective):
    """(answers, place in the body) of one collective."""
    refused_at, compatible = refusal(function)
    if refused_at is not None:
        return [Answer('', set(), '0', [])], refused_at
    code = ''.join([function.body] + [helper.body for helper in helpers])
    checked = 'checkSupportedDataType' in code
    types = {name for name, library in backend.types.items() if not checked or backend.checked is None or library in backend.checked}
    newer = {name for name, library in backend.types.items() if checked and library in backend.newer_chip}
    notes = backend.build_note()
    if checked and re.search(r'kBool\s*\|\|[^;]*kByte', code):
        types |= {'bool', 'uint8'}
        notes.append('bool uint8 cast to int32')
    if newer:
        notes.append('Ascend950 also ' + listed(newer))
    if compatible:
        notes.append('only with TORCH_NPU_USE_COMPATIBLE_IMPL=1 on 910B, 910_93')
    if collective == 'barrier':
        types = set()
    viewed = 'view_as_real' in code
    if collective in REDUCING or re.search(r'get(?:Hccl|Mccl)ReduceOp', code):
        return list(reductions(backend, function, code, types, notes, viewed)), None
    return [Answer('', types | (COMPLEX if viewed else set()), '1', notes + (['complex viewed as real'] if viewed else []))], None


def collectives(checkout, releases, folder, library):
    """Rows of all releases, (name, ref, PyTorch) in their order."""
    found, path = defaultdict(list), '%s/ProcessGroup%s.cpp' % (folder, library)
    for release, ref, _ in releases:
        source = checkout.text(ref, path)
        if source is None:
            continue
        backend = Backend(source, filter(None, (checkout.text(ref, '%s/%s' % (folder, name)) for name in UTILITIES)))
        functions = defaultdict(list)
        for function in functions_in(preprocess(source, DEFINED), path):
            functions[function.name].append(function)
        for collective in COLLECTIVES:
            for function in functions[collective][:1]:
                helpers = functions[collective + '_impl'] + functions[collective + '_inner']
                said, at = answers(backend, function, helpers, collective)
                for answer in said:
                    row = (collective, answer.reduce_op, ' '.join(in_order(answer.types)), answer.supported, '; '.join(answer.notes))
                    found[row].append((release, function.place(at)))
    order = [release for release, *_ in releases]
    return [row + (places[-1][1], spans(order, [release for release, _ in places])) for row, places in found.items()]
