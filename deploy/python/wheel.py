#!/usr/bin/python3
"""Packs the module opcheck and the static program into a wheel.

    python3 deploy/python/wheel.py ARCHIVE OUT

ARCHIVE is one of deploy/build-static.sh; its machine is the wheel's. $SOURCE_DATE_EPOCH is the time of the files: the same sources give
the same bytes.
"""
import base64
import hashlib
import os
import pathlib
import re
import sys
import tarfile
import tempfile
import time
import zipfile

import generate

METADATA = """Metadata-Version: 2.1
Name: opcheck
Version: {version}
Summary: From PyTorch profiler dumps to a readiness report for torch_npu and torch_musa
License: Apache-2.0
Requires-Python: >=3.8
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{readme}"""
# A program without shared libraries runs on every Linux of its machine, whatever its libc.
WHEEL = """Wheel-Version: 1.0
Generator: opcheck-deploy
Root-Is-Purelib: false
Tag: py3-none-manylinux_2_17_{machine}
Tag: py3-none-manylinux2014_{machine}
Tag: py3-none-musllinux_1_1_{machine}
"""
ENTRY_POINTS = "[console_scripts]\nopcheck = opcheck.__main__:main\n"


def contents(archive, version, machine):
    """Path in the wheel -> bytes."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as packed:
            packed.extractall(folder)
        top = pathlib.Path(folder, "opcheck-%s-linux-%s" % (version, machine))
        generate.main(folder, top / "bin/opcheck", top / "share/opcheck/opdb.sqlite")
        files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(pathlib.Path(folder, "opcheck").rglob("*")) if path.is_file()}
        info = "opcheck-%s.dist-info/" % version
        documents = top / "share/doc/opcheck"
        for path in [documents / "LICENSE", documents / "sbom.spdx.json", *sorted((documents / "licences").iterdir())]:
            files[info + str(path.relative_to(documents))] = path.read_bytes()
    readme = (generate.HERE / "README.md").read_text(encoding="utf-8")
    files[info + "METADATA"] = METADATA.format(version=version, readme=readme).encode()
    files[info + "WHEEL"] = WHEEL.format(machine=machine).encode()
    files[info + "entry_points.txt"] = ENTRY_POINTS.encode()
    rows = ["%s,sha256=%s,%d" % (path, base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), len(data))
            for path, data in files.items()]
    files[info + "RECORD"] = "\n".join([*rows, info + "RECORD,,", ""]).encode()
    return files


def main(archive, out):
    version, machine = re.fullmatch(r"opcheck-(.+)-linux-(\w+)\.tar\.gz", os.path.basename(archive)).groups()
    made = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    wheel = os.path.join(out, "opcheck-{0}-py3-none-manylinux_2_17_{1}.manylinux2014_{1}.musllinux_1_1_{1}.whl".format(version, machine))
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path, data in contents(archive, version, machine).items():
            entry = zipfile.ZipInfo(path, made)
            entry.external_attr = (0o100755 if path == "opcheck/bin/opcheck" else 0o100644) << 16
            packed.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    print("%s: %d KiB" % (wheel, os.path.getsize(wheel) // 1024))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
