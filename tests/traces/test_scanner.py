"""The JSON scanner against Python's json on generated documents: the same values when they are valid, an end when they are not."""
import json
import random
import subprocess

import pytest

from conftest import program

CHARACTERS = 'abc XYZ019 {}[]:,"\\/\n\t\x01é中😀' + "\u2028"


def text(rng):
    return "".join(rng.choice(CHARACTERS) for _ in range(rng.choice([0, 1, 3, 8, 20, 70, 200])))


def value(rng, depth):
    kind = rng.randrange(9 if depth else 6)
    if kind >= 6:
        size = rng.choice([0, 1, 2, 5])
        return [value(rng, depth - 1) for _ in range(size)] if kind == 6 else {text(rng): value(rng, depth - 1) for _ in range(size)}
    return [None, True, rng.randrange(-10 ** 18, 10 ** 18), rng.random() * 10 ** rng.randrange(-8, 18), text(rng), text(rng)][kind]


def document(rng):
    """A document and the elements of its list."""
    elements = [dict({"n": i}, **{text(rng): value(rng, 5) for _ in range(rng.randrange(6))}) for i in range(rng.randrange(8))]
    options = rng.choice([{}, {"indent": 1}, {"indent": 4}, {"separators": (",", ":")}])
    whole = elements if rng.random() < 0.4 else {"before": value(rng, 3), "list": elements, "behind": value(rng, 3)}
    return json.dumps(whole, ensure_ascii=rng.random() < 0.5, **options).encode("utf-8"), elements


def scan(data, piece):
    done = subprocess.run([program("scan_json", "OPCHECK_SCAN_JSON"), str(piece)], input=data, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    *lines, end, broken = done.stdout.decode("utf-8", "replace").split("\n")[:-1]
    return lines, end, int(broken)


@pytest.mark.parametrize("seed", range(60))
def test_valid_documents_have_the_values_that_python_reads(seed):
    rng = random.Random(seed)
    data, elements = document(rng)
    for piece in (1, 7, 4096):
        lines, end, broken = scan(data, piece)
        assert [json.loads(line, strict=False) for line in lines] == elements
        assert (end, broken) == ("whole", 0)


def damage(rng, data):
    data = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data))
        what = rng.randrange(4)
        if what == 0:
            del data[at:at + rng.choice([1, 2, 30])]
        elif what == 1:
            data[at:at] = rng.choice([b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\n", b"N/A", b"\x00\xff", b'{"n": 7}'])
        elif what == 2:
            data[at] = rng.randrange(256)
        else:
            del data[rng.randrange(len(data) // 2, len(data)):]
        if not data:
            return b"["
    return bytes(data)


@pytest.mark.parametrize("seed", range(150))
def test_damaged_documents_come_to_the_same_end_in_any_pieces(seed):
    rng = random.Random(seed)
    data = damage(rng, document(rng)[0])
    told = {piece: scan(data, piece) for piece in (1, 3, 4096)}
    assert told[1] == told[3] == told[4096]


@pytest.mark.parametrize("seed", range(20))
def test_one_bad_element_costs_no_other(seed):
    rng = random.Random(seed)
    elements = [{"n": i, "s": "x" * rng.randrange(300), "l": [[i], []]} for i in range(20)]
    bad = rng.randrange(20)
    parts = [json.dumps(element) for element in elements]
    parts[bad] = parts[bad].replace('"s": "', '"s": "a"b', 1)
    lines, end, broken = scan(("[" + rng.choice([",", ",\n  ", ", "]).join(parts) + "]").encode(), rng.choice([1, 50, 4096]))
    assert [json.loads(line)["n"] for line in lines] == [i for i in range(20) if i != bad]
    assert (end, broken) == ("whole", 1)
