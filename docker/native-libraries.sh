#!/bin/sh
# Unpacks the native libraries of the gateway's jar for one platform: native-libraries.sh JAR amd64|arm64 FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
jar=$(readlink -f "$1") platform=$2 out=$3
mkdir -p "$out"
out=$(readlink -f "$out")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
jar xf "$jar" BOOT-INF/lib

# library NAME-OF-JAR PATH-IN-IT
library() {
  jar xf BOOT-INF/lib/"$1"-[0-9]*.jar "$2"
  [ -s "$2" ] || { echo "vigil: $1 has no $2" >&2; exit 1; }
  install -m 644 "$2" "$out/"
}

batch_verifier=dev/vigil/signed/batch/linux-x86_64/libvigil-p256.so

library sqlite-jdbc "org/sqlite/native/Linux/$("$here/platform.sh" sqlite "$platform")/libsqlitejdbc.so"
library jSerialComm "Linux/$("$here/platform.sh" serial "$platform")/libjSerialComm.so"
library AmazonCorrettoCryptoProvider com/amazon/corretto/crypto/provider/libamazonCorrettoCryptoProvider.so
# Not every build has it (libraries/signed-objects/native/build.sh).
if [ "$platform" = amd64 ] && jar tf BOOT-INF/lib/signed-objects-[0-9]*.jar | grep -qx "$batch_verifier"; then
  library signed-objects "$batch_verifier"
fi
