import torch


def cases():
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(16, 4, 32, batch_first=True).eval()
    yield layer, torch.randn(2, 7, 16)


def before(layer, x):
    with torch.no_grad():
        return layer(x)


def after(layer, x):
    """With gradients on, the layer calls its parts. PyTorch 2.3 and later: torch.backends.mha.set_fastpath_enabled(False)."""
    with torch.enable_grad():
        return layer(x).detach()
