"""The JSON scanner against Python's json on generated documents: the same values when they are valid, an end when they are not.

Every document goes through each way of skipping that this machine has (SIMD and portable), also without SIMD in the inline parts,
and in pieces of several sizes.
"""
import json
import os
import random
import re
import subprocess

import pytest

from conftest import program, sampled

CHARACTERS = 'abc XYZ019 {}[]:,"\\/\n\t\x01é中😀' + "\u2028"
SIZES = [0, 1, 3, 8, 20, 62, 63, 64, 65, 70, 127, 128, 200]  # around the 64 bytes that are looked at together
LONE = re.compile("[\ud800-\udfff]")


def ways():
    path = os.environ.get("OPCHECK_SCAN_JSON")
    return [*subprocess.run([path, "ways"], capture_output=True, text=True, check=True).stdout.split(), "plain"] if path else ["best"]


WAYS = ways()


def text(rng):
    if rng.random() < 0.2:  # runs of what a block must carry over to the next one
        return rng.choice(['"', "\\", '\\"', "]", "}{"]) * rng.choice(SIZES)
    return "".join(rng.choice(CHARACTERS) for _ in range(rng.choice(SIZES)))


def number(rng):
    return rng.choice([rng.randrange(-10 ** 18, 10 ** 18), rng.randrange(10 ** 30), rng.random() * 10 ** rng.randrange(-8, 18), -0.0,
                       1e-300, 5e-324, 1.7976931348623157e308, 0, 2 ** 53 + 1])


def value(rng, depth):
    kind = rng.randrange(9 if depth else 6)
    if kind >= 6:
        size = rng.choice([0, 1, 2, 5])
        return [value(rng, depth - 1) for _ in range(size)] if kind == 6 else {text(rng): value(rng, depth - 1) for _ in range(size)}
    return [None, rng.random() < 0.5, number(rng), number(rng), text(rng), text(rng)][kind]


def nested(rng, depth):
    """Lists and objects in each other."""
    whole = rng.randrange(100)
    for _ in range(depth):
        whole = [whole] if rng.random() < 0.5 else {text(rng)[:5]: whole}
    return whole


def document(rng):
    """A document and the elements of its list."""
    elements = [dict({"n": i}, **{text(rng): value(rng, 5) for _ in range(rng.randrange(6))}) for i in range(rng.randrange(8))]
    if rng.random() < 0.3:
        elements.append({"deep": nested(rng, rng.randrange(1, 120))})
    options = rng.choice([{}, {"indent": 1}, {"indent": 4}, {"separators": (",", ":")}])
    whole = elements if rng.random() < 0.4 else {"before": value(rng, 3), "list": elements, "behind": value(rng, 3)}
    return json.dumps(whole, ensure_ascii=rng.random() < 0.5, **options).encode("utf-8"), elements


# --- the same value in other bytes

def blank(rng):
    return rng.choice(["", "", "", " ", "\n", "\t\r\n", " " * rng.choice(SIZES)])


def spell(rng, char):
    """One of the ways to write a character in a string."""
    if ord(char) > 0xffff or rng.random() < 0.7:
        return json.dumps(char, ensure_ascii=rng.random() < 0.5)[1:-1]
    return rng.choice(["\\u%04x", "\\u%04X"]) % ord(char)


def write_text(rng, string):
    lone = rng.choice(["\\ud800", "\\udc00", "\\udbff\\u0041", "\\ud83d\\ud83d\\ude00"]) if rng.random() < 0.1 else ""
    return '"%s%s"' % (lone, "".join("\\/" if char == "/" and rng.random() < 0.5 else spell(rng, char) for char in string))


def write(rng, whole):
    """JSON with blanks, escapes and repeated keys as no library writes it."""
    space = blank(rng)
    if isinstance(whole, dict):
        parts = ["%s%s:%s" % (write_text(rng, key), blank(rng), write(rng, item)) for key, item in whole.items()]
        if parts and rng.random() < 0.2 and sum(map(len, parts)) < 1000:
            parts.insert(0, rng.choice(parts))  # the last of several counts
        return space + "{" + ",".join(blank(rng) + part for part in parts) + blank(rng) + "}" + blank(rng)
    if isinstance(whole, list):
        return space + "[" + ",".join(write(rng, item) for item in whole) + blank(rng) + "]"
    if isinstance(whole, str):
        return space + write_text(rng, whole)
    if isinstance(whole, float) and rng.random() < 0.3:
        return space + ("%.17E" % whole) + blank(rng)
    return space + json.dumps(whole) + blank(rng)


def repaired(whole):
    """What the project makes of halves of surrogate pairs."""
    if isinstance(whole, dict):
        return {LONE.sub("\ufffd", key): repaired(item) for key, item in whole.items()}
    if isinstance(whole, list):
        return [repaired(item) for item in whole]
    return LONE.sub("\ufffd", whole) if isinstance(whole, str) else whole


def scans(data, pieces, ways=WAYS):
    """Lines, end and number of broken places, for every way and size of piece."""
    path, found = program("scan_json", "OPCHECK_SCAN_JSON"), []
    for tool, some in (([path], [way for way in ways if way != "plain"]), ([path + "_plain"], ["portable"] * ("plain" in ways))):
        pairs = [word for way in some for piece in pieces for word in (str(piece), way)]
        if pairs:
            done = subprocess.run(tool + pairs, input=data, capture_output=True, timeout=60)
            assert done.returncode == 0, done.stderr
            for one in done.stdout.decode("utf-8", "replace").split("\n\n")[:-1]:
                *lines, end, broken = one.split("\n")
                found.append((lines, end, int(broken)))
    assert len(found) == len(pieces) * len(ways)
    return found


@pytest.mark.parametrize("seed", sampled(range(60)))
def test_valid_documents_have_the_values_that_python_reads(seed):
    rng = random.Random(seed)
    data, elements = document(rng)
    for lines, end, broken in scans(data, (1, 7, 4096)):
        assert [json.loads(line, strict=False) for line in lines] == elements
        assert (end, broken) == ("whole", 0)


@pytest.mark.parametrize("seed", sampled(range(60)))
def test_documents_in_other_bytes_have_the_values_that_python_reads(seed):
    rng = random.Random(seed)
    written = write(rng, document(rng)[1])
    elements = repaired(json.loads(written, strict=False))
    for lines, end, broken in scans(written.encode("utf-8", "surrogatepass"), (3, 65, 65536)):
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


@pytest.mark.parametrize("seed", sampled(range(150)))
def test_damaged_documents_come_to_the_same_end_in_any_pieces(seed):
    rng = random.Random(seed)
    data = damage(rng, document(rng)[0])
    told = scans(data, (1, 3, 4096))
    assert all(other == told[0] for other in told)


@pytest.mark.parametrize("seed", sampled(range(40)))
def test_what_follows_the_damage_of_one_element_is_read(seed):
    """Whatever happens to the bytes inside of one element, those behind it come, but for the one that a stray quote swallows."""
    rng = random.Random(seed)
    elements = [{"n": i, "s": "x" * rng.randrange(300), "l": [[i], []]} for i in range(30)]
    parts = [json.dumps(element).encode() for element in elements]
    at = rng.randrange(1, len(parts[5]) - 1)
    parts[5] = parts[5][:at] + rng.choice([b'"', b"}", b"]", b"{", b"[", b"\\", b"\n", b"\x00", b""]) + parts[5][at + 1:]
    for lines, end, _ in scans(b"[" + b", ".join(parts) + b"]", (rng.choice([1, 50, 4096]),)):
        read = [json.loads(line, strict=False) for line in lines]
        assert all(element in read for element in elements[:5] + elements[8:]) and len(read) <= 32, (parts[5], read)
        assert end == "whole"


@pytest.mark.parametrize("seed", range(20))
def test_one_bad_element_costs_no_other(seed):
    rng = random.Random(seed)
    elements = [{"n": i, "s": "x" * rng.randrange(300), "l": [[i], []]} for i in range(20)]
    bad = rng.randrange(20)
    parts = [json.dumps(element) for element in elements]
    parts[bad] = parts[bad].replace('"s": "', '"s": "a"b', 1)
    text = ("[" + rng.choice([",", ",\n  ", ", "]).join(parts) + "]").encode()
    (lines, end, broken), = scans(text, (rng.choice([1, 50, 4096]),), WAYS[:1])
    assert [json.loads(line)["n"] for line in lines] == [i for i in range(20) if i != bad]
    assert (end, broken) == ("whole", 1)


HOSTILE = {"open lists": b"[", "open objects": b'{"a":', "open elements": b"[{", "quotes": b'"', "backslashes": b"\\", "commas": b",{",
           "half elements": b'{"n": 1, "l": [{', "strings": b'{"s": "a"b"},', "ends": b"}]"}


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_hostile_bytes_come_to_an_end(kind):
    data = b'{"list": [{"n": 1},' + HOSTILE[kind] * (2_000_000 // len(HOSTILE[kind]))
    for lines, _, _ in scans(data, (65536,)):  # within the time that it allows
        assert json.loads(lines[0]) == {"n": 1}


@pytest.mark.parametrize("seed", range(10))
def test_noise_comes_to_an_end(seed):
    rng = random.Random(seed)
    data = b"[" + bytes(rng.choices(b'{}[]",:\\ n1\n', k=300_000))
    told = scans(data, (61, 65536))
    assert all(other == told[0] for other in told)
