import torch

a = torch.cuda.FloatTensor(3)
b = torch.FloatTensor(3)
torch.set_default_tensor_type("torch.cuda.FloatTensor")
torch.set_default_tensor_type(torch.cuda.HalfTensor)
c = b.type("torch.cuda.LongTensor")
d = b.type("torch.LongTensor")
e = b.type(torch.cuda.IntTensor)
if isinstance(a, torch.cuda.FloatTensor):
    print("torch.cuda.FloatTensor")
if a.is_cuda:
    b = b.to(a.device)
Tensor = torch.cuda.FloatTensor if a.is_cuda else torch.FloatTensor
is_cuda = "a name of our own"
print(is_cuda)


class Box:
    @property
    def is_cuda(self):
        return False
