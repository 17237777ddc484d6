#!/bin/sh
# Fetches s3rver, a bucket on this machine against which test_blobs.c holds the contract: the npm package, of which nothing belongs
# into git.
#
#	sh tests/unit/s3rver.sh DIR
#
# Then run the test `blobs` with OPCHECK_S3RVER=DIR/node_modules/s3rver/bin/s3rver.js. Safe to repeat.
set -eu

if [ $# -ne 1 ]; then
	echo "usage: sh tests/unit/s3rver.sh DIR" >&2
	exit 2
fi
[ ! -f "$1/node_modules/s3rver/bin/s3rver.js" ] || exit 0
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$1" s3rver@3.7.1
