import torch
import torch.backends.cudnn as cudnn

cudnn.benchmark = True
torch.backends.cudnn.deterministic = True
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = False
torch.set_float32_matmul_precision("high")
torch.use_deterministic_algorithms(True)
torch.manual_seed(0)
torch.cuda.manual_seed(0)
torch.backends.mkldnn.enabled = False
torch.set_num_threads(4)


class cudnn_settings:
    benchmark = False


cudnn_settings.benchmark = True
