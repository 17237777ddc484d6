import torch

model = torch.nn.Linear(2, 2)
fast = torch.compile(model)
faster = torch.compile(model, backend="inductor")
graphs = torch.compile(model, backend="cudagraphs")
eager = torch.compile(model, backend="eager")


@torch.compile
def double(x):
    return x * 2


code = compile("1 + 1", "cuda", "eval")
pattern = __import__("re").compile("cuda")
