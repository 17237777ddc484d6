"""Evaluates calls of op_api functions: the macros of checks and launches, functions with a known meaning, methods, l0 functions."""
import re

from cann_facts.expressions import Expressions, is_number, tuple_of, worded
from cann_facts.names import COMPLEX, FLOATING, INTEGRAL, SIZES
from cann_facts.values import (CHIP_CLASSES, ERROR, SUCCESS, Constant, Tensor, Thing, Tuple, Type, Unknown, can_cast, member,
                               promoted, shortened, truth, type_of, words)
from reader.syntax import Call, Jump, Lambda, Member, Name, Unary, shown

DEEPEST = 14
SILENT = {'L2_DFX_PHASE_1', 'L2_DFX_PHASE_2', 'L0_DFX', 'DFX_IN', 'DFX_OUT', 'OP_LOGE', 'ACLNN_LOGE', 'OP_CHECK_COMM_INPUT', 'CREATE_EXECUTOR_WITH',
          'OP_INPUT', 'OP_OUTPUT', 'OP_ATTR', 'OP_ATTR_NAMES'}
RETURN_IF_FALSE = ('CHECK_RET', 'CHECK_RET_CODE', 'CHECK_COND')
RETURN_UNLESS = ('OP_CHECK', 'OP_CHECK_INFERSHAPE', 'CHECK_AND_RETURN')
RETURN_IF = ('OP_CHECK_IF', 'OPS_CHECK', 'OP_TILING_CHECK')
RANK_CHECKS = {'MAX_DIM': '<=', 'MIN_DIM': '>=', 'WRONG_DIMENSION': '=='}
SAME_VALUE = set('static_cast const_cast reinterpret_cast dynamic_cast move forward ref cref int64_t size_t bool int32_t uint64_t float double'
                 ' ToOpDataType ToOpFormat DataType'.split())
NEWEST_CHIP = ('IsRegBase', 'IsRegbase', 'isRegBase', 'IsRegbaseSoc', 'IsRegBaseSocVersion', 'IsArch3510', 'IsAscend950')
SAME_TENSOR = ('Contiguous', 'Reshape', 'UnsqueezeNd', 'SqueezeNd', 'ReFormat', 'TransData', 'TransDataSpecial', 'PickViewAsContiguous', 'ReshapeLike')
MADE_TENSORS = ('AllocTensor', 'AllocHostTensor', 'ConvertToTensor', 'CreateView', 'AllocTensorList', 'CreateTensor')
SHAPE_CHECK = re.compile(r'[cC]heck\w*(Shape|Format|Dim|Rank|Size|Stride|Pad|Axis|Axes|Array|Layout|Broadcast)')


class Calls(Expressions):
    def call(self, node, scope):
        function = node.function
        if isinstance(function, Member):
            return self.method(node, scope)
        if not isinstance(function, Name):
            value = self.evaluate(function, scope)
            return self.call_lambda(value, node.arguments, scope) if isinstance(value, Lambda) else Unknown(shown(node)[:60])
        tail = function.name.split('::')[-1]
        if isinstance(scope.get(tail), Lambda):
            return self.call_lambda(scope[tail], node.arguments, scope)
        known, value = self.macro(tail, node, scope)
        if known:
            return value
        known, value = self.standard(function, tail, node, scope)
        if known:
            return value
        given = [self.evaluate(argument, scope) for argument in node.arguments]
        known, value = self.known_function(tail, given)
        if known:
            return value
        if function.name.startswith(('l0op::', '::l0op::')):
            return self.l0_function(tail, given, node.line)
        return self.plain_function(function.name, node.arguments, given, scope)

    def call_lambda(self, function, arguments, scope):
        for parameter, argument in zip(function.parameters, arguments):
            scope[parameter.name] = self.evaluate(argument, scope)
        return self.run_body(function.body, scope)

    # --- macros

    def macro(self, name, node, scope):
        """(is it a macro with a meaning, its value)."""
        arguments = node.arguments
        if name.startswith('OP_LOG') or name in SILENT:
            return True, Unknown(name)
        if name == 'INFER_SHAPE':
            return True, Constant(SUCCESS)
        if name in RETURN_IF_FALSE:
            return True, self.return_if_false(name, arguments, scope)
        if name in RETURN_UNLESS + RETURN_IF:
            return True, self.conditional_return(name, arguments, scope)
        if name == 'OP_CHECK_ADD_TO_LAUNCHER_LIST_AICORE':
            self.evaluate(arguments[0], scope)
            return True, None
        if name.startswith('OP_CHECK'):
            return True, self.type_check(name, arguments, scope)
        if 'LAUNCHER_LIST' in name or name.startswith('CREAT_KERNEL'):
            return True, self.launch_macro(name, node, scope)
        return False, None

    def leave(self, arguments, scope):
        """The return among the arguments of a macro whose check failed."""
        for argument in arguments:
            if isinstance(argument, Jump):
                self.evaluate(argument, scope)

    def return_if_false(self, name, arguments, scope):
        condition = self.evaluate(arguments[0], scope)
        known = truth(condition)
        if known is None:
            self.requirements.append((True, shortened(words(condition))))
        elif not known and len(arguments) > 1:
            self.evaluate(Jump('return', Name(ERROR, None) if name == 'CHECK_COND' else arguments[1], 0), scope)

    def conditional_return(self, name, arguments, scope):
        condition, unless = self.evaluate(arguments[0], scope), name in RETURN_UNLESS
        known = truth(condition)
        if known is None:
            self.requirements.append((unless, shortened(words(condition))))
        elif known != unless:
            self.leave(arguments[1:], scope)

    def type_check(self, name, arguments, scope):
        """OP_CHECK_DTYPE_NOT_SUPPORT(tensor, list, return ...) and its kin."""
        if re.search(r'DTYPE_NOT_SUPPORT|DTYPE_NOT_IN', name):
            at = 1 if re.search('SCENARIO|REASON', name) and 'VALUE' not in name else 0
            self.list_check(arguments[at], self.evaluate(arguments[at], scope), self.evaluate(arguments[at + 1], scope), arguments, scope)
        elif name == 'OP_CHECK_DTYPE_NOT_MATCH':
            value, wanted = self.evaluate(arguments[0], scope), self.evaluate(arguments[1], scope)
            if isinstance(wanted, Type) and not wanted.assumed:
                self.list_check(arguments[0], value, [wanted], arguments, scope)
        elif name.startswith('OP_CHECK_DTYPE_NOT_SAME'):
            tensors = self.tensors(arguments, scope)
            if len(tensors) == 2:
                self.requirements.append((True, 'dtype(%s)==dtype(%s)' % (tensors[0].name, tensors[1].name)))
        elif re.match(r'OP_CHECK_(MAX_DIM|MIN_DIM|WRONG_DIMENSION)', name):
            sign = next(sign for part, sign in RANK_CHECKS.items() if part in name)
            values = [self.evaluate(argument, scope) for argument in arguments[:-1]]
            tensors, numbers = [v for v in values if isinstance(v, Tensor)], [v for v in values if isinstance(v, int)]
            if tensors and numbers:
                self.requirements.append((True, 'rank(%s)%s%s' % (tensors[0].name, sign, numbers[0])))
        elif name == 'OP_CHECK_NULL':
            if self.evaluate(arguments[0], scope) is None:
                for argument in arguments[1:]:
                    self.evaluate(argument, scope)
        elif name == 'OP_CHECK_RESULT_DTYPE_CAST_FAILED':
            source, target = self.evaluate(arguments[0], scope), self.evaluate(arguments[1], scope)
            if isinstance(source, Type) and isinstance(target, Type) and not can_cast(source, target) and not (source.assumed or target.assumed):
                self.leave(arguments, scope)

    def list_check(self, node, value, types, arguments, scope):
        if not isinstance(types, list):
            return
        self.checks.append((value.name if isinstance(value, Tensor) else shortened(shown(node), 30), tuple(map(words, types))))
        type_name = value.type if isinstance(value, Tensor) else value
        if isinstance(type_name, Type) and not type_name.assumed and type_name not in [str(item) for item in types]:
            self.leave(arguments, scope)

    def tensors(self, arguments, scope):
        values = [self.evaluate(argument, scope) for argument in arguments if not isinstance(argument, Jump)]
        return [value for value in values if isinstance(value, Tensor)]

    def launch_macro(self, name, node, scope):
        unit = 'aicpu' if 'AICPU' in name else 'dsa' if 'DSA' in name else 'aicore'
        parts = {argument.function.name: self.tensors(argument.arguments, scope) for argument in node.arguments
                 if isinstance(argument, Call) and isinstance(argument.function, Name)}
        inputs = parts.get('OP_INPUT', [])
        first = next(iter(inputs or parts.get('OP_OUTPUT', [])), None)
        self.launch(unit, shown(node.arguments[0]), first.type if first else None, tuple(str(tensor.type) for tensor in inputs), node.line)
        return Constant(SUCCESS)

    # --- functions

    def standard(self, function, name, node, scope):
        """Casts and functions of the standard library."""
        arguments = node.arguments
        if name in SAME_VALUE:
            value = self.evaluate(arguments[0], scope) if arguments else Unknown(name)
            return True, truth(value) if name == 'bool' and not isinstance(value, Unknown) else value
        if not (function.name.startswith('std::') or name in ('make_tuple', 'tie', 'make_pair', 'tuple')):
            return False, None
        given = [self.evaluate(argument, scope) for argument in arguments]
        if name in ('tie', 'make_tuple', 'make_pair', 'tuple', 'pair', 'forward_as_tuple'):
            return True, tuple_of(given)
        if name == 'get' and given and function.template:
            if isinstance(given[0], Tuple):
                number = int(function.template[0]) if function.template[0].isdigit() else len(given[0])
                return True, given[0][number] if number < len(given[0]) else Unknown('get')
            if isinstance(given[0], Tensor):
                return True, Tensor(given[0].name, type_of(given[0].type, True))
        if name == 'find' and len(arguments) == 3:
            first = arguments[0]
            values = self.evaluate(first.function.base, scope) if isinstance(first, Call) and isinstance(first.function, Member) else None
            return True, Thing('search', member(given[2], values) if isinstance(given[2], Type) else Unknown('%s found' % words(given[2])))
        if name in ('vector', 'initializer_list', 'array') and given and isinstance(given[0], list):
            return True, given[0]
        if name in ('min', 'max') and len(given) == 2 and all(map(is_number, given)):
            return True, (min if name == 'min' else max)(given)
        if name in ('any_of', 'all_of', 'none_of'):
            return True, Unknown(name + '(..)')
        if name in ('unique_ptr', 'shared_ptr'):
            return True, given[0] if given else Unknown(name)
        return True, Unknown('%s(%s)' % (name, ','.join(map(words, given))), name == 'vector')

    def known_function(self, name, given):
        """Functions of CANN's framework with a meaning for types."""
        first = given[0] if given else None
        if name == 'GetCurrentPlatformInfo':
            return True, Thing('platform')
        if name in NEWEST_CHIP:
            return True, self.chip == '950'
        if name == 'GetCurNpuArch':
            return True, Constant(CHIP_CLASSES[self.chip][1])
        if name == 'CREATE_EXECUTOR':
            return True, Thing('executor')
        if name == 'CheckType':
            return True, member(first, given[1])
        if isinstance(first, Type):
            if re.match(r'[iI]sFloat(ing)?Type$', name):
                return True, first in FLOATING
            if re.match(r'[iI]sIntegralType$', name):
                return True, first in INTEGRAL or first == 'bool' and len(given) > 1 and given[1] is True
            if re.match(r'[iI]sComplexType$', name):
                return True, first in COMPLEX
            if name == 'IsBasicType':
                return True, True
            if name == 'CanCast' and len(given) > 1 and isinstance(given[1], Type):
                return True, first.assumed or given[1].assumed or can_cast(first, given[1])
            if name in ('TypeSize', 'GetSizeByDataType', 'GetDtypeSize') and first in SIZES:
                return True, SIZES[first]
        if name in ('PromoteType', 'CombineCategories') and len(given) >= 2:
            return True, promoted(first, given[1])
        if name == 'ToAclDataType' and given:
            return True, first
        if name == 'IsContiguous' and isinstance(first, Tensor):
            return True, Unknown('contiguous(%s)' % first.name)
        return False, None

    def l0_function(self, name, given, line):
        first = given[0] if given else None
        self.launch('l0', name, '', tuple(str(value.type) for value in given if isinstance(value, Tensor)), line)
        if given and name in SAME_TENSOR:
            return first.copy() if isinstance(first, Tensor) else first
        routine = self.library.lookup(name, len(given), self.path, True)
        if name.startswith('CastOnly') or name == 'Cast':
            if len(given) > 1 and isinstance(first, Tensor) and isinstance(given[1], Type):
                if first.type == given[1]:
                    return first
                if routine and self.depth < DEEPEST:
                    self.call_l0(routine, name, given)
                return Tensor(first.name, given[1])
            return first if given else Unknown('cast')
        if routine is None or self.depth > DEEPEST:
            if routine is None:
                self.launch('?', name, first.type if isinstance(first, Tensor) else '', (), line)
            tensor = next((value for value in given if isinstance(value, Tensor)), None)
            return Tensor(name, tensor.type if tensor else type_of(self.type_name, True))
        result = self.call_l0(routine, name, given)
        if name in ('ViewCopy', 'Transpose'):
            return Tensor(first.name, first.type) if isinstance(first, Tensor) else first
        return result

    def plain_function(self, name, arguments, given, scope):
        """A function of the libraries, by its text; else its words."""
        tail = name.split('::')[-1]
        routine = self.library.lookup(name, len(given), self.path) if self.depth < DEEPEST else None
        if routine is None:
            return Unknown(tail + ' ok' if tail.startswith('Check') else '%s(%s)' % (tail, ','.join(map(words, given))))
        result, inner = self.run(routine, given)
        for parameter, argument, value in zip(routine.parameters, arguments, given):
            target = argument.value if isinstance(argument, Unary) and argument.sign == '&' else argument
            by_reference = '&' in parameter.type or isinstance(argument, Unary) or parameter.type.count('*') > 1
            if isinstance(target, Name) and target.name in scope and by_reference and inner.get(parameter.name) is not value:
                scope[target.name] = inner.get(parameter.name)
        failed = result is False or isinstance(result, Constant) and result == ERROR
        if failed and SHAPE_CHECK.match(tail) and not re.search('[dD]type|DataType', tail):
            return True if result is False else Constant(SUCCESS)
        return result

    # --- methods

    def method(self, node, scope):
        base, name, arguments = self.evaluate(node.function.base, scope), node.function.name, node.arguments
        if isinstance(base, Thing):
            known, value = self.thing_method(base, name, arguments, scope)
            if known:
                return value
        if isinstance(base, Tensor):
            return self.tensor_method(base, name, arguments, scope)
        if name in MADE_TENSORS:
            given = [self.evaluate(argument, scope) for argument in arguments]
            made = next((value for value in given if isinstance(value, Type)), None)
            if made is None:
                made = next((type_of(value.type, value.type.assumed) for value in given if isinstance(value, Tensor)), type_of(self.type_name, True))
            return Tensor('tmp', made)
        if name == 'AllocScalar':
            return Thing('new scalar')
        if name == 'get' and not arguments:
            return base
        if isinstance(base, (dict, list)):
            known, value = self.container_method(base, name, arguments, scope)
            if known:
                return value
        for argument in arguments:
            self.evaluate(argument, scope)
        return Unknown('%s(%s)' % (name, worded(base, node.function.base)))

    def thing_method(self, base, name, arguments, scope):
        if base.kind == 'platform':
            values = {'GetSocVersion': 0, 'GetCurNpuArch': 1, 'GetNpuArch': 1}
            return True, Constant(CHIP_CLASSES[self.chip][values[name]]) if name in values else Unknown('platform.' + name)
        if base.kind == 'shape':
            if name in ('GetDimNum', 'size'):
                return True, Unknown('rank(%s)' % base.about)
            if name in ('GetDim', 'at'):
                return True, Unknown('size(%s,%s)' % (base.about, words(self.evaluate(arguments[0], scope))))
            return True, Unknown('numel(%s)' % base.about if name == 'GetShapeSize' else '%s.%s' % (base.about, name))
        if base.kind in ('scalar', 'new scalar'):
            if name == 'GetDataType':
                return True, type_of(self.type_name, True)
            if base.kind == 'scalar':
                return True, Unknown('%s(%s)' % (name, base.about))
            return True, Unknown('%s(scalar)' % name if name.startswith(('To', 'Is')) else 'scalar.' + name)
        return False, None

    def tensor_method(self, base, name, arguments, scope):
        if name == 'GetDataType':
            return type_of(base.type, base.type.assumed, base.name)
        if name in ('GetViewShape', 'GetStorageShape', 'GetOriginalShape'):
            return Thing('shape', base.name)
        if name == 'Size' and base.is_list:
            return Unknown('count(%s)' % base.name)
        if name in ('Size', 'Numel', 'GetShapeSize'):
            return Unknown('numel(%s)' % base.name)
        if name == 'IsEmpty':
            return False
        if name in ('GetStorageFormat', 'GetViewFormat', 'GetOriginalFormat'):
            return Unknown('format(%s)' % base.name)
        if name == 'SetDataType':
            made = self.evaluate(arguments[0], scope)
            if isinstance(made, Type):
                base.type = made
            return None
        if name == 'GetDim':
            return Unknown('size(%s,%s)' % (base.name, words(self.evaluate(arguments[0], scope))))
        return base if name == 'get' else Unknown('%s(%s)' % (name, base.name))

    def container_method(self, base, name, arguments, scope):
        if name in ('find', 'count') and arguments:
            wanted = self.evaluate(arguments[0], scope)
            if not isinstance(wanted, (Type, Constant)):
                return True, Unknown('%s found' % words(wanted))
            there = member(wanted, base) if isinstance(wanted, Type) else str(wanted) in [str(item) for item in base]
            value = base.get(str(wanted)) if isinstance(base, dict) else None
            return True, there if name == 'count' else Thing('search', there, value)
        if name in ('end', 'cend', 'begin', 'cbegin'):
            return True, Thing(name.lstrip('c'))
        if name == 'size':
            return True, len(base) if isinstance(base, list) else Unknown('size')
        if name in ('push_back', 'emplace_back') and isinstance(base, list) and not isinstance(base, Tuple):
            return True, None
        if name == 'at' and isinstance(base, dict):
            return True, base.get(words(self.evaluate(arguments[0], scope)), Unknown('at'))
        return False, None
