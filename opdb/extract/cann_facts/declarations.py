"""Which types each kernel is declared for: *_def.cpp of the operator libraries, the lists of an installed CANN 8.1, and the kernels of
the AI CPU in both."""
import json
import re
from collections import defaultdict, namedtuple

from cann_facts.names import CHIP_NAMES, CHIPS, INSTALLED, LIBRARIES, OLDEST, TYPES, UNWANTED, VERSIONS, listed, ref_of, versions_listed
from reader.sources import Checkout
from reader.text import closing, line_of, without_comments

CONDITION = 'kernel declaration, input %d %s'
INSTALLED_TYPES = {'float': 'fp32', 'float32': 'fp32', 'float16': 'fp16', 'bfloat16': 'bf16', 'double': 'fp64', 'float64': 'fp64'}
INSTALLED_KERNELS = 'opp/built-in/op_impl/ai_core/tbe/config/aic-*-ops-info.json'
INSTALLED_CPU = {'aicpu_kernel': ('aicpu', 'aicpu_kernel'), 'tf_kernel': ('aicpu-tf', 'tf_kernel'), 'host_cpu_kernel': ('hostcpu', 'aicpu_kernel')}
LIST_OF_TYPES = re.compile(r'(\w+)\s*(?:\[\])?\s*=?\s*\{((?:\s*(?:ge::)?DT_\w+\s*,?)+)\s*\}')
CLASS = re.compile(r'class\s+(\w+)\s*(?:final\s*)?:\s*public\s+OpDef')
PART = re.compile(r'(\w+)\s*(?:->|\.)\s*Input\(\s*"(?P<input>\w+)"\s*\)|\.(?P<types>DataType|DataTypeList)\s*\('
                  r'|AddConfig\(\s*"(?P<chip>\w+)"\s*(?:,\s*(?P<config>\w+))?\s*\)|\w+\s*(?:->|\.)\s*(?P<output>Output)\(')

# inputs: {name: types} in their order
Declaration = namedtuple('Declaration', 'op chip inputs source')


def named_types(text, lists):
    found = []
    for name in re.findall(r'\b[A-Za-z_]\w*\b', text):
        found += [TYPES[name]] if name in TYPES else lists.get(name, [])
    return list(dict.fromkeys(found))


def declared(source):
    """(operator, chip, inputs, line) of every class of a *_def.cpp."""
    source = without_comments(source)
    lists = {m[1]: named_types(m[2], {}) for m in LIST_OF_TYPES.finditer(source)}
    classes = list(CLASS.finditer(source))
    for number, head in enumerate(classes):
        body = source[head.end():classes[number + 1].start() if number + 1 < len(classes) else len(source)]
        owners, configs, current = defaultdict(dict), {}, None
        for part in PART.finditer(body):
            if part['input']:
                current = part[1], part['input']
                owners[part[1]].setdefault(part['input'], [])
            elif part['output']:
                current = None
            elif part['types'] and current:
                owners[current[0]][current[1]] = named_types(body[part.end():closing(body, part.end() - 1)], lists)
            elif part['chip']:
                config = part['config']
                # a config that is made once and changed between the chips counts as it is at each AddConfig
                made_by_function = config and re.search(r'\b%s\s*=\s*\w+\(' % config, body)
                configs[part['chip']] = config if made_by_function else {name: list(types) for name, types in owners.get(config, {}).items()}
        base = owners.get('this', {})
        for chip, config in configs.items():
            if chip in CHIP_NAMES:
                own = owners.get(config, {}) if isinstance(config, str) else config
                yield head[1], CHIP_NAMES[chip], {name: own.get(name, base.get(name)) for name in dict.fromkeys([*base, *own])}, line_of(source, head.start())


def open_declarations(sources, version):
    """{(operator, chip): Declaration} of a version's libraries."""
    found = {}
    for library, (checkout, _) in LIBRARIES.items():
        files = Checkout(sources, checkout).files(ref_of(library, version), r'_def\.cpp$', UNWANTED + '|aicpu[^/]*/')
        for path, source in files.items():
            for op, chip, inputs, line in declared(source):
                found[op, chip] = Declaration(op, chip, inputs, '%s@%s:%s:%d' % (library, version, path, line))
    return found


def installed_declarations(sources):
    """The same of CANN 8.1, from the lists that an installation has."""
    found = {}
    for path, text in Checkout(sources, INSTALLED).files('HEAD', r'aic-\w+-ops-info\.json$').items():
        chip = CHIP_NAMES.get(re.search(r'aic-(\w+)-ops-info', path)[1])
        for op, fields in json.loads(text).items() if chip else ():
            inputs = {}
            for number in range(20):
                field = fields.get('input%d' % number)
                if not field:
                    break
                types = [name.strip() for name in (field.get('dtype') or field.get('type') or '').split(',')]
                inputs[field['name']] = list(dict.fromkeys(INSTALLED_TYPES.get(name, name) for name in types if name))
            found[op, chip] = Declaration(op, chip, inputs, '%s:%s' % (INSTALLED, INSTALLED_KERNELS))
    return found


def all_declarations(sources):
    """{version: {(operator, chip): Declaration}}"""
    return {**{version: open_declarations(sources, version) for version in VERSIONS}, OLDEST: installed_declarations(sources)}


def declaration_rows(declarations):
    """Rows of l0_dtypes: what a kernel is declared for, input by input."""
    found = defaultdict(dict)
    for version, known in declarations.items():
        for declaration in known.values():
            for number, (name, types) in enumerate(declaration.inputs.items()):
                if types:
                    found[declaration.op, declaration.chip, listed(types), CONDITION % (number, name)].setdefault(version, declaration.source)
    for (op, chip, types, condition), places in found.items():
        source = next((places[version] for version in VERSIONS if version in places), places.get(OLDEST))
        yield op, 'aicore', chip, types, condition, source, versions_listed(places), '', op, ''


def installed_cpu_rows(sources, declarations):
    """Rows of aicpu_kernels: the kernels of CANN 8.1 outside the AI Core."""
    chips = defaultdict(set)
    for op, chip in declarations[OLDEST]:
        chips[op].add(chip)
    for path, text in Checkout(sources, INSTALLED).files('HEAD', r'/(%s)\.json$' % '|'.join(INSTALLED_CPU)).items():
        kind = re.search(r'/(\w+)\.json$', path)[1]
        unit, folder = INSTALLED_CPU[kind]
        for op, fields in json.loads(text).items():
            names = [name.strip() for name in fields.get('input0', {}).get('type', '').split(',')]
            types = [TYPES.get(name, name.lower().replace('dt_', '')) for name in names if name]
            yield (op, unit, listed(types), ' '.join(c for c in CHIPS if c in chips[op]), ' '.join(c for c in CHIPS if c not in chips[op] and c != '950'),
                   '%s:opp/built-in/op_impl/aicpu/%s/config/%s.json' % (INSTALLED, folder, kind), OLDEST)


def open_cpu_rows(sources, declarations):
    """Rows of aicpu_kernels: kernels of the AI CPU whose source is open."""
    for version in VERSIONS:
        found = {}
        for library, (checkout, _) in LIBRARIES.items():
            files = Checkout(sources, checkout).files(ref_of(library, version), r'aicpu[^/]*/.*\.(cpp|json)$', UNWANTED)
            for path, text in files.items():
                place = '%s@%s:%s:' % (library, version, path)
                if path.endswith('.json'):
                    try:
                        for op in json.loads(text):
                            found.setdefault(op, place + '1')
                    except ValueError:
                        continue
                names = dict(re.findall(r'(\w+)\s*(?:\[\])?\s*=\s*"(\w+)"', text))
                for kernel in re.finditer(r'REGISTER_CPU_KERNEL\(\s*([\w:]+)', text):
                    name = kernel[1].split('::')[-1]
                    found[names.get(name, name)] = place + str(line_of(text, kernel.start()))
        for op, source in found.items():
            yield op, 'aicpu-src', '', ' '.join(chip for chip in CHIPS if (op, chip) in declarations[version]), '', source, version
