"""The documents of the aclnn interfaces: the chips they name as supported, and the types of each argument, with remarks for chips."""
import os
import re
from collections import namedtuple

from cann_facts.names import CHIPS, LIBRARIES, UNWANTED, listed, ref_of
from reader.sources import Checkout
from reader.text import line_of

VERSIONS = ['8.5.0', '9.1.0']  # those whose documents are rows; 8.3 is held against 8.5.0
TYPES = {'FLOAT': 'fp32', 'FLOAT32': 'fp32', 'FLOAT16': 'fp16', 'FP16': 'fp16', 'BFLOAT16': 'bf16', 'BF16': 'bf16', 'DOUBLE': 'fp64',
         'FLOAT64': 'fp64', 'HIFLOAT8': 'hif8', 'FLOAT8_E5M2': 'fp8_e5m2', 'FLOAT8_E4M3FN': 'fp8_e4m3fn', 'FLOAT8_E8M0': 'fp8_e8m0',
         'FLOAT4_E2M1': 'fp4_e2m1', 'FLOAT4_E1M2': 'fp4_e1m2'}
TYPES.update((name.upper(), name) for name in 'int4 int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool complex32 complex64 complex128'.split())
PRODUCTS = re.compile(r'##\s*产品支持情况(.*?)\n##\s', re.S)
INTERFACE = re.compile(r'##\s*aclnn\w+GetWorkspaceSize(.*?)\n##\s', re.S)
LISTED_ARGUMENT = re.compile(r'^\s*[-*]\s*(\w+)\s*[（(]\s*(?:const )?aclTensor(?:List)?\s*\\?\*?[，,]?[^\n]*$', re.M)
REMARK = re.compile(r'^\s*[-*]\s*(<term>[^\n]*?)[：:]([^\n]*(?:\n\s{4,}[^\n]*)*)', re.M)
REMARK_TYPES = re.compile(r'(?:参数|入参|输入|输出|其中)?`?(\w*)`?[^，。]*数据类型(不支持|支持|仅支持|只支持)([^。；;\n]*)')
LONGEST_ARGUMENT = 3000

Argument = namedtuple('Argument', 'types rank line')
Remark = namedtuple('Remark', 'argument chips types refused line')
Document = namedtuple('Document', 'products arguments remarks source')


def chips_of(text):
    found = [('950', '950' in text), ('910_93', 'Atlas A3' in text),
             ('910B', 'Atlas A2 ' in text or bool(re.search('Atlas A2|800I A2', text)) and '200I/500 A2' not in text),
             ('310B', '200I/500 A2' in text),
             ('910A', bool(re.search(r'Atlas (训练系列|Training)', text)) and not re.search(r'A[23] 训练', text)),
             ('310P', bool(re.search(r'Atlas (推理系列|Inference)', text)))]
    return [chip for chip, named in found if named]


def types_of(text):
    return list(dict.fromkeys(TYPES[word] for word in re.findall(r'[A-Z][A-Z0-9_]+', text) if word in TYPES))


def plain(cell):
    return re.sub(r'<[^>]+>', ' ', cell).replace('\\_', '_').replace('&nbsp;', ' ').strip()


def table_arguments(body):
    """Rows of the tables whose head names the argument and its type."""
    for table in re.finditer(r'<table.*?</table>', body, re.S):
        head = [plain(cell) for cell in re.findall(r'<th[^>]*>(.*?)</th>', table[0], re.S)]
        type_at = next((i for i, cell in enumerate(head) if '数据类型' in cell), None)
        rank_at = next((i for i, cell in enumerate(head) if '维度' in cell), None)
        if type_at is None or not any('参数名' in cell for cell in head):
            continue
        for row in re.findall(r'<tr>(.*?)</tr>', table[0], re.S):
            cells = [plain(cell) for cell in re.findall(r'<td[^>]*>(.*?)</td>', row, re.S)]
            name = re.match(r'\w+', cells[0]) if len(cells) > type_at else None
            if name and types_of(cells[type_at]):
                yield name[0], types_of(cells[type_at]), cells[rank_at] if rank_at is not None and rank_at < len(cells) else '', table.start()


def read_document(text, source):
    text = text.replace('\\_', '_')
    products = PRODUCTS.search(text)
    supported = {}
    for line in products[1].split('\n') if products else ():
        cells = [cell.strip() for cell in line.strip().strip('|').split('|')]
        if len(cells) >= 2 and ('Atlas' in cells[0] or '950' in cells[0]):
            supported.update((chip, '√' in cells[1]) for chip in chips_of(cells[0]))
    section = INTERFACE.search(text)
    body, first = (section[1], line_of(text, section.start(1)) - 1) if section else (text, 0)
    found, remarks = {}, []
    for name, types, rank, at in table_arguments(body):
        found[name] = Argument(types, rank, first + line_of(body, at))
    for listed_argument in LISTED_ARGUMENT.finditer(body):
        name, line = listed_argument[1], first + line_of(body, listed_argument.start())
        if name in found:
            continue
        block = body[listed_argument.start():]
        end = re.search(r'\n\s*[-*]\s*\w+\s*[（(]', block[5:])
        block = block[:end.start() + 5] if end else block[:LONGEST_ARGUMENT]
        lines = (block if section else block[:LONGEST_ARGUMENT]).split('\n')
        types = types_of(lines[0].split('数据格式')[0])
        if types:
            found[name] = Argument(types, '', line)
        remarks += [Remark(name, chips_of(said), types_of(said.split('数据格式')[0]), False, line) for said in lines[1:]
                    if chips_of(said) and types_of(said) and '不支持' not in said and '数据类型' in said]
    tensors = set(re.findall(r'acl(?:TensorList|Tensor|ScalarList|Scalar)\s*(?:const\s*)?\*\s*(?:const\s*)?(\w+)', text))
    if tensors:
        found = {name: argument for name, argument in found.items() if name in tensors}
    for remark in REMARK.finditer(body):
        for said in remark[2].split('\n') if chips_of(remark[1]) else ():
            types = REMARK_TYPES.search(said)
            if types and types_of(types[3]):
                remarks.append(Remark(types[1], chips_of(remark[1]), types_of(types[3]), types[2] == '不支持', first + line_of(body, remark.start())))
    return Document(supported, found, remarks, source)


def documents(sources, version):
    """{aclnn: Document}; a document of its own name before one that names it too."""
    found = {}
    for library, (checkout, _) in LIBRARIES.items():
        texts = Checkout(sources, checkout).files(ref_of(library, version), r'/docs/aclnn[^/]*\.md$', UNWANTED + r'|_en\.md$')
        for path, text in sorted(texts.items()):
            document, own = read_document(text, '%s@%s:%s' % (library, version, path)), os.path.basename(path)[:-3]
            for name in set(re.findall(r'\b(aclnn\w+?)GetWorkspaceSize\(', text)) or {own.split('&')[0]}:
                if name == own or name not in found:
                    found[name] = document
    return found


def misread(document):
    """A product table that says no for every chip was not understood."""
    return len(document.products) >= 6 and not any(document.products.values())


def document_rows(known):
    """Rows of aclnn_dtypes from documents, {version: {aclnn: Document}}: (row without source and ref, version, source)."""
    for version in VERSIONS:
        for aclnn, document in known[version].items():
            for chip, yes in document.products.items() if not misread(document) else ():
                if not yes:
                    yield (aclnn, '*', chip, '', 'not supported on this chip'), version, document.source
            chips = ' '.join(chip for chip in CHIPS if document.products.get(chip))
            for name, argument in document.arguments.items():
                rank = argument.rank if re.match(r'^[0-9 ,\-~、()（）]+$', argument.rank) and argument.rank != '-' else ''
                yield (aclnn, name, chips, listed(argument.types), 'rank ' + rank if rank else ''), version, '%s:%d' % (document.source, argument.line)
            for remark in document.remarks:
                types, limit = ('', 'not ' + listed(remark.types)) if remark.refused else (listed(remark.types), 'chip remark')
                for chip in remark.chips:
                    yield (aclnn, remark.argument or '*', chip, types, limit), version, '%s:%d' % (document.source, remark.line)
