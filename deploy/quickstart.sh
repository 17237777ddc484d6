#!/bin/sh
# From a fresh clone to a report: installs what is needed (Debian 12), builds, checks a dump, serves the page.
#
#	sh deploy/quickstart.sh [--no-serve] [DUMP]
#
# Safe to repeat. Without DUMP a real one that comes with the sources is checked.
set -eu

here=$(pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/deploy/packages.sh"

serve=yes
dump=
for argument in "$@"; do
	case $argument in
	--no-serve) serve=no ;;
	-*)
		echo "usage: sh deploy/quickstart.sh [--no-serve] [DUMP]" >&2
		exit 2
		;;
	*) dump=$argument ;;
	esac
done

if [ -z "$dump" ]; then
	dump=$root/tests/fixtures/torch-2.13/llama.a-full.log
	echo "no dump given: checking $dump"
elif [ ! -r "$dump" ]; then
	echo "cannot read $dump" >&2
	exit 3
fi

# shellcheck disable=SC2086
need_packages $build_packages
cd "$root"
setup_build build --buildtype=release
meson compile -C build opcheck opcheckd opdb.sqlite completion-bash completion-zsh completion-fish # all that is installed
cd "$here"

opcheck=$root/build/src/opcheck
"$opcheck" check "$dump"
"$opcheck" check "$dump" -q -o "html=report.html" --force
echo
echo "wrote $here/report.html"

if [ "$serve" = yes ]; then
	echo "serving the page on http://127.0.0.1:8787 until interrupted (Ctrl-C)"
	exec "$root/build/src/opcheckd" --listen 127.0.0.1:8787 --state-dir "$root/build/state"
fi
