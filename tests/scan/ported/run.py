"""Run variants of one program, each in a process of its own behind one import of PyTorch: KIND FOLDER..., a word each on stdout.

A folder has main.py; "ok" says that it took two steps of training on the device.
"""
import os
import pathlib
import runpy
import sys

import torch  # before the fork

STUB = pathlib.Path(__file__).resolve().parent / "stub"
sys.path.insert(0, str(STUB))
import accelerator  # noqa: E402


def run(kind, folder, log):
    os.dup2(log.fileno(), 1)
    os.dup2(log.fileno(), 2)
    os.chdir(folder)
    os.environ.update(PYTHONPATH=str(STUB), PYTHONDONTWRITEBYTECODE="1",
                      PATH=os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"])
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    sys.argv = ["main.py"]
    accelerator.install_core(kind, {"npu": "hccl", "musa": "mccl"}[kind])
    found = runpy.run_path("main.py", run_name="__main__")
    assert found["STEPS"] == 2, "the program took no two steps"
    assert accelerator.device_of(found["model"].weight).type == kind, "the model is elsewhere"


def main():
    torch.set_num_threads(1)
    kind, *folders = sys.argv[1:]
    for folder in folders:
        with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
            child = os.fork()
            if not child:
                status = 1
                try:
                    run(kind, folder, log)
                    status = 0
                except BaseException:  # pylint: disable=broad-exception-caught
                    sys.excepthook(*sys.exc_info())
                    sys.stderr.flush()
                finally:
                    os._exit(status)
            _, status = os.waitpid(child, 0)
        print("failed" if status else "ok", flush=True)


if __name__ == "__main__":
    main()
