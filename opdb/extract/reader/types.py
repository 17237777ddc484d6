"""Names of data types: PyTorch's in C++ to the short ones of the tables, and the lists of its dispatch macros."""
import re

SCALAR_TYPES = {
    'Float': 'fp32', 'Half': 'fp16', 'BFloat16': 'bf16', 'Double': 'fp64', 'Char': 'int8', 'Byte': 'uint8', 'Short': 'int16',
    'Int': 'int32', 'Long': 'int64', 'Bool': 'bool', 'ComplexFloat': 'complex64', 'ComplexDouble': 'complex128',
    'ComplexHalf': 'complex32', 'Float8_e5m2': 'fp8_e5m2', 'Float8_e4m3fn': 'fp8_e4m3fn', 'UInt16': 'uint16', 'UInt32': 'uint32',
    'UInt64': 'uint64', 'QInt8': 'qint8', 'QUInt8': 'quint8', 'QInt32': 'qint32'}
ORDER = ['fp32', 'fp16', 'bf16', 'fp64', 'int8', 'uint8', 'int16', 'int32', 'int64', 'bool', 'complex64', 'complex128', 'complex32',
         'fp8_e5m2', 'fp8_e4m3fn', 'uint16', 'uint32', 'uint64', 'qint8', 'quint8', 'qint32']
COMMON = frozenset(ORDER[:12])
FLOATING = frozenset('fp32 fp16 bf16 fp64'.split())
INTEGRAL = frozenset('uint8 int8 int16 int32 int64'.split())
COMPLEX = frozenset('complex64 complex128'.split())
QUANTIZED = frozenset('qint8 quint8 qint32'.split())
UNSIGNED = frozenset('uint16 uint32 uint64'.split())
ALL = INTEGRAL | {'fp32', 'fp64'}

# AT_DISPATCH_<name>[_ANDn]: what the macro lists beside the types that are its first n arguments
DISPATCH = {
    'FLOATING_TYPES': {'fp32', 'fp64'}, 'FLOATING_TYPES_AND_HALF': {'fp32', 'fp64', 'fp16'}, 'ALL_TYPES': ALL,
    'ALL_TYPES_AND_COMPLEX': ALL | COMPLEX, 'COMPLEX_TYPES': COMPLEX, 'FLOATING_AND_COMPLEX_TYPES': {'fp32', 'fp64'} | COMPLEX,
    'INTEGRAL_TYPES': INTEGRAL, 'INDEX_TYPES': {'int32', 'int64'}, 'REDUCED_FLOATING_TYPES': {'fp16', 'bf16'},
    'ALL_TYPES_AND_HALF': ALL | {'fp16'}, 'QINT_TYPES': QUANTIZED, 'ALL_MTGPU_TYPES_AND_HALF': ALL | {'fp16', 'bf16'}, 'ALL_MTGPU_TYPES': ALL}
# AT_EXPAND(<name>) in AT_DISPATCH_V2
EXPANDED = {
    'AT_ALL_TYPES': ALL, 'AT_FLOATING_TYPES': {'fp32', 'fp64'}, 'AT_COMPLEX_TYPES': COMPLEX, 'AT_ALL_TYPES_AND_COMPLEX': ALL | COMPLEX,
    'AT_INTEGRAL_TYPES': INTEGRAL, 'AT_INTEGRAL_TYPES_V2': INTEGRAL | UNSIGNED, 'AT_BAREBONES_UNSIGNED_TYPES': UNSIGNED,
    'AT_FLOAT8_TYPES': {'fp8_e5m2', 'fp8_e4m3fn'}, 'AT_QINT_TYPES': QUANTIZED}

NAMED = re.compile(r'\b(?:(?:at::|c10::)?ScalarType::|(?:at::|c10::|torch::)?k)(%s)\b' % '|'.join(sorted(SCALAR_TYPES, key=len, reverse=True)))


def types_in(text):
    """The data types that a piece of C++ names."""
    return {SCALAR_TYPES[name] for name in NAMED.findall(text)}


def in_order(types):
    return sorted(types, key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))


def listed(types):
    return ' '.join(in_order(types))
