#!/bin/sh
# Builds opcheck without any shared library, and packs it: opcheck-VERSION-linux-MACHINE.tar.gz (Debian 12).
#
#	sh deploy/build-static.sh [amd64|arm64]... [OUT]
#
# The archive has program, database, man pages, completions, licences and an SBOM, and runs from any folder. OUT is the folder
# for archives (build-static). SOURCE_DATE_EPOCH is the time of the last commit. arm64 is built by a cross compiler, and qemu makes its
# database. Safe to repeat: libraries are built once (deploy/static-libraries.sh).
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/deploy/packages.sh"
arches=
out=$root/build-static
for argument in "$@"; do
	case $argument in
	amd64 | arm64) arches="$arches $argument" ;;
	-*)
		echo "usage: sh deploy/build-static.sh [amd64|arm64]... [OUT]" >&2
		exit 2
		;;
	*) mkdir -p "$argument" && out=$(cd "$argument" && pwd) ;;
	esac
done
libraries=${OPCHECK_STATIC_LIBRARIES:-$root/build-static}
export TZ=UTC LC_ALL=C.UTF-8
umask 022
SOURCE_DATE_EPOCH=$(source_time)
export SOURCE_DATE_EPOCH
export CCACHE_DISABLE=1 # it passes other paths to the compiler
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$root/meson.build")

build_static() (
	arch=$1
	machine=x86_64 wrapper=
	# shellcheck disable=SC2086
	need_packages $static_packages
	if [ "$arch" = arm64 ]; then
		# shellcheck disable=SC2086
		need_packages $static_arm64_packages
		machine=aarch64 wrapper="exe_wrapper = 'qemu-aarch64-static'"
	fi
	cd "$root"
	libs=$libraries/$arch
	sh deploy/static-libraries.sh "$arch" "$libs"
	libs=$(cd "$libs" && pwd)
	dir=$root/build-static/build-$arch
	cat >"$libs/cross.ini" <<-END
		[binaries]
		c = '$libs/bin/musl-cc'
		c_ld = 'bfd'
		ar = 'ar'
		strip = '$machine-linux-gnu-strip'
		pkgconfig = 'pkg-config'
		$wrapper
		[properties]
		pkg_config_libdir = '$libs/prefix/lib/pkgconfig'
		needs_exe_wrapper = $([ -n "$wrapper" ] && echo true || echo false)
		[built-in options]
		c_args = ['-I$libs/prefix/include', '-ffile-prefix-map=$root/=']
		c_link_args = ['-L$libs/prefix/lib', '-Wl,-Map=$dir/maps']
		[host_machine]
		system = 'linux'
		cpu_family = '$machine'
		cpu = '$machine'
		endian = 'little'
	END
	rm -rf "$dir" # the database has the time of its build
	mkdir -p "$dir/maps" # a file for each program
	setup_build "$dir" --cross-file "$libs/cross.ini" -Dprefer_static=true --buildtype=release --strip --prefix=/
	meson compile -C "$dir"
	name=opcheck-$version-linux-$machine
	tree=$root/build-static/$name
	rm -rf "$tree"
	meson install --quiet --no-rebuild -C "$dir" --destdir "$tree" --skip-subprojects
	rm -rf "${tree:?}/lib" "$tree/share/doc" "$tree/share/man/man8" "$tree/share/man/man5/opcheckd.conf.5" # what the service alone needs
	mkdir -p "$tree/share/doc/opcheck/licences"
	cp LICENSE README.md .github/CHANGELOG.md "$tree/share/doc/opcheck/"
	cp "$libs"/licences/* "$tree/share/doc/opcheck/licences/"
	cp -L "/usr/share/doc/gcc-$(gcc -dumpversion)-base/copyright" "$tree/share/doc/opcheck/licences/gcc"
	cp build-grammar/LICENSE "$tree/share/doc/opcheck/licences/tree-sitter-python"
	for text in LGPL-2.1 LGPL-3 GPL-2 GPL-3; do
		cp "/usr/share/common-licenses/$text" "$tree/share/doc/opcheck/licences/"
	done
	/usr/bin/python3 deploy/sbom.py "$version" "$dir/maps/opcheck.map" "$libs/built" "$tree" >"$tree/share/doc/opcheck/sbom.spdx.json"
	find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	mkdir -p "$out"
	tar -C "$root/build-static" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u+w,go-w -cf - "$name" | gzip -n -9 >"$out/$name.tar.gz"
	echo "$out/$name.tar.gz: $(($(stat -c %s "$out/$name.tar.gz") / 1024)) KiB"
)

for arch in ${arches:-amd64}; do
	build_static "$arch"
done
