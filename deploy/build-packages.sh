#!/bin/sh
# Builds the Debian packages opcheck, opcheckd and opcheck-db from the committed sources (Debian 12).
#
#	sh deploy/build-packages.sh [OUT]
#
# OUT (build-packages) gets the packages, the source package and the .changes file. The same sources give the same bytes.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/deploy/packages.sh"
mkdir -p "${1:-$root/build-packages}"
out=$(cd "${1:-$root/build-packages}" && pwd)
# shellcheck disable=SC2086
need_packages $package_packages
SOURCE_DATE_EPOCH=$(source_time)
export SOURCE_DATE_EPOCH
version=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$root/deploy/debian/changelog")
tree=$out/opcheck-$version
rm -rf "$tree"
mkdir -p "$tree"
git -C "$root" archive HEAD | tar -x -C "$tree"
cp -R "$tree/deploy/debian" "$tree/debian"
sh "$root/deploy/grammar.sh" "$tree/debian/grammar"
find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
cd "$tree"
DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-parallel=$(nproc)}" dpkg-buildpackage --no-sign --build=full
rm -rf "$tree"
