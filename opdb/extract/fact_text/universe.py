"""A version of PyTorch: its operators from native_functions.yaml, the overloads that its generator adds, all signatures, and the
formulas of gradients."""
import re
from collections import Counter

from fact_text import documents, native, schema
from fact_text.documents import Map, Text, as_bool, words
from fact_text.native import EXPLICIT, IMPLICIT, NONFUNCTIONAL, version
from fact_text.tables import OPTIONS, FactText, Malformed, Place, Refused, read_text

GENERATED_KERNELS = '1.9'  # from this version on members of a structured group get a generated kernel on every backend
OF_THE_BASE = ('core', 'pointwise')  # tags that a generated overload does not take over


def read_tags(path):
    found = set()
    for entry in documents.load_list(path, 'of tags'):
        if not isinstance(entry, Map) or not isinstance(entry.get('tag'), Text):
            raise Malformed(entry.place, 'an entry needs a tag')
        found.add(entry['tag'])
    return found


def read_signatures(path, generated):
    """{op: Schema} of generated overloads, one a line."""
    found = {}
    for number, line in enumerate(read_text(path).split('\n'), 1):
        place = Place(path, number)
        if not line.strip():
            continue
        given = schema.parse(line.strip(), place)
        if not given.signature or given.op in found:
            raise Malformed(place, '"%s" %s' % (given.op, 'has a line already' if given.signature else 'has no signature'))
        if given.op not in generated:
            raise Malformed(place, '"%s" is not an overload that this PyTorch generates' % given.op)
        found[given.op] = given
    return found


def has_of(operator, torch):
    entry, kernels = operator.entry, operator.kernels
    ufunc = 'ufunc_inner_loop' in entry
    generated = 'structured_delegate' in entry and version(torch) >= version(GENERATED_KERNELS)
    return [word for word, has in (
        ('cpu', ufunc or 'CPU' in kernels), ('cuda', ufunc or 'CUDA' in kernels), ('implicit', operator.implicit),
        ('explicit', any(key in kernels for key in EXPLICIT)), ('nonfunctional', generated or NONFUNCTIONAL in kernels),
        ('structured', as_bool(entry.get('structured'))), ('view', operator.schema.is_view)) if has]


def universe_row(operator, torch, known_tags):
    entry, tags = operator.entry, words(operator.entry.get('tags'))
    unknown = [tag for tag in tags if known_tags is not None and tag not in known_tags]
    if unknown:
        raise Malformed(entry['tags'].place, 'tag "%s" is not in the list of tags' % unknown[0])
    dispatch = entry.get('dispatch')
    keys = sorted(key for keys in (dispatch if isinstance(dispatch, Map) else ()) for key in words(keys))
    variants = words(entry['variants']) if 'variants' in entry else ['function']
    return (operator.schema.op, operator.schema.kind, ' '.join(has_of(operator, torch)), entry.get('structured_delegate', ''), '',
            ' '.join(variants), ' '.join(tags), ' '.join(keys))


def generated_row(op, base, given):
    kind = given.kind if given else 'out' if op.endswith('out') else 'functional'
    tags = ['generated', *(tag for tag in words(base.entry.get('tags')) if tag not in OF_THE_BASE)]
    return op, kind, 'explicit', '', base.schema.op, 'function', ' '.join(tags), 'CompositeExplicitAutograd'


# --- gradients: backward nodes, and the backward operators that their formulas call

def node_name(op):
    """Words as Python's str.title writes them: max_pool2d is MaxPool2D. "Forward" before "Backward" goes."""
    name = re.sub('(?<![A-Za-z])[a-z]', lambda match: match[0].upper(), op.split('.')[0]).replace('_', '')
    return name.removesuffix('Forward') + 'Backward'


def formulas_of(entry, given):
    """The gradients of arguments, those for every kind of tensor where there are others too; under a result is a forward derivative."""
    formulas = entry.get('dispatch', {'Default': entry})
    formulas = formulas.get('Default') if isinstance(formulas, dict) else None
    names = {item.name for item in [*given.positional, *given.keyword]}
    return [formula for key, formula in (formulas.items() if isinstance(formulas, Map) else ())
            if isinstance(formula, Text) and formula != 'non_differentiable' and all(name.strip() in names for name in key.split(','))]


def calls_in(formulas, bases):
    """The backward operators among the words before a parenthesis."""
    calls = (call.removesuffix('_symint') for formula in formulas for call in re.findall(r'(\w+)\(', formula, re.A))
    return dict.fromkeys(call for call in calls if 'backward' in call and call in bases)


def gradient_rows(path, operators, added):
    """(node, forward, calls) of every overload with a formula; those of one name are numbered. One that only throws has none."""
    bases, numbers = {op.split('.')[0] for op in operators}, Counter()
    for entry in documents.load_list(path, 'of formulas'):
        given = schema.parse_under(entry, 'name')
        if given.op not in operators and given.op not in added:
            raise Malformed(entry.place, '"%s" is not an operator of this PyTorch' % given.op)
        if not given.signature:
            raise Malformed(entry.place, '"%s" has no arguments that are understood' % given.op)
        formulas = formulas_of(entry, given)
        node = node_name(given.op)
        if not all(formula.startswith('not_implemented') for formula in formulas):
            yield '%s%d' % (node, numbers[node]), given.op, ' '.join(calls_in(formulas, bases))
        numbers[node] += bool(formulas)


# --- the fact text

def place_of(versions, options):
    """The row of the version among all; a new one comes behind the older ones."""
    if not re.fullmatch(r'([0-9]{1,4}\.){2}[0-9]{1,4}', options.torch):
        raise Refused(OPTIONS, "'%s' is not a version of PyTorch, for example 2.7.1" % options.torch)
    row = versions.find('version', options.torch)
    if row and not options.force:
        raise Refused(OPTIONS, 'the fact text has PyTorch %s already; --force replaces what its lists say' % options.torch)
    if row:
        return row
    older = sum(version(name) <= version(options.torch) for name in versions.names())
    return versions.insert(older, version=options.torch, wheel=options.torch, source=options.source or 'torch')


def run(options):
    text = FactText(options.opdb)
    versions = text.table('torch/versions.tsv')
    order = versions.names()
    tables = text.spans_in('torch', order)
    universe, schemas, gradients = (tables['torch/%s.tsv' % name] for name in ('universe', 'schemas', 'gradients'))
    row = place_of(versions, options)
    universe.remove(options.torch)
    schemas.remove(options.torch)

    operators = native.load(options.native_functions)
    added = native.generated(operators, options.torch)
    tags = read_tags(options.tags) if options.tags else None
    given = read_signatures(options.generated, added) if options.generated else {}
    for operator in operators.values():
        universe.add(universe_row(operator, options.torch, tags), [options.torch])
        schemas.add((operator.schema.op, operator.schema.signature), [options.torch])
    unknown = 0
    for op, base in added.values():
        signature = given.get(op) or schema.generated(base.schema, op, base.entry.place)
        universe.add(generated_row(op, base, signature), [options.torch])
        unknown += not signature
        if signature:
            schemas.add((op, signature.signature), [options.torch])
    if options.derivatives:
        gradients.remove(options.torch)
        rows = list(gradient_rows(options.derivatives, operators, added))
        for cells in rows:
            gradients.add(cells, [options.torch])
        print('%d formulas of gradients' % len(rows))
    row['overloads'] = str(len(operators) + len(added))
    for name, table in tables.items():
        text.put(name, table.text(versions.names(), {'universe': 1, 'schemas': 1, 'gradients': 2}.get(name[6:-4], 0)))
    text.put('torch/versions.tsv', versions.text())
    text.write()
    print('torch %s: %d operators, %d generated overloads' % (options.torch, len(operators), len(added)))
    if unknown:
        print('%d generated overloads have no signature: --generated FILE names them' % unknown)
