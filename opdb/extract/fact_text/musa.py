"""A release of torch_musa from its list, musa_functions.yaml, and from its patch to PyTorch's native_functions.yaml, which adds
operators to aten. An entry without `dispatch` is a member of a structured group: it reuses the kernel that PyTorch has for CUDA."""
import re

from fact_text import documents, native, schema
from fact_text.documents import Map, Text
from fact_text.release import Name, Release, refuse
from fact_text.tables import Malformed, Place, read_text

KEYS = set('func dispatch structured structured_delegate structured_inherits device_guard device_check tags autogen variants'
           ' precomputed'.split())
DISPATCH_KEYS = [prefix + 'PrivateUse1' for prefix in ('', 'Quantized', 'Sparse', 'SparseCsr', 'NestedTensor', 'Autograd')]
STRUCTURED = 'structured group, kernel through DispatchStub or .out'
PATCHED = 'op added by the torch_musa patch to PyTorch'


def read_name(options):
    name = options.release.removeprefix('v')
    if not re.fullmatch(r'[0-9][\w.+-]*', name, re.A):
        refuse("'%s' is not a tag of torch_musa, such as v2.7.1", options.release)
    return Name(name, 'v' + name, options.torch, name, 'rc' if 'rc' in name else 'final')


def read_patch(path):
    """The operators that the patch adds, each in its line of the patch."""
    lines = read_text(path).split('\n')
    for number, line in enumerate(lines, 1):
        if line.startswith('-') and not line.startswith('---'):
            raise Malformed(Place(path, number), 'a patch that takes lines away is not understood')
    added = [line[1:] if line.startswith('+') and not line.startswith('+++') else '' for line in lines]
    return native.read(path, '\n'.join(added))


def kernels_of(entry, op, structured):
    """(place, dispatch key, C++ function) of an entry; a member of a structured group has no function."""
    dispatch = entry.get('dispatch')
    if dispatch is None and not structured:
        raise Malformed(entry.place, '"%s" has no dispatch and is not a member of a structured group' % op)
    if dispatch is None:
        return [(entry.place, 'PrivateUse1', '')]
    if not isinstance(dispatch, Map):
        raise Malformed(dispatch.place, 'dispatch must be a map')
    found = [(keys.place, key.strip(), kernel) for keys, kernel in dispatch.items() for key in keys.split(',')]
    for place, key, kernel in found:
        if not isinstance(kernel, Text) or not schema.NAME.fullmatch(kernel):
            raise Malformed(kernel.place, 'expected the name of a C++ function')
        if key not in DISPATCH_KEYS:
            raise Malformed(place, 'unknown dispatch key "%s"' % key)
    return found


def run(options):
    release = Release('musa', read_name(options), options)
    operators = native.load(options.native_functions)
    patched = read_patch(options.patch) if options.patch else {}
    structured = {*patched, *(op for op, operator in operators.items() if operator.structured)}
    known = {*operators, *patched, *native.generated(operators, options.torch), *native.generated(patched, options.torch)}
    for entry in documents.load_list(options.functions, 'of operators'):
        op = schema.parse_under(entry, 'func').op
        documents.check_keys(entry, KEYS)
        if op not in known:
            raise Malformed(entry.place, '"%s" is an operator neither of this PyTorch nor of the patch' % op)
        for place, key, kernel in kernels_of(entry, op, op in structured):
            note = PATCHED if op in patched else '' if kernel else STRUCTURED
            release.add(('aten', op, key), place, origin='musa_functions', status='native', kernel=kernel, note=note,
                        source=release.source('musa-functions'))
    for op, operator in patched.items():  # composites have no registration
        if operator.composite and ('aten', op, 'PrivateUse1') not in release.rows:
            release.add(('aten', op, 'schema-only'), operator.entry.place, origin='torch_patch', status='composite', note=PATCHED,
                        source=release.source('musa-torch-patch'))
    for key in release.rows.keys() & release.old.keys():
        release.rows[key]['host_path'] = release.old[key]['host_path']
    kept = release.keep_old(['cpp'])
    if release.is_new:
        release.field.update(key='PrivateUse1', fallback='none', list=release.source('musa-functions'))
    release.write()
    print('%d registrations that only its C++ code has were kept' % kept)
