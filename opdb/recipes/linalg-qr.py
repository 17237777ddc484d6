import torch


def cases():
    yield torch.randn(12, 5, generator=torch.Generator().manual_seed(0)),


def positive(q, r):
    """The one factorisation with a positive diagonal."""
    sign = torch.where(torch.diagonal(r) < 0, -1.0, 1.0)
    return q * sign, r * sign[:, None]


def before(a):
    return positive(*torch.linalg.qr(a))


def after(a):
    """Gram and Schmidt, each column made orthogonal twice; few columns."""
    columns = []
    for i in range(a.shape[1]):
        v = a[:, i]
        for _ in range(2):
            for q in columns:
                v = v - q * (q * v).sum()
        columns.append(v / v.pow(2).sum().sqrt())
    q = torch.stack(columns, 1)
    return q, (q.t() @ a).triu()
