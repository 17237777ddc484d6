"""The data types that torch_musa's own operator tests run with, by release: evidence for, never against."""
import ast
import os
import re
from collections import defaultdict

from reader.text import spans
from reader.types import listed

HEADER = ['api', 'test', 'types', 'source', 'releases']
TYPES = {'float': 'fp32', 'float32': 'fp32', 'half': 'fp16', 'float16': 'fp16', 'bfloat16': 'bf16', 'double': 'fp64', 'float64': 'fp64',
         'short': 'int16', 'int': 'int32', 'long': 'int64', 'cfloat': 'complex64', 'cdouble': 'complex128',
         'float8_e4m3fn': 'fp8_e4m3fn', 'float8_e5m2': 'fp8_e5m2'}
TYPES.update((name, name) for name in 'int8 uint8 int16 int32 int64 bool complex32 complex64 complex128 qint8 quint8 uint16 uint32 uint64'.split())
TEST_FOLDERS = re.compile(r'operator|/ops|^tests/unittest$|quantized|sparse|^tests$')
HELPERS = 'torch_musa/testing/'


def dotted(node):
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return base + '.' + node.attr if base else ''
    return node.id if isinstance(node, ast.Name) else ''


def parsed(text):
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def is_function(node):
    return isinstance(node, ast.Attribute) and dotted(node).startswith('torch.') and node.attr not in TYPES


class Names:
    """Lists of types and of functions by the names of variables, and of helper functions, that hold them."""

    def __init__(self, helpers):
        self.helpers = helpers
        self.variables, self.lists = {}, {}

    def types(self, tree):
        found = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == 'torch' and node.attr in TYPES:
                found.add(TYPES[node.attr])
            elif isinstance(node, ast.Name):
                found |= self.variables.get(node.id, set())
            elif isinstance(node, ast.Call):
                found |= self.helpers.get(dotted(node.func).split('.')[-1], set())
        return found

    def functions(self, tree):
        """The functions of torch that a value lists, also by the names of other lists."""
        found = {dotted(node) for node in ast.walk(tree) if is_function(node)}
        return found.union(*(self.lists.get(node.id, set()) for node in ast.walk(tree) if isinstance(node, ast.Name)))

    def read(self, tree):
        """Variables of a test file that list functions or whose name says type, with what is appended to these."""
        for node in tree.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                if isinstance(node.value, (ast.List, ast.Tuple)) and all(is_function(item) for item in node.value.elts):
                    self.lists[node.targets[0].id] = self.functions(node.value)
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                found = self.types(node.value)
                if found and not isinstance(node.value, ast.Attribute) and re.search('type', node.targets[0].id, re.I):
                    self.variables.setdefault(node.targets[0].id, set()).update(found)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ('append', 'extend'):
                if isinstance(node.func.value, ast.Name) and node.func.value.id in self.variables:
                    for argument in node.args:
                        self.variables[node.func.value.id] |= self.types(argument)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id in self.variables:
                self.variables[node.target.id] |= self.types(node.value)


def helper_lists(texts):
    """get_..._types() of the testing package: the types in what they return or build."""
    names = Names({})
    for path, text in texts.items():
        for node in getattr(parsed(text), 'body', []) if os.path.dirname(path) + '/' == HELPERS else []:
            if isinstance(node, ast.FunctionDef) and re.match(r'get_\w*types?\w*$', node.name):
                parts = [part for part in ast.walk(node) if isinstance(part, (ast.Return, ast.Assign, ast.Expr, ast.AugAssign))]
                names.helpers[node.name] = set().union(*(names.types(part) for part in parts)) if parts else set()
    return names.helpers


def parametrized(test, names):
    """(types, APIs) that the decorators of a test give."""
    types, apis = set(), set()
    for decorator in test.decorator_list:
        if not (isinstance(decorator, ast.Call) and dotted(decorator.func).endswith('parametrize') and len(decorator.args) >= 2):
            continue
        name = str(decorator.args[0].value) if isinstance(decorator.args[0], ast.Constant) else ''
        if 'type' in name:
            types |= names.types(decorator.args[1])
        if re.search(r'func|op', name):
            apis |= names.functions(decorator.args[1])
    return types, apis


def apis_of(test):
    """What a test hands to the comparer, or else the torch functions that its own name contains."""
    found = set()
    for node in ast.walk(test):
        if isinstance(node, ast.keyword) and node.arg == 'func':
            name = dotted(node.value.func) if isinstance(node.value, ast.Call) else ''
            if dotted(node.value).startswith('torch'):
                found.add(dotted(node.value))
            elif name.startswith('torch'):
                found.add(name)
        elif isinstance(node, ast.keyword) and node.arg in ('func_name', 'op_func') and isinstance(node.value, ast.Constant):
            found.add(str(node.value.value))
    return found


def called_by_name(test):
    names = {dotted(node.func) for node in ast.walk(test) if isinstance(node, ast.Call)}
    return {name for name in names if name.startswith('torch.') and name.split('.')[-1] in test.name
            and name.split('.')[-1] not in ('tensor', 'Tensor')}


def tests_of(path, text, helpers):
    """(API, test, types) of one test file."""
    tree = parsed(text)
    if tree is None:
        return
    names = Names(helpers)
    names.read(tree)
    for test in tree.body:
        if not isinstance(test, ast.FunctionDef) or not test.name.startswith('test'):
            continue
        types, apis = parametrized(test, names)
        apis |= apis_of(test)
        for api in apis or called_by_name(test):
            if types and not api.startswith('torch.allclose'):
                yield re.sub(r'^torch\.Tensor\.', 'Tensor.', api), test.name, listed(types)


def tested_types(checkout, releases):
    found = defaultdict(list)
    for release, ref, _ in releases:
        texts = checkout.files(ref, r'^(tests|torch_musa/testing)/.*\.py$')
        helpers = helper_lists(texts)
        for path, text in texts.items():
            if os.path.basename(path).startswith('test_') and path.startswith('tests/') and TEST_FOLDERS.search(os.path.dirname(path)):
                for row in tests_of(path, text, helpers):
                    found[row].append((release, path))
    order = [release for release, *_ in releases]
    return [row + (places[-1][1], spans(order, [release for release, _ in places])) for row, places in found.items()]
