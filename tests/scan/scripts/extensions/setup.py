from setuptools import Extension, setup
from torch.utils.cpp_extension import BuildExtension, CppExtension, CUDAExtension

setup(
    name="cuda",
    ext_modules=[
        CUDAExtension("fast_ops", ["fast.cpp", "fast_cuda.cu"]),
        CppExtension("slow_ops", ["slow.cpp"]),
        Extension("plain", ["plain.c"]),
    ],
    cmdclass={"build_ext": BuildExtension},
)
