#!/usr/bin/python3
"""Runs the static program in a root that has nothing else, against the answers of the ordinary one.

    unshare --net python3 tests/tools/empty_root.py ARCHIVE OPCHECK OPCHECKD DATABASE [RUNNER]

Root only. In a network of its own: a name server here answers musl's resolver on 127.0.0.1:53, and OPCHECKD takes what is submitted by name.
RUNNER, such as qemu-aarch64-static, is put into the root for a program of another machine.
"""
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
DUMP = ROOT / "tests/fixtures/torch-2.13/llama.a-full.log"
NAME = b"\x08opcheckd\x04test\x00"


def answer_names(server):
    """127.0.0.1 for opcheckd.test, and no other name."""
    while True:
        query, client = server.recvfrom(512)
        asked = query[12:query.index(b"\0", 12) + 1]
        kind = struct.unpack(">H", query[12 + len(asked):14 + len(asked)])[0]
        question = query[12:16 + len(asked)]
        found = asked == NAME and kind == 1
        record = b"\xc0\x0c" + struct.pack(">HHIH4B", 1, 1, 60, 4, 127, 0, 0, 1) if found else b""
        server.sendto(query[:2] + struct.pack(">HHHHH", 0x8180 if asked == NAME else 0x8183, 1, len(record) > 0, 0, 0) + question + record, client)


def unpack(archive, runner):
    """A root with the archive's folder and the dump in it; returns it with the command that runs the program there."""
    root = pathlib.Path(tempfile.mkdtemp())
    with tarfile.open(archive) as packed:
        packed.extractall(root)
    os.rename(root / os.path.basename(archive)[:-7], root / "opcheck")
    shutil.copytree(ROOT / "tests/scan/scripts", root / "scripts")
    shutil.copy(DUMP, root / DUMP.name)
    with tarfile.open(root / "dumps.tar.gz", "w:gz") as packed:
        packed.add(DUMP, DUMP.name)
    command = ["/opcheck/bin/opcheck"]
    if runner:
        shutil.copy(shutil.which(runner), root / "runner")
        command = ["/runner", *command]
    return root, command


def run(command, environment, folder, alone=False):
    done = subprocess.run(command, env=environment, capture_output=True, cwd=folder, preexec_fn=(lambda: os.chroot(folder)) if alone else None)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def main(archive, opcheck, opcheckd, database, runner=None):
    root, command = unpack(archive, runner)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("127.0.0.1", 53))
    threading.Thread(target=answer_names, args=(names,), daemon=True).start()
    state = tempfile.mkdtemp()
    settings = {"LC_ALL": "C.UTF-8", "OPCHECK_CONFIG": "none"}
    service = subprocess.Popen([opcheckd, "--listen", "127.0.0.1:0", "--state-dir", state, "--db", database, "--host", "opcheckd.test"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=settings)
    port = service.stdout.readline().decode().strip().rsplit(":", 1)[1]
    failed = 0
    try:
        here = {**settings, "OPCHECK_DB": str(root / "opcheck/share/opcheck/opdb.sqlite")}
        for arguments in (["check", DUMP.name], ["check", DUMP.name, "-f", "json"], ["check", DUMP.name, "-f", "html", "--lang", "zh-CN"],
                          ["check", "dumps.tar.gz", "-f", "csv"], ["scan", "scripts", "-t", "npu", "-f", "csv"],
                          ["op", "aten::isin", "-t", "npu@2.1.0"], ["version"], ["check", "missing.log"],
                          ["submit", DUMP.name, "--server", "http://opcheckd.test:" + port, "--model", "llama"],
                          ["submit", DUMP.name, "--server", "http://unknown.test:" + port]):
            status, out, err = run([*command, *arguments], settings, root, alone=True)
            wanted = run([os.path.abspath(opcheck), *arguments], here, root)
            same = (status, out) == wanted[:2] or arguments[0] == "submit" and status == (0 if "opcheckd.test" in arguments[3] else 5)
            print("%s: %s%s" % (" ".join(arguments), "same" if same else "DIFFERS", "" if same else "\n" + err + wanted[2]))
            failed += not same
    finally:
        service.terminate()
        service.wait()
        shutil.rmtree(state)
        shutil.rmtree(root)
    return failed


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]) > 0)
