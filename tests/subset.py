"""What tests read where OPCHECK_REFERENCE_DIR names no reference material: the subset in tests/reference/subset, unpacked in the layout
of that material. README.md there says what it holds."""
import csv
import gzip
import hashlib
import os
import pathlib
import shutil
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SUBSET, FIXTURES = HERE / "reference" / "subset", HERE / "fixtures"
REPORTED = HERE.parent / "opdb" / "reported.tsv"
ARCHIVE = SUBSET / "samples.tar.xz"
TRACED = {"resnet50": 2}  # steps that the traces of a model keep, where it is not all of them


def content_of(tar, entry):
    """The bytes of a file: in the archive, or in the fixture that it names."""
    if entry.issym():
        raw = (FIXTURES / entry.linkname).read_bytes()
        return gzip.decompress(raw) if entry.linkname.endswith(".gz") else raw
    return tar.extractfile(entry).read()


def write_reports(folder):
    """What users saw, from the fact text: those with a confidence as the table of one survey, the others as a file to import."""
    columns, *rows = [line.split("\t") for line in REPORTED.read_text(encoding="utf-8").removeprefix("# ").splitlines()]
    kept = [columns, *([cell if cell != "." else "" for cell in row] for row in rows)]
    confidence, condition = columns.index("confidence"), columns.index("condition")
    with open(folder / "reported2.tsv", "w", encoding="utf-8") as out:
        out.writelines("\t".join(row[:condition]) + "\n" for row in kept if row[confidence])
    with open(folder / "reported.csv", "w", newline="", encoding="utf-8") as out:
        csv.writer(out, lineterminator="\n").writerows(row[:columns.index("chip")] for row in kept if row is columns or not row[confidence])


def unpack(folder):
    with tarfile.open(ARCHIVE) as tar:
        for entry in tar:
            path, raw = folder / "samples" / entry.name, content_of(tar, entry)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(gzip.compress(raw, 1, mtime=0) if entry.name.endswith(".gz") else raw)
    shutil.copytree(SUBSET / "facts", folder / "facts")
    write_reports(folder / "facts")
    (folder / "tools").mkdir()
    shutil.copy(HERE / "reference" / "guide.py", folder / "tools" / "guide_extract.py")


def digest():
    """Of all that the folder is made from."""
    files = [ARCHIVE, REPORTED, HERE / "reference" / "guide.py", *sorted((SUBSET / "facts").iterdir()), *sorted(filter(pathlib.Path.is_file, FIXTURES.rglob("*")))]
    return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)).hexdigest()[:16]


def folder(build):
    """The unpacked subset in a build folder: made by the first test that needs it."""
    made = build / "tests" / ("subset-" + digest())
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        begun = pathlib.Path(tempfile.mkdtemp(dir=made.parent, prefix="subset-begun-"))
        unpack(begun)
        try:
            os.rename(begun, made)
        except OSError:  # another test was first
            shutil.rmtree(begun)
    return made
