import torch


def cases():
    torch.manual_seed(0)
    yield [torch.randn(4, 3), torch.randn(5)], [torch.randn(4, 3), torch.randn(5)]


def step(weights, grads, **options):
    weights = [w.clone().requires_grad_() for w in weights]
    for weight, grad in zip(weights, grads):
        weight.grad = grad.clone()
    torch.optim.Adam(weights, lr=0.01, **options).step()
    return [w.detach() for w in weights]


def before(weights, grads):
    return step(weights, grads, foreach=True)


def after(weights, grads):
    """One tensor at a time, where a _foreach_ operator has no kernel."""
    return step(weights, grads, foreach=False)
