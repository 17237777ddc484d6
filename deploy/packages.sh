# shellcheck shell=sh disable=SC2034
# What Debian 12 needs beside its base system; read by the scripts beside it. libpq-dev is optional: without it opcheckd has no
# store in PostgreSQL.

build_packages="gcc libc6-dev pkg-config meson ninja-build
 libmicrohttpd-dev libsqlite3-dev libcjson-dev libcurl4-openssl-dev libssl-dev libunistring-dev zlib1g-dev libzstd-dev libarchive-dev libyaml-dev libcsv-dev libseccomp-dev libtree-sitter-dev libpq-dev
 curl ca-certificates"

test_packages="$build_packages
 clang libclang-rt-14-dev libcmocka-dev libisal-dev valgrind python3 python3-pytest python3-jsonschema python3-requests python3-selenium
 mypy python3-torch python3-torchvision python3-yaml mold chromium chromium-driver mandoc shellcheck binutils gzip zstd systemd postgresql-15
 nginx-light faketime"

# What deploy/check.sh and deploy/longtest.sh need beside the tests.
check_packages="$test_packages clang-format clang-tidy cppcheck gcovr"
long_packages="$test_packages debootstrap git"

# What deploy/build-static.sh needs beside a build: the libraries are built from source packages.
static_packages="$build_packages dpkg-dev git nasm tcl"
static_arm64_packages="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"

# What deploy/build-packages.sh and deploy/packagetest.sh need.
package_packages="$build_packages debhelper dpkg-dev git libisal-dev"
packagetest_packages="$test_packages $package_packages $static_packages diffoscope-minimal iproute2 lintian mmdebstrap python3-venv"

# For tests/bench/trace.py alone: what opcheck is compared with.
bench_packages="g++ libsimdjson-dev"

# A build that looks for errors of memory. It runs as fast as -O2 and compiles in half the time; backtraces have their lines. Undefined
# behaviour is a trap, which AddressSanitizer reports with its line: texts for each check are 10 MB that every process has to read.
sanitizer_build="-Dauto_features=enabled --buildtype=debugoptimized -Doptimization=1
 -Dc_args=['-g1','-fsanitize=undefined','-fsanitize-undefined-trap-on-error']
 -Db_sanitize=address -Db_lundef=false -Db_pie=false"
# clang also refuses NULL + 0, which is an empty text in this code; C2y defines it (N3322).
clang_sanitizer_build="$sanitizer_build
 -Dc_args=['-g1','-fsanitize=undefined','-fno-sanitize=pointer-overflow','-fsanitize-undefined-trap-on-error']"

# Installs those of the given packages that are not there; says what is missing when it cannot.
need_packages() {
	missing=
	for package in "$@"; do
		status=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null) || status=
		case $status in
		ii*) ;;
		*) missing="$missing $package" ;;
		esac
	done
	[ -n "$missing" ] || return 0
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "these packages are missing, and there is no apt-get to install them:$missing" >&2
		return 1
	fi
	sudo=
	if [ "$(id -u)" -ne 0 ]; then
		sudo=sudo
		if ! command -v sudo >/dev/null 2>&1; then
			echo "not root and no sudo; install these packages and call again:$missing" >&2
			return 1
		fi
	fi
	echo "installing:$missing"
	# shellcheck disable=SC2086
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
		$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends $missing >/dev/null
}

# The time of what is packed: $SOURCE_DATE_EPOCH, else that of the last commit.
source_time() {
	# shellcheck disable=SC2154 # root is set by the script that reads this one
	echo "${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}"
}

# Configures a build directory, with the grammar of Python unless it cannot be had: setup_build DIR OPTION... There are over
# a hundred programs to link.
setup_build() {
	dir=$1
	shift
	# shellcheck disable=SC2154 # root is set by the script that reads this one
	grammar=$root/build-grammar
	if ! sh "$root/deploy/grammar.sh" "$grammar"; then
		echo "going on without: opcheck scan will read no scripts" >&2
		grammar=
	fi
	linker=${CC_LD:-$(basename "$(command -v mold)")}
	if [ -f "$dir/build.ninja" ]; then
		meson setup --reconfigure "$dir" "-Dgrammar=$grammar" >/dev/null
	else
		env ${linker:+CC_LD="$linker"} meson setup "$dir" "$@" "-Dgrammar=$grammar"
	fi
}
