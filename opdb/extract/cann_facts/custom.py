"""The plugin's own operators: what op-plugin's documents say of chips and arguments, and the types that ATB's operations take.

A row is about an argument, or about the operator where that is empty; chips: those it runs on, empty for any; limits: `unsupported` (it must
not be given) or `rank N-M`."""
import re

from cann_facts.documents import PRODUCTS, chips_of
from cann_facts.names import CHIPS, VERSIONS, listed
from reader.sources import Checkout
from reader.text import line_of

HEADER = ['op', 'argument', 'chips', 'dtypes', 'limits', 'source', 'ref']
PLUGIN, CANN = '26.1.0', '9.1.0'  # the documents that are read, and the version of CANN they are for
DOCUMENT = r'^docs/zh/custom_APIs/torch_npu/[^/]*torch_npu-_?npu_\w+\.md$'
NAME = re.compile(r'torch_npu-(_?npu_\w+)\.md$')
PARAMETERS = re.compile(r'\n##\s*参数说明(.*?)\n##\s', re.S)
PARAMETER = re.compile(r'^- \*\*(\w+)\*\*\s*[（(]`?([^`）)]*)`?[）)]([^\n]*)', re.M)
TYPES = {'float16': 'fp16', 'bfloat16': 'bf16', 'float32': 'fp32', 'float': 'fp32', 'double': 'fp64', 'float64': 'fp64', 'float8_e4m3fn': 'fp8_e4m3fn',
         'float8_e5m2': 'fp8_e5m2'}
TYPES.update((name, name) for name in 'int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool complex64 complex128'.split())
TYPE_LIST = re.compile(r'数据类型(?:仅|只)?支持((?:[`、，/或和 ]|torch\.|\w)+)')
RANK = re.compile(r'(?:shape|维度|维数|张量)?(?:仅支持|只支持|要求为|必须为|必须是|支持)(\d|一|二|两|三|四)(?:维)?(?:[/、~-](\d))?维')
DIGITS = dict(zip('一二两三四', '12234'))
# It must be left out; "reserved" alone is passed and not looked at.
REFUSED = re.compile(r'(?:当前(?:版本)?|目前)?(?:暂)?不支持(?:该|此)(?:传)?参(?:数)?|^[^，。]*(?:当前版本|当前|目前)(?:暂)?不支持$|不支持，传|(?:仅|只)支持(?:输入|传入)?`?None`?'
                     r'|(?:暂)?不支持`?\w+`?输入为非0的场景')

ATB = 'ascend-transformer-boost'
ATB_BRANCHES = dict(zip(VERSIONS, ['br_release_cann_8.3.RC1_20260322', 'br_release_cann_8.5.0_20260527', 'br_release_cann_9.0.0_20260928',
                                   'br_release_cann_9.1.0_20261223']))
ATB_LIST = 'ops_configs/atb_ops_info.ini'
ATB_TYPES = {'float': 'fp32', 'float16': 'fp16', 'bf16': 'bf16', 'hifloat8': 'hif8'}
ATB_CALL = re.compile(r'OpParamCache<(\w+)Param>')
ATB_OPERATOR = re.compile(r'm\.def\(\s*"(\w+(?:\.\w+)?)\(')


def document_rows(path, text):
    op = NAME.search(path)[1]
    text = text.replace('\\_', '_')
    products, section = PRODUCTS.search(text), PARAMETERS.search(text)
    chips = []
    for line in products[1].split('\n') if products else ():
        cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
        chips += chips_of(cells[0]) if len(cells) >= 2 and '√' in cells[1] else []
    if not chips or not section:
        return
    said = ' '.join(chip for chip in CHIPS if chip in chips)

    def row(argument, types, limits, at):
        source = 'op-plugin@%s:%s:%d' % (PLUGIN, path, line_of(text, at))
        return op, argument, said, listed(types), limits, source, CANN

    yield row('', [], '', products.start(1))
    for found in PARAMETER.finditer(section[1]):
        name, kind, rest = found.groups()
        at = section.start(1) + found.start()
        types, rank = TYPE_LIST.search(rest), RANK.search(rest)
        words = [TYPES[word] for word in re.findall(r'\w+', types[1]) if word in TYPES] if types and 'Tensor' in kind else []
        sentences = re.split('[。；;]', rest.replace('*', ''))
        if any(REFUSED.search(sentence.strip('：: ')) for sentence in sentences):
            yield row(name, [], 'unsupported', at)
        elif words or (rank and 'Tensor' in kind):
            low = DIGITS.get(rank[1], rank[1]) if rank else ''
            yield row(name, words, 'rank %s-%s' % (low, rank[2] or low) if rank and 'Tensor' in kind else '', at)


def atb_operations(ini):
    """{operation: (types of its first input, line)} of the list of operations and their variants."""
    found, name = {}, ''
    for number, line in enumerate(ini.split('\n'), 1):
        section = re.match(r'\[(\w+?)Operation(\w*)\]', line)
        name = section[1] if section else name
        if section:
            found.setdefault(name, (set(), number))
        elif name and line.startswith('input0.dtype='):
            found[name][0].update(ATB_TYPES.get(word, word) for word in line.split('=')[1].strip().split(','))
    return found


def atb_rows(plugin, ini, version):
    """plugin: {path: text} of op-plugin's files that call ATB. A file makes one kind of operation."""
    known = atb_operations(ini)
    for path, text in sorted(plugin.items()):
        called = set(ATB_CALL.findall(text))
        types, line = known.get(called.pop(), ((), 0)) if len(called) == 1 else ((), 0)
        for op in dict.fromkeys(ATB_OPERATOR.findall(text)) if types else ():
            yield op, '', '', listed(types), '', '%s@%s:%s:%d' % (ATB, ATB_BRANCHES[version], ATB_LIST, line), version


def rows(sources):
    plugin, atb = Checkout(sources, 'op-plugin'), Checkout(sources, ATB)
    for path, text in plugin.files(PLUGIN, DOCUMENT).items():
        yield from document_rows(path, text)
    files = plugin.files(PLUGIN, r'^op_plugin/ops/atb/\w+\.cpp$')
    for version in VERSIONS:
        yield from atb_rows(files, atb.text(ATB_BRANCHES[version], ATB_LIST) or '', version)
