"""What is packed for users: the bill of materials has every library and its terms, and a wheel is the same bytes each time."""
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import tarfile
import zipfile

import pytest

from conftest import ROOT, environment, program

sys.path[:0] = [str(ROOT / "deploy"), str(ROOT / "tests/tools")]
import sbom  # noqa: E402
import wheel_contents  # noqa: E402

MACHINE = platform.machine()
TEXTS = ("LGPL-2.1", "LGPL-3", "GPL-2", "GPL-3")
MAP = "Archive member included\n\nsrc/scan/libtree_sitter_python.a.p/parser.c.o\n    main.o (y)\n%s(x.o)\n                              main.o (x)\n\nMemory Configuration\n"


@pytest.fixture()
def packed(tmp_path):
    """A folder as the static program's: program, database, terms."""
    for path in ("bin/opcheck", "share/opcheck/opdb.sqlite", *("share/doc/opcheck/licences/" + name for name, _ in sbom.LIBRARIES.values()),
                 *("share/doc/opcheck/licences/" + text for text in TEXTS)):
        (tmp_path / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / path).write_text(path)
    (tmp_path / "built").mkdir()
    for name, _ in sbom.LIBRARIES.values():
        (tmp_path / "built" / name).write_text("1.0-1\n")
    return tmp_path


def bill(folder, *archives):
    (folder / "map").write_text(MAP % "(x.o)\n\n".join(archives))
    return subprocess.run([sys.executable, ROOT / "deploy/sbom.py", "0.1.0", folder / "map", folder / "built", folder / "tree"], capture_output=True,
                          text=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600"})


def test_every_linked_library_is_in_the_bill_with_its_licence(packed):
    done = bill(packed, "/a/prefix/lib/libcrypto.a", "/a/prefix/lib/libssl.a", "/a/prefix/lib/libunistring.a", "/a/musl/libc.a", "src/base/libbase.a")
    found = json.loads(done.stdout)
    assert {one["name"]: (one["versionInfo"], one["licenseDeclared"]) for one in found["packages"]} == {
        "opcheck": ("0.1.0", "Apache-2.0"), "openssl": ("1.0-1", "Apache-2.0"), "musl": ("1.0-1", "MIT"),
        "libunistring": ("1.0-1", "LGPL-3.0-or-later OR GPL-2.0-or-later"),
        "tree-sitter-python": (re.search(r"^version=(.+)", (ROOT / "deploy/grammar.sh").read_text(encoding="utf-8"), re.M).group(1), "MIT")}
    known = {one["SPDXID"] for one in found["packages"] + found["files"]} | {"SPDXRef-DOCUMENT"}
    assert {end for link in found["relationships"] for end in (link["spdxElementId"], link["relatedSpdxElement"])} <= known
    assert sum(link["relationshipType"] == "STATIC_LINK" for link in found["relationships"]) == 4
    program_sum = next(sum_["checksumValue"] for sum_ in found["files"][0]["checksums"] if sum_["algorithm"] == "SHA256")
    assert program_sum == hashlib.sha256(b"bin/opcheck").hexdigest() and found["creationInfo"]["created"] == "2026-01-01T00:00:00Z"


@pytest.mark.parametrize("archive, said", [("/a/prefix/lib/libreadline.a", "without a licence"), ("/usr/lib/x86_64-linux-gnu/libz.a", "libraries of this machine"),
                                           ("/usr/aarch64-linux-gnu/lib/libz.a", "libraries of this machine")])
def test_what_has_no_known_licence_is_not_packed(packed, archive, said):
    done = bill(packed, "/a/musl/libc.a", archive)
    assert done.returncode and archive.rsplit("/")[-1][:-2] in done.stderr and said in done.stderr and not done.stdout


def test_a_library_without_its_terms_is_not_packed(packed):
    (packed / "tree/share/doc/opcheck/licences/zlib").unlink()
    done = bill(packed, "/a/prefix/lib/libz.a")
    assert done.returncode and "the terms of zlib are not packed" in done.stderr


def test_libraries_under_the_lgpl_come_with_its_text_and_a_way_to_link_others(packed):
    assert bill(packed, "/a/musl/libc.a").returncode == 0
    folder = packed / "tree/share/doc/opcheck/licences"
    assert not (folder / "NOTICE").exists()
    assert bill(packed, "/a/prefix/lib/libunistring.a", "/a/prefix/lib/libcsv.a").returncode == 0
    notice = (folder / "NOTICE").read_text(encoding="utf-8")
    assert "libunistring 1.0-1 (LGPL-3.0-or-later OR GPL-2.0-or-later)" in notice and "libcsv 1.0-1 (LGPL-2.1-or-later)" in notice
    assert all((ROOT / script).exists() and script in notice for script in ("deploy/static-libraries.sh", "deploy/build-static.sh"))
    assert all("%s" % text in (ROOT / "deploy/build-static.sh").read_text(encoding="utf-8") for text in TEXTS)
    (folder / "LGPL-3").unlink()
    done = bill(packed, "/a/prefix/lib/libunistring.a")
    assert done.returncode and "the text of LGPL-3 is not packed" in done.stderr and not done.stdout


def test_every_library_that_is_built_has_a_licence():
    names = re.search(r"set -- (cjson .*)", (ROOT / "deploy/static-libraries.sh").read_text(encoding="utf-8")).group(1).split()
    assert len(names) >= 12 and set(names) <= {package for package, _ in sbom.LIBRARIES.values()}


def wheel(folder, archive, **env):
    folder.mkdir()
    subprocess.run([sys.executable, ROOT / "deploy/python/wheel.py", archive, folder], check=True, capture_output=True,
                   env={**os.environ, "SOURCE_DATE_EPOCH": "1767225600", **env})
    return next(folder.glob("opcheck-*-py3-none-manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}.whl".format(MACHINE)))


def test_a_wheel_is_the_same_each_time_and_runs(packed, small_db, opcheck):
    version = opcheck("version").text.split()[1]
    archive = packed / ("opcheck-%s-linux-%s.tar.gz" % (version, MACHINE))
    with tarfile.open(archive, "w:gz", compresslevel=1) as out:
        top = "opcheck-%s-linux-%s/" % (version, MACHINE)
        out.add(program("opcheck", "OPCHECK"), top + "bin/opcheck")
        out.add(small_db, top + "share/opcheck/opdb.sqlite")
        out.add(packed / "tree/share/doc/opcheck/licences", top + "share/doc/opcheck/licences")
        for name in ("LICENSE", "sbom.spdx.json"):
            out.add(ROOT / "LICENSE", top + "share/doc/opcheck/" + name)
    made = wheel(packed / "first", archive, TZ="UTC", LC_ALL="C")
    assert made.read_bytes() == wheel(packed / "second place", archive, TZ="Asia/Shanghai", LC_ALL="C.UTF-8", TMPDIR=str(packed)).read_bytes()
    wheel_contents.main(str(made), MACHINE)
    site = packed / "site"
    with zipfile.ZipFile(made) as whole:
        for entry in whole.infolist():
            os.chmod(whole.extract(entry, site), entry.external_attr >> 16)
    env = environment(PYTHONPATH=str(site))
    del env["OPCHECK_DB"]
    done = subprocess.run([sys.executable, "-m", "opcheck", "version"], capture_output=True, text=True, env=env)
    assert done.stdout == opcheck("version", env={"OPCHECK_DB": str(small_db)}).text, done.stderr


def fields(value):
    """Every key of a document with its value."""
    for name, inner in value.items() if isinstance(value, dict) else ((None, one) for one in value) if isinstance(value, list) else ():
        yield name, inner
        yield from fields(inner)


def test_the_version_is_that_of_meson_everywhere():
    version = re.search(r"^  version: '(.+)',", (ROOT / "meson.build").read_text(encoding="utf-8"), re.M).group(1)
    assert (ROOT / "deploy/debian/changelog").read_text(encoding="utf-8").startswith("opcheck (%s) " % version)
    assert "\nopcheck (0.1.0) " in (ROOT / "deploy/debian/changelog").read_text(encoding="utf-8")
    changes = re.findall(r"^##+ .*", (ROOT / ".github/CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert changes == ["## " + version, "### Upgrading from 0.1", "### Changes", "## 0.1.0"]
    rest = json.loads((ROOT / "web/openapi.json").read_text(encoding="utf-8"))
    shown = [value for _, value in fields(rest["components"]["examples"]) if isinstance(value, dict) and value.get("name") == "opcheck"]
    shown = [value["version"] for value in shown] + [value for name, value in fields(rest["components"]["examples"]) if name == "tool_version"]
    assert len(shown) >= 8 and {*shown, rest["info"]["version"]} == {version}
    images = re.findall(r"image: opcheckd:(\S+)", "".join(path.read_text(encoding="utf-8") for path in (ROOT / "deploy/containers").rglob("*.yaml")))
    assert images and set(images) == {version}
    assert set(re.findall(r"opcheck\w*[-_](\d+\.\d+\.\d+)", (ROOT / "README.md").read_text(encoding="utf-8"))) == {version}
    assert subprocess.run([program("opcheck", "OPCHECK"), "version"], capture_output=True, text=True,
                                                            env=environment()).stdout.split()[1] == version
    lines = [line for path in (ROOT / "src").rglob("*.[ch]") for line in path.read_text(encoding="utf-8").splitlines() if '"%s"' % version in line]
    assert [line for line in lines if "REPORT_SCHEMA_VERSION" not in line] == []  # the schema counts its own versions


def test_the_threat_model_names_tests_that_exist():
    names = re.findall(r"\b(unit|cli|e2e|docs|browser)/(\w+)", (ROOT / ".github/SECURITY.md").read_text(encoding="utf-8"))
    assert len(names) >= 12
    assert [name for name in names if not list((ROOT / "tests" / name[0]).glob("test_%s.*" % name[1]))] == []
