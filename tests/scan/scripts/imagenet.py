"""Train on cuda: the example of the guides, cut down. torch.cuda is named here and needs nothing."""
import argparse
import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.utils.data

parser = argparse.ArgumentParser(description="runs on cuda devices")
parser.add_argument("--gpu", default=None, type=int, help="the cuda device, such as cuda:0")
parser.add_argument("--dist-backend", default="nccl", type=str, help="nccl or gloo")
parser.add_argument("--cuda-memory", default=0, type=int)


def main_worker(gpu, ngpus_per_node, args):
    args.gpu = gpu
    dist.init_process_group(backend=args.dist_backend, init_method=args.dist_url,
                            world_size=args.world_size, rank=args.rank)
    model = make_model()
    if not torch.cuda.is_available():
        print("using CPU, not cuda, this will be slow")
    elif args.gpu is not None:
        torch.cuda.set_device(args.gpu)
        model = model.cuda(args.gpu)
    else:
        model = torch.nn.DataParallel(model).cuda()
    criterion = nn.CrossEntropyLoss().cuda(args.gpu)
    return model, criterion


def train(loader, model, criterion, args):
    for images, target in loader:
        if args.gpu is not None:
            images = images.cuda(args.gpu, non_blocking=True)
        if torch.cuda.is_available():
            target = target.cuda(args.gpu, non_blocking=True)
        loss = criterion(model(images), target)
        print("loss", loss.item())


loader = torch.utils.data.DataLoader([], batch_size=4, num_workers=2, pin_memory=True)
