#!/usr/bin/python3
"""Holds a wheel of deploy/python/wheel.py to its own records, and its program to the machine.

    python3 tests/tools/wheel_contents.py WHEEL MACHINE
"""
import base64
import csv
import hashlib
import struct
import sys
import zipfile

ELF_MACHINES = {"x86_64": 62, "aarch64": 183}


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def fields(text, key):
    return [line[len(key) + 2:] for line in text.split("\n\n", 1)[0].splitlines() if line.startswith(key + ": ")]


def main(path, machine):
    name, version, python, abi, platforms = path.rsplit("/", 1)[-1][:-len(".whl")].split("-")
    with zipfile.ZipFile(path) as whole:
        files = {entry.filename: whole.read(entry) for entry in whole.infolist()}
        mode = whole.getinfo("opcheck/bin/opcheck").external_attr >> 16
    info = "%s-%s.dist-info/" % (name, version)
    rows = {row[0]: tuple(row[1:]) for row in csv.reader(files[info + "RECORD"].decode().splitlines())}
    assert rows.pop(info + "RECORD") == ("", "")
    assert rows == {file: (digest(data), str(len(data))) for file, data in files.items() if file != info + "RECORD"}
    metadata, tags = files[info + "METADATA"].decode(), files[info + "WHEEL"].decode()
    assert (fields(metadata, "Name"), fields(metadata, "Version"), fields(metadata, "Requires-Dist")) == ([name], [version], [])
    assert fields(tags, "Tag") == ["%s-%s-%s" % (python, abi, platform) for platform in platforms.split(".")]
    assert fields(tags, "Root-Is-Purelib") == ["false"] and all(platform.endswith("_" + machine) for platform in platforms.split("."))
    program = files["opcheck/bin/opcheck"]
    assert mode == 0o100755 and program[:4] == b"\x7fELF" and struct.unpack("<H", program[18:20]) == (ELF_MACHINES[machine],)
    assert files["opcheck/bin/opdb.sqlite"] and files[info + "LICENSE"] and files[info + "sbom.spdx.json"]
    print("%s: %d files, %d KiB unpacked" % (path.rsplit("/", 1)[-1], len(files), sum(map(len, files.values())) // 1024))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
