import onnxruntime as ort

session = ort.InferenceSession("model.onnx", providers=["CUDAExecutionProvider", "CPUExecutionProvider"])
cpu = ort.InferenceSession("model.onnx", providers=["CPUExecutionProvider"])
fast = ort.InferenceSession("model.onnx", providers=["TensorrtExecutionProvider"])
if "CUDAExecutionProvider" in ort.get_available_providers():
    print("CUDAExecutionProvider is there")
import tensorrt as trt

logger = trt.Logger()
