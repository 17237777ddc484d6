#!/usr/bin/python3
"""Prints an SPDX document of the static program: itself, and every archive that the linker took code from.

    python3 deploy/sbom.py VERSION MAP BUILT TREE

Writes share/doc/opcheck/licences/NOTICE in TREE: how to link opcheck with other versions of the libraries under the LGPL.
MAP is the linker's map, BUILT the folder with the versions of the libraries (deploy/static-libraries.sh), TREE what is packed. An archive
of an unknown library, and a library whose terms are not in TREE, is an error.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import sys

# Library -> source package and licence. LGPL: everybody can link opcheck with a changed library, by deploy/build-static.sh.
LIBRARIES = {
    "libarchive": ("libarchive", "BSD-2-Clause"), "libc": ("musl", "MIT"), "libcjson": ("cjson", "MIT"), "libcrypto": ("openssl", "Apache-2.0"),
    "libcsv": ("libcsv", "LGPL-2.1-or-later"), "libcurl": ("curl", "curl"), "libgcc": ("gcc", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "libgcc_eh": ("gcc", "GPL-3.0-or-later WITH GCC-exception-3.1"), "libisal": ("libisal", "BSD-3-Clause"),
    "libsqlite3": ("sqlite3", "blessing"), "libssl": ("openssl", "Apache-2.0"), "libtree-sitter": ("tree-sitter", "MIT"),
    "libtree_sitter_python": ("tree-sitter-python", "MIT"), "libunistring": ("libunistring", "LGPL-3.0-or-later OR GPL-2.0-or-later"),
    "libyaml": ("libyaml", "MIT"), "libz": ("zlib", "Zlib"), "libzstd": ("libzstd", "BSD-3-Clause"),
}


def linked(map_text):
    """Names of the archives that the linker took members from, thin ones as well, but those of src: opcheck's own."""
    members = map_text[:map_text.index("Memory Configuration")]
    paths = set(re.findall(r"^(\S+?\.a)(?:\(|\.p/)", members, re.M))
    foreign = [path for path in paths if re.match(r"/(usr/)?lib/(?!gcc)|/usr/[^/]+-linux-gnu/", path)]
    if foreign or not paths:
        sys.exit("libraries of this machine in the static program: %s" % ", ".join(sorted(foreign)) if foreign else "the map names no archive")
    return {os.path.basename(path)[:-2] for path in paths if not path.startswith("src/") or path.endswith("tree_sitter_python.a")}


def version_of(package, built):
    if package == "tree-sitter-python":
        script = (pathlib.Path(__file__).parent / "grammar.sh").read_text(encoding="utf-8")
        return re.search(r"^version=(.+)", script, re.M).group(1)
    return (pathlib.Path(built) / package).read_text(encoding="utf-8").strip() or sys.exit("%s: the version of %s is unknown" % (built, package))


def digests(path):
    data = path.read_bytes()
    return [{"algorithm": name.upper(), "checksumValue": hashlib.new(name, data).hexdigest()} for name in ("sha1", "sha256")]


def package(name, version, licence, purl):
    return {"SPDXID": "SPDXRef-" + name, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]}


NOTICE = """This program contains these libraries under the GNU Lesser General Public License, linked statically and unchanged but for
the patches of Debian 12:

%s
Their terms and the text of the licence are beside this file. Their sources are Debian's source packages of these versions:

    apt-get source NAME=VERSION

opcheck itself is under the Apache License 2.0, with its source. To link it with a changed library, build it from the source of version
%s: `sh deploy/static-libraries.sh ARCH DIR` makes the libraries, in whose place yours may be put, and
`OPCHECK_STATIC_LIBRARIES=DIR sh deploy/build-static.sh` links the program. You may modify the libraries for your own use and reverse
engineer the program to debug such changes.
"""


def write_notice(version, packages, folder):
    """For the libraries under the LGPL, whose texts have to be there."""
    lesser = [one for one in packages if "LGPL" in one["licenseDeclared"]]
    for licence in sorted({text for one in lesser for text in re.findall(r"L?GPL-\d[.\d]*\d?", one["licenseDeclared"])}):
        text = licence[:-2] if licence.endswith(".0") else licence
        if not (folder / text).exists():
            sys.exit("%s: the text of %s is not packed" % (folder, text))
    if lesser:
        rows = "".join("    %s %s (%s)\n" % (one["name"], one["versionInfo"], one["licenseDeclared"]) for one in lesser)
        (folder / "NOTICE").write_text(NOTICE % (rows, version), encoding="utf-8")


def main(version, map_path, built, tree):
    tree = pathlib.Path(tree)
    names = linked(pathlib.Path(map_path).read_text(encoding="utf-8"))
    unknown = names - LIBRARIES.keys()
    if unknown:
        sys.exit("%s: archives without a licence in deploy/sbom.py: %s" % (map_path, ", ".join(sorted(unknown))))
    packages = [package("opcheck", version, "Apache-2.0", "pkg:generic/opcheck@" + version)]
    for name, licence in sorted({LIBRARIES[name] for name in names}):
        if not (tree / "share/doc/opcheck/licences" / name).exists():
            sys.exit("%s: the terms of %s are not packed" % (tree, name))
        found = version_of(name, built)
        kind = "npm" if name == "tree-sitter-python" else "deb/debian"
        packages.append(package(name, found, licence, "pkg:%s/%s@%s" % (kind, name, found)))
    write_notice(version, packages, tree / "share/doc/opcheck/licences")
    files = [{"SPDXID": "SPDXRef-File-%d" % at, "fileName": "./" + str(path.relative_to(tree)), "checksums": digests(path),
              "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"} for at, path in enumerate([tree / "bin/opcheck", tree / "share/opcheck/opdb.sqlite"])]
    links = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-opcheck")]
    links += [("SPDXRef-opcheck", "STATIC_LINK", one["SPDXID"]) for one in packages[1:]] + [("SPDXRef-opcheck", "CONTAINS", one["SPDXID"]) for one in files]
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": tree.name,
        "documentNamespace": "https://opcheck.invalid/spdx/%s-%s" % (tree.name, files[0]["checksums"][1]["checksumValue"]),
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: opcheck-deploy-sbom"]},
        "packages": packages, "files": files,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in links]}, indent=1))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
