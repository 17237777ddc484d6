#!/bin/sh
# Fetches the Python grammar that `opcheck scan` reads scripts with: the C sources of the npm package tree-sitter-python.
#
#	sh deploy/grammar.sh DIR
#
# Then configure with -Dgrammar=DIR. npm fetches it where there is one, curl otherwise; nothing of it belongs into git.
# The version is no accident: 0.23.6 is the last whose ABI (14) Debian's libtree-sitter 0.20 takes; later ones are 15.
# Safe to repeat: a folder that has the grammar is left alone.
set -eu

version=0.23.6
sha512=c8833dcf4a31288c53edb02d3ce860a1597a8135e59a5221b9eee58854f8a013c5fe585aec76b8750052f3602fea130c459a159c5248f0cea62fe4b05a82c3dc # its integrity in the registry, as hexadecimal

if [ $# -ne 1 ]; then
	echo "usage: sh deploy/grammar.sh DIR" >&2
	exit 2
fi
dir=$1
[ ! -f "$dir/$version" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

archive=tree-sitter-python-$version.tgz
if command -v npm >/dev/null 2>&1; then
	(cd "$work" && npm pack --silent "tree-sitter-python@$version" >/dev/null)
elif command -v curl >/dev/null 2>&1; then
	registry=${npm_config_registry:-https://registry.npmjs.org}
	curl -sSfL -o "$work/$archive" "${registry%/}/tree-sitter-python/-/$archive"
else
	echo "neither npm nor curl is there to fetch $archive" >&2
	exit 1
fi
if ! echo "$sha512  $work/$archive" | sha512sum --check --status; then
	echo "$archive is not the package that opcheck was made with" >&2
	exit 1
fi
tar -xzf "$work/$archive" -C "$work" package/LICENSE package/src/parser.c package/src/scanner.c package/src/tree_sitter
mkdir -p "$dir"
cp -R "$work/package/LICENSE" "$work/package/src/." "$dir/"
touch "$dir/$version"
