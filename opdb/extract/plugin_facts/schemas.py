"""native_functions.yaml of PyTorch and musa_functions.yaml of torch_musa: the few fields of them that the reader needs."""
import os
import re
import sys
from collections import namedtuple

from reader.text import arguments

Schema = namedtuple('Schema', 'arguments dispatch delegate')
FIELD = re.compile(r'( *)(- )?(\w[\w, ]*?):\s*(.*?)\s*$')


def entries(text):
    """The entries of a list of mappings: {field: value, or a mapping one level deeper}."""
    found, inner, quote = [], None, None
    for line in text.split('\n'):
        line = re.sub(r'(^|\s)#.*$', '', line)
        field = FIELD.match(line)
        if quote is not None and not field and line.strip():  # a quoted signature that goes on
            found[-1]['func'] += ' ' + line.strip()
            continue
        if not field:
            continue
        indent, dash, name, value = field.groups()
        value = value.strip('"\'')
        if dash:
            found.append({})
            inner = None
        if not found:
            continue
        if inner is not None and len(indent) > inner[0]:
            inner[1].update((key.strip(), value) for key in name.split(','))
            continue
        inner = None
        found[-1][name] = value
        if name == 'dispatch' and not value:
            found[-1][name] = {}
            inner = len(indent) + (2 if dash else 0), found[-1][name]
        quote = name if name == 'func' and '->' not in value and '(' in value else None
    return found


def read_schemas(text):
    found = {}
    for entry in entries(text):
        signature = entry.get('func', '')
        if '(' not in signature:
            continue
        given = [a for a in arguments(signature[signature.index('(') + 1:signature.rindex(') ->')]) if a != '*']
        names = [re.search(r'(\w+)\s*(?:=.*)?$', argument)[1] for argument in given]
        dispatch = entry.get('dispatch') or {}
        found[signature[:signature.index('(')]] = Schema(names, dispatch if isinstance(dispatch, dict) else {}, entry.get('structured_delegate'))
    return found


def schemas_of(sources, torch):
    """The schemas of a PyTorch version from sources/pytorch/VERSION/native_functions.yaml; another version near it if that is missing."""
    folder = os.path.join(sources, 'pytorch')
    if not os.path.isdir(folder) or not os.listdir(folder):
        raise FileNotFoundError('no native_functions.yaml in %s/VERSION' % folder)

    def number(version):
        return [int(part) for part in re.findall(r'\d+', version)][:2]

    there = sorted(os.listdir(folder), key=number)
    nearest = next((version for version in there if number(version) >= number(torch)), there[-1])
    if number(nearest) != number(torch):
        print('PyTorch %s: read with the schemas of %s' % (torch, nearest), file=sys.stderr)
    with open(os.path.join(folder, nearest, 'native_functions.yaml'), encoding='utf-8') as lines:
        return read_schemas(lines.read())
