"""PyTorch's native_functions.yaml: the operators of one version, and those that its generator adds to them."""
import re
from collections import namedtuple

from fact_text import schema
from fact_text.documents import Map, Text, check_keys, check_list, is_empty, parse, words
from fact_text.tables import LIST, Malformed, Place, Refused, read_text

KEYS = set('func variants dispatch structured structured_delegate structured_inherits autogen tags device_check device_guard precomputed'
           ' python_module category_override cpp_no_default_args manual_cpp_binding manual_kernel_registration use_c10_dispatcher'
           ' use_const_ref_for_mutable_tensors ufunc_inner_loop namespace supports_named_tensor ufunc_inner_loops'.split())
IMPLICIT = ('CompositeImplicitAutograd', 'Math')  # as later versions call it, and 1.8
EXPLICIT = ('CompositeExplicitAutograd', 'DefaultBackend')
NONFUNCTIONAL = 'CompositeExplicitAutogradNonFunctional'

Generated = namedtuple('Generated', 'op base')  # an operator that no entry defines, and the one that it calls


def version(text):
    """A key to sort versions by: a candidate (rc) comes before the final version of its number."""
    numbers = ((not candidate, digits.lstrip('0')) for candidate, digits in re.findall('(rc)?([0-9]+)', text))
    return [(final, len(digits), digits) for final, digits in numbers]


def named_under(dispatch):
    """{dispatch key: C++ function}"""
    named = dispatch.items() if isinstance(dispatch, Map) else ()
    return {key: kernel for keys, kernel in named if isinstance(kernel, Text) for key in words(keys)}


class Operator:
    """An entry: its schema, the kernels that it names, and what follows from them."""

    def __init__(self, entry):
        self.entry, self.schema = entry, schema.parse_under(entry, 'func')
        self.kernels = named_under(entry.get('dispatch'))
        self.structured = 'structured' in entry or 'structured_delegate' in entry
        self.has_body = 'dispatch' not in entry
        self.implicit = any(key in self.kernels for key in IMPLICIT) or (self.has_body and not self.structured)
        # it runs by other operators, without a kernel of its own
        self.composite = (self.implicit or 'structured_delegate' in entry or NONFUNCTIONAL in self.kernels
                          or any(key in self.kernels for key in EXPLICIT))
        check_keys(entry, KEYS)
        dispatch = entry.get('dispatch')
        if not is_empty(dispatch) and not isinstance(dispatch, Map):
            raise Malformed(dispatch.place, 'dispatch must be a map')
        if not self.schema.signature:
            raise Malformed(entry.place, '"%s" has no arguments and no result' % self.schema.op)


def read(name, text):
    """{op: Operator} in the order of the list."""
    found = {}
    for entry in check_list(name, parse(name, text), 'of operators'):
        operator = Operator(entry)
        op = operator.schema.op
        if op in found:
            raise Malformed(entry.place, '"%s" is in line %d already' % (op, found[op].entry.place.line))
        found[op] = operator
    return found


def load(path):
    found = read(path, read_text(path))
    if not found:
        raise Refused(LIST, 'the list has no operator', Place(path))
    return found


def generated(native, torch):
    """{op: Generated} of a version: up to 2.5 the generator leaves out what a CompositeImplicit operator asks for, from 2.6 on it makes
    that too where the operator is tagged core. The first of several bases is kept."""
    core_too = version(torch) >= version('2.6')
    found = {}
    for base in native.values():
        if not base.implicit or (core_too and 'core' in words(base.entry.get('tags'))):
            for op in words(base.entry.get('autogen')):
                if op not in native:
                    found.setdefault(op, Generated(op, base))
    return found
