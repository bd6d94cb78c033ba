#!/bin/sh
# Builds the library that verifies eight signatures at once, on x86-64 Linux: build.sh
# The jar of this module includes the result, target/native, if it exists. Without a compiler, pip, the wheels or x86-64
# there is no library: target/native.reason says why, the exit code is 1, and signatures are verified one by one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
module=$(dirname "$here")
out=$module/target/native/dev/vigil/signed/batch/linux-x86_64
library=$out/libvigil-p256.so
wheels=$module/target/wheels
reason=$module/target/native.reason

fail() {
  mkdir -p "$module/target"
  echo "$*" >"$reason"
  echo "signatures are verified one by one: $*" >&2
  exit 1
}

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || fail 'only x86-64 Linux has a batch verifier'
[ -z "$(find "$here" -type f -newer "$library" -print -quit 2>/dev/null || echo none)" ] && exit 0
rm -f "$library"
command -v "${CC:-cc}" >/dev/null || fail 'there is no C compiler: apt-get install gcc'
python3 -c 'import pip' 2>/dev/null || fail 'there is no pip: apt-get install python3-pip'

# Each wheel must have the hash in wheels.txt, also when it was downloaded by an earlier build.
download() {
  python3 -m pip download -q --disable-pip-version-check --retries 1 --timeout 20 --no-deps --require-hashes \
    --only-binary :all: --dest "$wheels" -r "$here/wheels.txt" "$@"
}
mkdir -p "$wheels" "$out"
download --no-index --find-links "$wheels" 2>/dev/null || download >&2 ||
  fail 'pip cannot download the wheels of libraries/signed-objects/native/wheels.txt'
rm -rf "$wheels/unpacked"
for wheel in "$wheels"/*.whl; do python3 -m zipfile -e "$wheel" "$wheels/unpacked"; done

cd "$wheels/unpacked"
"${CC:-cc}" -std=c11 -O2 -fPIC -shared -fvisibility=hidden -fstack-protector-strong -Wall -Wextra -Werror \
  -Wno-unused-function -DBN_OPENSSL_DISABLE -isystem "$(echo ipp_crypto_include-*.data)/data/include/aggregator" \
  -o "$library.new" "$here/p256.c" "$(echo ipp_crypto_static-*.data)/data/lib/libcrypto_mb.a" \
  -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,-z,defs -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack \
  -Wl,--build-id=none -s >&2 || fail 'the library does not link'
mv "$library.new" "$library"
rm -rf "$wheels/unpacked" "$reason"
