#!/bin/sh
# Builds the libraries of the static program for musl, from Debian's source packages (Debian 12).
#
#	sh deploy/static-libraries.sh ARCH DIR [LIBRARY...]
#
# ARCH is amd64 or arm64. DIR/prefix gets archives, headers and pkg-config files, DIR/bin/musl-cc is the compiler, DIR/built
# has the version of each source package, DIR/licences its terms. Safe to repeat: built libraries are left alone.
set -eu

arch=$1
mkdir -p "$2"
work=$(cd "$2" && pwd)
export prefix="$work/prefix"
jobs=$(nproc)
case $arch in
amd64) machine=x86_64 gcc=x86_64-linux-gnu-gcc openssl=linux-x86_64 assembler=nasm flags= ;;
# libgcc's atomics out of line ask glibc
arm64) machine=aarch64 gcc=aarch64-linux-gnu-gcc openssl=linux-aarch64 assembler='musl-cc -D__ASSEMBLY__' flags=-mno-outline-atomics ;;
*)
	echo "usage: sh deploy/static-libraries.sh amd64|arm64 DIR" >&2
	exit 2
	;;
esac
mkdir -p "$work/bin" "$work/built" "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/debs" "$work/source" "$work/licences" \
	"$prefix/lib/pkgconfig" "$prefix/include"

# apt with its own lists: source packages, and packages of another architecture, without a change of this machine.
own_apt() (
	cd "$work/debs"
	apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/apt/sources" -o "Dir::State::lists=$work/apt/lists" \
		-o "Dir::Cache=$work/apt/cache" -o Dir::State::status=/dev/null -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" \
		-o APT::Sandbox::User=root "$@"
)

prepare_apt() {
	mkdir -p "$work/apt/sources"
	for list in /etc/apt/sources.list.d/*.sources; do
		sed 's/^Types: deb$/Types: deb deb-src/; /^Architectures:/d' "$list" >"$work/apt/sources/$(basename "$list")"
	done
	[ ! -s /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p; /^deb /p' /etc/apt/sources.list >"$work/apt/sources/main.list"
	own_apt update
}

# The compiler: gcc with musl's start files and headers. Programs are static and position-independent; paths of this folder
# are in no object. musl gives threads 128 KiB unless the program asks for more.
prepare_compiler() {
	own_apt download musl-dev linux-libc-dev
	for deb in "$work"/debs/musl-dev_*.deb "$work"/debs/linux-libc-dev_*.deb; do
		dpkg-deb -x "$deb" "$work/musl"
	done
	musl=$work/musl/usr/lib/$machine-linux-musl
	headers=$work/musl/usr/include
	cat >"$work/musl.specs" <<-END
		*cpp_options:
		+ -nostdinc -isystem $headers/$machine-linux-musl -isystem include%s -idirafter $headers -idirafter $headers/$machine-linux-gnu

		*cc1:
		%(cc1_cpu) $flags -ffile-prefix-map=$work=/static -nostdinc -isystem $headers/$machine-linux-musl -isystem include%s -idirafter $headers -idirafter $headers/$machine-linux-gnu

		*link_libgcc:
		-L$musl -L .%s

		*libgcc:
		libgcc.a%s libgcc_eh.a%s

		*startfile:
		$musl/rcrt1.o $musl/crti.o crtbeginS.o%s

		*endfile:
		crtendS.o%s $musl/crtn.o

		*link:
		-nostdlib -static -pie --no-dynamic-linker -z text -z relro -z now -z noexecstack -z stack-size=8388608 --build-id=none %{rdynamic:-export-dynamic}

	END
	cp "$work/musl/usr/share/doc/musl-dev/copyright" "$work/licences/musl"
	dpkg-deb -f "$work"/debs/musl-dev_*.deb Version >"$work/built/musl"
	"$gcc" -dumpfullversion >"$work/built/gcc"
	# -B comes first in gcc's list of folders, where meson looks for libraries: those of this machine are behind
	printf '#!/bin/sh\nexec %s -B "%s" -B "%s" "$@" -specs "%s"\n' "$gcc" "$prefix/lib" "$musl" "$work/musl.specs" >"$work/bin/musl-cc"
	chmod +x "$work/bin/musl-cc"
}

# unpack NAME: its source package, in source/NAME with Debian's patches; sets its version. A mirror may lack the newest update:
# then it is the one of the last point release.
unpack() {
	rm -f "$work/debs/$1"_*
	own_apt source --download-only "$1" >"$work/apt/log" 2>&1 || {
		rm -f "$work/debs/$1"_*
		own_apt source --download-only "$1/$(. /etc/os-release && echo "$VERSION_CODENAME")" >/dev/null
		echo "the mirror has no sources of the newest $1: building $(sed -n 's/^Version: //p' "$work/debs/$1"_*.dsc)"
	}
	rm -rf "$work/source/$1"
	dpkg-source --no-check -x "$work/debs/$1"_*.dsc "$work/source/$1" >/dev/null 2>&1
	cp "$work/source/$1/debian/copyright" "$work/licences/$1"
	version=$(sed -n 's/^Version: //p' "$work/debs/$1"_*.dsc)
	cd "$work/source/$1"
	SOURCE_DATE_EPOCH=$(dpkg-parsechangelog --show-field Timestamp) # not that of opcheck, whose next version takes what is built
	export SOURCE_DATE_EPOCH
}

# archive LIBRARY FLAGS FILE...: compiles the files into libLIBRARY.a
archive() {
	library=$1
	c_flags=$2
	shift 2
	mkdir -p objects
	# shellcheck disable=SC2016 # for the inner shell
	printf '%s\n' "$@" | xargs -P "$jobs" -I '{}' sh -c 'musl-cc -O2 -fPIC -fstack-protector-strong -w "-I$prefix/include" $1 -c "$2" -o "objects/$(echo "$2" | tr / _).o"' compile "$c_flags" '{}'
	rm -f "$prefix/lib/lib$library.a"
	(cd objects && ar rcsD "$prefix/lib/lib$library.a" ./*.o)
}

# describe PACKAGE VERSION LIBS [REQUIRES]: for pkg-config
describe() {
	cat >"$prefix/lib/pkgconfig/$1.pc" <<-END
		Name: $1
		Description: $1 for the static program
		Version: ${2%%[-+]*}
		Requires: ${4:-}
		Libs: -L$prefix/lib $3
		Cflags: -I$prefix/include
	END
}

# configure OPTION...: a configure script for a static library alone. Equal times: nothing generates it anew after Debian's patches.
configure() {
	find . -exec touch -h -r configure {} +
	./configure --quiet --host="$machine-linux-musl" --prefix="$prefix" --disable-shared --enable-static --disable-dependency-tracking \
		CC=musl-cc CFLAGS='-O2 -fPIC -fstack-protector-strong -w' PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" "$@" >configure.log 2>&1
}

build_cjson() {
	archive cjson '' cJSON.c
	mkdir -p "$prefix/include/cjson"
	cp cJSON.h "$prefix/include/cjson/"
	describe libcjson "$version" -lcjson
}

build_libcsv() {
	archive csv '' libcsv.c
	cp csv.h "$prefix/include/"
}

build_libyaml() {
	v=${version%%-*}
	archive yaml "-Iinclude -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 -DYAML_VERSION_STRING=\"$v\"" src/*.c
	cp include/yaml.h "$prefix/include/"
	describe yaml-0.1 "$v" -lyaml
}

build_tree_sitter() {
	archive tree-sitter '-std=gnu99 -Ilib/include -Ilib/src' lib/src/lib.c
	cp -R lib/include/tree_sitter "$prefix/include/"
	describe tree-sitter "$version" -ltree-sitter
}

build_zlib() {
	archive z '-DHAVE_HIDDEN -DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1' [a-z]*.c
	cp zlib.h zconf.h "$prefix/include/"
	describe zlib "${version#*:}" -lz
}

build_libzstd() {
	archive zstd '-DZSTD_DISABLE_ASM -DXXH_NAMESPACE=ZSTD_' lib/common/*.c lib/compress/*.c lib/decompress/*.c
	cp lib/zstd.h lib/zstd_errors.h "$prefix/include/"
	describe libzstd "$version" -lzstd
}

build_libisal() {
	make -j "$jobs" -f Makefile.unx units='igzip crc' host_cpu="$machine" CC=musl-cc AS="$assembler" lib >make.log 2>&1
	cp bin/isa-l.a "$prefix/lib/libisal.a"
	mkdir -p "$prefix/include/isa-l"
	cp include/*.h "$prefix/include/isa-l/"
	describe libisal "$version" -lisal
}

build_sqlite3() {
	./configure --quiet --disable-tcl CC=gcc
	make --quiet sqlite3.c sqlite3.h >/dev/null
	archive sqlite3 '-DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_FTS5 -DSQLITE_USE_URI' sqlite3.c
	cp sqlite3.h "$prefix/include/"
	describe sqlite3 "$version" '-lsqlite3 -lm'
}

build_openssl() {
	./Configure "$openssl" --prefix=/usr --libdir=lib --openssldir=/etc/ssl CC=musl-cc no-shared no-tests no-engine no-module no-legacy no-async \
		no-comp no-dso no-afalgeng no-cms no-ts no-srp no-psk no-idea no-seed no-camellia no-aria no-rc2 no-rc4 no-md4 no-mdc2 no-whirlpool \
		no-cast no-bf no-des no-sm2 no-sm4 no-gost no-dtls no-ct no-ocsp no-ui-console -fPIC -w >configure.log
	make --quiet -j "$jobs" build_generated >make.log 2>&1
	make --quiet -j "$jobs" libcrypto.a libssl.a >>make.log 2>&1
	cp libcrypto.a libssl.a "$prefix/lib/"
	cp -R include/openssl "$prefix/include/"
	v=$(echo "$version" | sed 's/[-~].*//')
	describe libcrypto "$v" -lcrypto
	describe libssl "$v" -lssl libcrypto
}

# Of its parts those that opcheck calls: the whole takes as long as OpenSSL.
build_libunistring() {
	configure --disable-namespacing
	cd lib
	headers='uniconv.h unictype.h unistr.h unitypes.h uniwidth.h'
	# shellcheck disable=SC2086
	make --quiet $headers unistring/stdbool.h unistring/stdint.h unistring/localcharset.h unistring/iconveh.h >make.log 2>&1
	archive unistring '-DHAVE_CONFIG_H -I. -I..' unistr/u8-*.c unistr/u16-mbtouc*.c uniwidth/width.c unictype/categ_*.c
	# shellcheck disable=SC2086
	cp $headers "$prefix/include/"
	cp -R unistring "$prefix/include/"
}

build_libarchive() {
	configure --disable-bsdtar --disable-bsdcat --disable-bsdcpio --without-bz2lib --without-libb2 --without-iconv --without-lz4 --without-zstd --without-lzma \
		--without-cng --without-openssl --without-xml2 --without-expat --disable-acl --disable-xattr CPPFLAGS="-I$prefix/include" LDFLAGS="-L$prefix/lib"
	archive archive '-DHAVE_CONFIG_H -I. -Ilibarchive' libarchive/*.c
	cp libarchive/archive.h libarchive/archive_entry.h "$prefix/include/"
	describe libarchive "$version" '-larchive -lz'
}

# curl's own protocols but HTTP are left out, and so is all that another library would do.
build_curl() {
	off=
	for protocol in ftp file ldap ldaps rtsp proxy dict telnet tftp pop3 imap smb smtp gopher mqtt manual ntlm; do
		off="$off --disable-$protocol"
	done
	# shellcheck disable=SC2086
	configure ${off%--disable-proxy*} ${off#*--disable-proxy} --with-openssl --without-zstd --without-brotli --without-libpsl --without-libidn2 --without-librtmp \
		--without-nghttp2 --without-libssh2 --without-ca-path --with-ca-bundle=/etc/ssl/certs/ca-certificates.crt --with-ca-fallback \
		CPPFLAGS="-I$prefix/include" LDFLAGS="-L$prefix/lib"
	make --quiet -j "$jobs" -C lib >make.log 2>&1
	cp lib/.libs/libcurl.a "$prefix/lib/"
	cp -R include/curl "$prefix/include/"
	describe libcurl "$version" '-lcurl -lz' libssl
}

[ -x "$work/bin/musl-cc" ] || {
	prepare_apt
	prepare_compiler
}
PATH=$work/bin:$PATH
shift 2
# the order: a library after those it calls
[ $# -gt 0 ] || set -- cjson libcsv libyaml tree-sitter zlib libzstd libisal sqlite3 openssl libunistring libarchive curl
for name in "$@"; do
	[ ! -f "$work/built/$name" ] || continue
	echo "building $name for $arch; its logs are in $work/source/$name"
	(
		unpack "$name"
		"build_$(echo "$name" | tr - _)"
		echo "$version" >"$work/built/$name"
	)
done
