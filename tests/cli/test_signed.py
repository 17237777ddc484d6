"""Packs with a signature: which ones are installed, what a report says of them, and reports by an older pack."""
import json
import pathlib
import shutil
import subprocess

import pytest

from conftest import Run, environment, program
from test_database import DETAILS, change, facts_with, manifest_of, packed


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """Three key pairs, and a folder of public keys with the first two and a file that is no key."""
    folder = tmp_path_factory.mktemp("keys")
    (folder / "trusted").mkdir()
    (folder / "trusted" / "README").write_text("not a key")
    for name in ("old", "new", "foreign"):
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", folder / (name + ".key")], check=True)
        subprocess.run(["openssl", "pkey", "-pubout", "-in", folder / (name + ".key"), "-out", folder / (name + ".pem")], check=True)
    for name in ("old.pem", "new.pem"):
        shutil.copy(folder / name, folder / "trusted")
    return folder


@pytest.fixture
def export(opcheck, small_db, keys, tmp_path):
    """Makes a pack of small_db signed with these keys."""
    def make(*names, db=small_db):
        path = tmp_path / ("-".join(names or ("unsigned",)) + ".pack")
        signing = [word for name in names for word in ("--sign", keys / (name + ".key"))]
        done = opcheck("db", "export", path, "--db", db, "--force", *signing)
        assert done.status == 0, done.err
        return path
    return make


@pytest.fixture
def dump(tmp_path):
    path = tmp_path / "ops.txt"
    path.write_text("aten::mm\naten::abs\n")
    return path


def lines_of(pack):
    return subprocess.run(["zstd", "-dc", str(pack)], capture_output=True, check=True).stdout.split(b"\n", 3)


def test_a_pack_of_a_trusted_key_is_installed_and_reports_name_it(opcheck, export, keys, dump, tmp_path):
    pack, target = export("old"), tmp_path / "used.sqlite"
    done = opcheck("db", "install", pack, "--to", target, "--key", keys / "trusted")
    assert done.status == 0, done.err
    report = opcheck("check", dump, "--db", target, "-f", "json").json
    assert report["db"]["pack"] == {"sha256": json.loads(lines_of(pack)[2])["sha256"], "signed": True}
    assert "without a signature" not in opcheck("check", dump, "--db", target, "-f", "text").text


def test_one_key_of_several_is_enough_and_a_removed_one_is_none(opcheck, export, keys, tmp_path):
    """The rotation of a key: packs of both, keys of both, then neither of the old one."""
    target = tmp_path / "used.sqlite"
    for key in ("old", "new"):
        done = opcheck("db", "install", export("old", "new"), "--to", target, "--key", keys / (key + ".pem"))
        assert done.status == 0, done.err
    assert opcheck("db", "install", export("old"), "--to", target, "--key", keys / "foreign.pem", "--key", keys / "old.pem").status == 0
    done = opcheck("db", "install", export("old"), "--to", target, "--key", keys / "new.pem")
    assert done.status == 4 and "OPC-4006" in done.err and "unknown key" in done.err


def forged(pack, tmp_path):
    first, signatures, manifest, database = lines_of(pack)
    other = json.loads(manifest)
    other["built_at"] = "2001-01-01T00:00:00Z"
    key = json.loads(signatures)["signatures"][0]
    yield "other manifest", [first, signatures, json.dumps(other).encode(), database]
    yield "no signature", [first, b'{"signatures":[]}', manifest, database]
    yield "cut", [first, json.dumps({"signatures": [{**key, "signature": key["signature"][:-2]}]}).encode(), manifest, database]
    yield "upper case", [first, json.dumps({"signatures": [{**key, "key": key["key"].upper()}]}).encode(), manifest, database]
    yield "one good, one bad", [
        first, json.dumps({"signatures": [key, {**key, "signature": "00" * 64}]}).encode(), manifest, database]
    yield "too many", [first, json.dumps({"signatures": [key] * 9}).encode(), manifest, database]
    yield "no json", [first, b"{]", manifest, database]


def test_a_wrong_signature_is_never_installed(opcheck, export, keys, database, tmp_path):
    before, bad = database.read_bytes(), tmp_path / "bad.pack"
    for name, lines in forged(export("old"), tmp_path):
        bad.write_bytes(subprocess.run(["zstd", "-c"], input=b"\n".join(lines), capture_output=True, check=True).stdout)
        for more in ([], ["--unsigned"]):
            done = opcheck("db", "install", bad, "--to", database, "--key", keys / "trusted", *more)
            assert done.status in (3, 4) and database.read_bytes() == before, (name, done.err)
            assert len([line for line in done.err.splitlines() if " error OPC-" in line]) == 1, (name, done.err)
    foreign = opcheck("db", "install", export("foreign"), "--to", database, "--key", keys / "trusted", "--unsigned")
    assert foreign.status == 4 and "unknown key" in foreign.err and database.read_bytes() == before


@pytest.fixture
def database(small_db, tmp_path):
    return pathlib.Path(shutil.copy(small_db, tmp_path / "opdb.sqlite"))


def test_an_unsigned_pack_is_installed_on_demand_and_reports_say_so(opcheck, export, dump, database):
    database.unlink()
    assert opcheck("db", "build", facts_with(database.parent, "facts", DETAILS), "-o", database).status == 0
    before, pack = database.read_bytes(), export()
    done = opcheck("db", "install", pack, "--to", database)
    assert done.status == 4 and "OPC-4006" in done.err and "--unsigned" in done.err and database.read_bytes() == before
    assert opcheck("db", "install", pack, "--to", database, "--unsigned").status == 0
    report = opcheck("check", dump, "--db", database, "-f", "json")
    assert report.json["db"]["pack"]["signed"] is False
    for form in ("text", "md", "html"):
        assert "a pack without a signature" in opcheck("check", dump, "--db", database, "-f", form).text, form
    assert "未签名" in opcheck("check", dump, "--db", database, "-f", "text", "--lang", "zh-CN").text
    # The head belongs to that database alone.
    database.write_bytes(before)
    assert "pack" not in opcheck("check", dump, "--db", database, "-f", "json").json["db"]


def test_a_rollback_takes_the_signature_of_what_was_installed_back_with_it(opcheck, export, keys, dump, database):
    def signed():
        return opcheck("check", dump, "--db", database, "-f", "json").json["db"].get("pack", {}).get("signed")

    other = database.parent / "other.sqlite"
    shutil.copy(database, other)
    change(other, "UPDATE release SET date = '2001-01-01' WHERE target = 'musa' AND place = 0")
    change(database, "UPDATE release SET date = '2001-01-02' WHERE target = 'musa' AND place = 0")
    assert opcheck("db", "install", export("old"), "--to", database, "--key", keys / "trusted").status == 0
    assert opcheck("db", "install", export(db=other), "--to", database, "--unsigned").status == 0
    seen = [signed()]
    for _ in range(3):
        assert opcheck("db", "rollback", "--to", database).status == 0
        seen.append(signed())
    assert seen == [False, True, None, False], "the two packs, and before them a database of none"


def test_as_of_judges_by_a_pack_with_the_same_bytes_as_then(opcheck, export, keys, dump, database):
    earlier, used = database.parent / "earlier.sqlite", database.parent / "used.sqlite"
    assert opcheck("db", "build", facts_with(database.parent, "facts", DETAILS), "-o", earlier).status == 0
    old, trust = export("old", db=earlier), ("--key", keys / "trusted")
    assert opcheck("db", "install", old, "--to", used, *trust).status == 0
    then = opcheck("check", dump, "--db", used, "-f", "json").out
    assert opcheck("db", "install", export("new"), "--to", used, *trust).status == 0
    assert opcheck("check", dump, "--db", used, "-f", "json").out != then
    assert opcheck("check", dump, "--as-of", old, *trust, "-f", "json").out == then
    assert opcheck("op", "mul", "--as-of", old, *trust, "-f", "json").out == opcheck("op", "mul", "--db", earlier, "-f", "json").out


@pytest.mark.parametrize("args, status, says", (
    (("--as-of", "unsigned.pack"), 4, "no signature"), (("--as-of", "unsigned.pack", "--unsigned"), 0, ""),
    (("--as-of", "none.pack"), 3, "none.pack"), (("--as-of", "ops.txt"), 4, "not a pack"),
    (("--as-of", "unsigned.pack", "--unsigned", "--db", "opdb.sqlite"), 2, "each name a database")))
def test_as_of_trusts_no_more_than_an_install(opcheck, export, dump, args, status, says):
    pack = export()
    done = opcheck("check", dump.name, *args, cwd=pack.parent)
    assert done.status == status and says in done.err, done.err


def test_a_file_that_is_no_key_is_named(opcheck, export, keys, small_db, tmp_path):
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-aes256", "-pass", "pass:word", "-out", tmp_path / "locked.key"], check=True)
    subprocess.run(["openssl", "genpkey", "-algorithm", "rsa", "-out", tmp_path / "rsa.key"], check=True, capture_output=True)
    for path in (keys / "old.pem", tmp_path / "locked.key", tmp_path / "rsa.key", keys / "trusted" / "README", tmp_path / "none"):
        done = opcheck("db", "export", tmp_path / "x.pack", "--db", small_db, "--sign", path, stdin=subprocess.DEVNULL)
        assert done.status in (2, 3) and path.name in done.err and not (tmp_path / "x.pack").exists(), done.err
    for path in (keys / "old.key", keys / "trusted" / "README", tmp_path / "none"):
        done = opcheck("db", "install", export("old"), "--to", tmp_path / "x.sqlite", "--key", path)
        assert done.status in (2, 3) and path.name in done.err and not (tmp_path / "x.sqlite").exists(), done.err


def test_a_pack_of_version_0_1_counts_as_unsigned(opcheck, export, tmp_path):
    """The bytes are those that version 0.1 wrote."""
    pack = export()
    manifest, database = manifest_of(pack)
    again = packed(tmp_path / "again.pack", manifest, database)
    assert opcheck("db", "install", again, "--to", tmp_path / "x.sqlite").status == 4
    assert opcheck("db", "install", again, "--to", tmp_path / "x.sqlite", "--unsigned").status == 0


def test_keys_of_the_machine_are_those_in_etc(small_db, export, keys, tmp_path):
    """Without --key those in /etc/opcheck/keys.d count, here in a mount of its own; a missing folder has none."""
    own_etc = 'mount -t tmpfs none /etc && if [ -n "$1" ]; then mkdir -p /etc/opcheck/keys.d && cp "$1" /etc/opcheck/keys.d; fi && shift && exec "$@"'

    def install(key):
        return Run(["unshare", "--mount", "--map-root-user", "sh", "-c", own_etc, "sh", key, program("opcheck", "OPCHECK"), "db", "install",
                    export("old"), "--to", tmp_path / "used.sqlite"], env=environment())

    if Run(["unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "none", "/etc"]).status:
        pytest.skip("no mounts in a namespace of its own here")
    done = install(keys / "old.pem")
    assert done.status == 0, done.err
    for key in (keys / "new.pem", ""):
        done = install(key)
        assert done.status == 4 and "OPC-4006" in done.err and "/etc/opcheck/keys.d" in done.err
