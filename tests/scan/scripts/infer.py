import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
parser.add_argument("--cuda", action="store_true", help="use cuda")
parser.add_argument("--name", default="cuda")
args = parser.parse_args()


@torch.no_grad()
def run(model, image):
    model = model.half().to(args.device)
    image = image.to(args.device)
    torch.cuda.synchronize()
    out = model(image)
    torch.cuda.synchronize()
    score = out.max().item()
    best = out[out > 0.5]
    if args.cuda:
        out = out.cpu()
    return score, best, out


map_location = "cuda" if args.cuda else "cpu"
weights = torch.load("w.pt", map_location=map_location)
lazily = torch.load("w.pt", map_location=lambda storage, loc: storage.cuda(0))
