import torch

SCALE = 1024.0


def cases():
    for seed in range(2):
        torch.manual_seed(seed)
        yield torch.randn(4, requires_grad=True), torch.randn(8, 4)


def before(weight, x):
    weight = weight.detach().clone().requires_grad_()
    optimizer = torch.optim.SGD([weight], lr=0.1)
    scaler = torch.cuda.amp.GradScaler(enabled=False)
    scaler.scale((x @ weight).pow(2).mean()).backward()
    scaler.step(optimizer)
    scaler.update()
    return weight.detach()


def after(weight, x):
    """A fixed power of two as scale; a step with an overflow is multiplied away without asking the device."""
    weight = weight.detach().clone().requires_grad_()
    ((x @ weight).pow(2).mean() * SCALE).backward()
    grad = weight.grad / SCALE
    fine = torch.isfinite(grad).all()
    return (weight - 0.1 * torch.where(fine, grad, torch.zeros_like(grad))).detach()
