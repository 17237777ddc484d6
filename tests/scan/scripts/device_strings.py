import torch

DEVICE = "cuda:0" if torch.cuda.is_available() else "cpu"
device = torch.device("cuda")
second = torch.device("cuda", 1)
x = torch.zeros(3, device="cuda")
y = x.to("cuda:1", non_blocking=True)
index = 3
z = x.to(f"cuda:{index}")
w = x.to("cuda:{}".format(index))
v = x.to("cuda:%d" % index)
u = x.to("cuda:" + str(index))
generator = torch.Generator(device='cuda')
state = torch.load("model.pt", map_location="cuda:0")
other = torch.load("model.pt", map_location={"cuda:0": "cuda:1"})
safe = torch.load("model.pt", map_location="cpu")
with torch.autocast(device_type="cuda", dtype=torch.float16):
    out = x @ y
with torch.device("cuda"):
    made = torch.ones(2)
if device.type == "cuda":
    print("on cuda")
if "cuda" in str(device):
    print("still on cuda")
torch.set_default_device("cuda")


def helper(tensor, device="cuda"):
    return tensor.to(device)


def pick(use):
    device = "cpu"
    if use:
        device = 'cuda'
    return device
