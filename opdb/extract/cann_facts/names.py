"""Names that all tables of CANN share: data types, chips, versions and where their sources are."""
import re

TYPES = {'DT_FLOAT': 'fp32', 'DT_FLOAT16': 'fp16', 'DT_BF16': 'bf16', 'DT_DOUBLE': 'fp64', 'DT_HIFLOAT8': 'hif8'}
TYPES.update(('DT_' + name.upper(), name) for name in (
    'int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool complex64 complex128 complex32 int4 string qint8 quint8 qint16 quint16 qint32'
    ' uint1 int2').split())
TYPES.update(('DT_FLOAT' + name[2:].upper(), name) for name in 'fp8_e5m2 fp8_e4m3fn fp8_e8m0 fp4_e2m1 fp4_e1m2'.split())
ACL_TYPES = {'ACL_' + name[3:]: short for name, short in TYPES.items()}
ORDER = ('fp32 fp16 bf16 fp64 int8 uint8 int16 int32 int64 uint16 uint32 uint64 bool complex32 complex64 complex128').split()
COMMON = 'fp32 fp16 bf16 fp64 int8 uint8 int16 int32 int64 bool complex64 complex128'.split()
FLOATING = {'fp32', 'fp16', 'bf16', 'fp64'}
INTEGRAL = set('int8 uint8 int16 uint16 int32 uint32 int64 uint64'.split())
COMPLEX = {'complex32', 'complex64', 'complex128'}
SIZES = {'fp32': 4, 'fp16': 2, 'bf16': 2, 'fp64': 8, 'int8': 1, 'uint8': 1, 'int16': 2, 'uint16': 2, 'int32': 4, 'uint32': 4, 'int64': 8,
         'uint64': 8, 'bool': 1, 'complex32': 4, 'complex64': 8, 'complex128': 16}
CHIPS = ['910A', '910B', '910_93', '310P', '310B', '950']
CHIP_NAMES = {'ascend910': '910A', 'ascend910b': '910B', 'ascend910_93': '910_93', 'ascend310p': '310P', 'ascend310b': '310B', 'ascend910_95': '950',
              'ascend950': '950'}

# the libraries: name in the tables -> (checkout, ref of CANN 8.3.RC1); later versions are branches
LIBRARIES = {'ops-math': ('ops-math', '7cf8c6081'), 'ops-nn': ('ops-nn', 'e11fe07f3'), 'ops-cv': ('ops-cv', '07b1cb2c'),
             'ops-transformer': ('CANN', 'b122ed222')}
VERSIONS = ['8.3', '8.5.0', '9.0.0', '9.1.0']
OLDEST = '8.1'  # declarations only, from an installed tree
INSTALLED = 'CANN-8.1.RC1'
UNWANTED = r'(^|/)(experimental|examples)/'

# launches that only move, cast or fill: named where nothing else runs
HELPERS = set('Cast Contiguous ViewCopy Transpose TensorMove ZerosLike OnesLike Fill BroadcastTo Slice Reshape TransData CastOnlyForConvBackward'
              ' ReFormat Squeeze Unsqueeze Expand Pad ConcatD SplitV Pack Concat StridedSlice TransposeND UnsqueezeNd SqueezeNd Tile'.split())


def ref_of(library, version):
    return LIBRARIES[library][1] if version == '8.3' else version


def listed(types):
    return ' '.join(sorted(set(types), key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name)))


def versions_listed(versions):
    return ' '.join(version for version in [OLDEST, *VERSIONS] if version in versions)


def clean(text):
    """A cell: no tabs, quotes or line ends, and conditions without what says nothing."""
    text = re.sub(r'[\t\n"]', ' ', text).replace(' ? true : false', '')
    return re.sub(r'(?<![\w)])\+?1 \* ', '', text)
