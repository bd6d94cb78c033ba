#!/usr/bin/env bash
# The command of the gateway's process: its Java options, and the fast start. Sourced by ./vigil.
# As a script (JAVA_HOME set), for tests, benches and images:
#   java.sh command JAR     prints the command up to the verb, one word per line
#   java.sh prepare JAR     creates the folder JAR.fast next to JAR (without .jar): unpacked, with an AOT cache (JEP 514)

# The compilers leave some 40 MB of freed native memory after a start, which glibc keeps unless it is trimmed.
# The jar holds the bean definitions as code (process-aot), which saves a third of a start.
# Under a flood promoted objects die within seconds: G1 collects them concurrently, the serial collector in pauses of 200 ms.
# Marking starts at three quarters of the heap: with the adaptive threshold a small heap under a flood is marked permanently.
# A heap that has returned its free memory is used to three fifths, so at two thirds marking would begin again at once.
# A young generation that grows with the heap makes pauses of 80 ms at 100 000 endpoints, because most new values survive.
# An idle gateway collects only because of the interval of half a minute, and then returns free memory beyond two fifths.
# Regions have 2 MB, so the answer to a large lookup is smaller than half a region.
java_options=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Dspring.aot.enabled=true -Xms32m
  -XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:-G1UseAdaptiveIHOP -XX:InitiatingHeapOccupancyPercent=75 -XX:G1HeapRegionSize=2m -XX:MaxNewSize=32m
  -XX:G1PeriodicGCInterval=30000 -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40
  -XX:+ExplicitGCInvokesConcurrent -XX:-ClassUnloadingWithConcurrentMark -XX:TrimNativeHeapInterval=10000 -XX:+ExitOnOutOfMemoryError)

# The JDK, the options that a cache was trained with, and the jar. The end of a jar is its directory of entries with
# their checksums, 0.2 MB long. The JVM silently ignores a cache whose options do not fit.
fast_identity() {
  printf '%s %s %s\n' "$(sed -n 's/^JAVA_RUNTIME_VERSION=//p' "$JAVA_HOME/release")" \
    "$(printf '%s\n' "${java_options[@]}" | cksum)" "$(tail -c 1048576 "$1" | cksum)"
}

fast_folder() { printf '%s\n' "${1%.jar}.fast"; }

# True if the folder was created from this jar, for this JDK and these options.
fast_fits() {
  local folder; folder=$(fast_folder "$1")
  [ -e "$folder/vigil.aot" ] && [ "$(cat "$folder/identity" 2>/dev/null)" = "$(fast_identity "$1")" ]
}

# True if the same jar failed before, with the same JDK and options.
fast_failed() { [ "$(cat "$(fast_folder "$1").failed" 2>/dev/null)" = "$(fast_identity "$1")" ]; }

# Sets the array `java` to the command of a gateway, up to the verb. A cache that does not fit is not used.
java_command() {
  java=("$JAVA_HOME/bin/java" "${java_options[@]}")
  if fast_fits "$1"; then
    local folder; folder=$(fast_folder "$1")
    java+=("-XX:AOTCache=$folder/vigil.aot" '-Xlog:aot*=off,cds*=off' -jar "$folder/$(basename "$1")")
  else
    java+=(-jar "$1")
  fi
}

# Creates the folder, or changes nothing and prints the reason. A separate process ends at the first error.
fast_prepare() {
  local folder made; folder=$(fast_folder "$1"); made=$folder.$$
  rm -rf "$folder.failed"
  if bash "${BASH_SOURCE[0]}" make "$1" "$made"; then
    rm -rf "$folder"
    mv "$made" "$folder"
  else
    rm -rf "$made"
    fast_identity "$1" >"$folder.failed"
    return 1
  fi
}

fast_make() {
  local name jar; name=$(basename "$1")
  mkdir "$2"
  "$JAVA_HOME/bin/java" -Djarmode=tools -jar "$1" extract --force --destination "$2" >/dev/null
  for jar in "$2"/lib/*.jar; do unsign "$jar" "$2/unsigned"; done
  train "$2" "$JAVA_HOME/bin/java" "${java_options[@]}" "-XX:AOTCacheOutput=$2/vigil.aot" '-Xlog:aot*=off,cds*=off' -jar "$2/$name"
  [ -s "$2/vigil.aot" ] || { echo 'the JVM wrote no cache'; return 1; }
  fast_identity "$1" >"$2/identity"
}

# A cache cannot hold classes of signed jars, and JDK 25.0.3 crashes while it writes one that links such classes.
# OpenJDK does not require a signature of a cryptography provider; a JDK that does keeps its signed jars, and gets no
# cache.
unsign() {
  grep -qaE 'META-INF/[A-Za-z0-9_-]+\.SF' "$1" || return 0
  ! grep -q '^IMPLEMENTOR="Oracle' "$JAVA_HOME/release" || { echo "$(basename "$1") is signed, and this JDK insists on it"; return 1; }
  mkdir "$2"
  "$JAVA_HOME/bin/jar" --extract --file "$1" --dir "$2"
  rm -f "$2"/META-INF/*.{SF,RSA,DSA,EC}
  touch -r "$1" "$2.date"
  "$JAVA_HOME/bin/jar" --create --no-compress --file "$1" --manifest "$2/META-INF/MANIFEST.MF" -C "$2" .
  touch -r "$2.date" "$1"
  rm -rf "$2" "$2.date"
}

# Runs a gateway on loopback, sends it one request, and stops it in order; its JVM then writes the cache. On an emulated
# processor, as in the build of an image for another platform, this takes many minutes.
train() {
  local folder=$1 line trained=1; shift
  while IFS= read -r line; do
    case $line in ready*) trained=0; ask "$line" || true ;; esac
  done < <(timeout 3600 "$@" run --demo --data-dir "$folder/data" --coap-port 0 --coaps-port 0 --http-port 0 --zep-port 0 --for 1)
  # The JVM writes the cache after the last line.
  wait $! && rm -rf "$folder/data" && [ "$trained" = 0 ] || { echo 'the gateway did not start'; return 1; }
}

# Sends requests over CoAP and HTTP to the addresses of a ready line, so that the cache has the classes of an answer.
ask() (
  http=${1#*http://127.0.0.1:} coap=${1#*coap://127.0.0.1:}
  # GET /.well-known/core, confirmable (RFC 7252 section 3).
  printf '\x40\x01\x00\x01\xbb.well-known\x04core' >"/dev/udp/127.0.0.1/${coap%% *}"
  exec {connection}<>"/dev/tcp/127.0.0.1/${http%% *}"
  printf 'GET /rd-lookup/res HTTP/1.0\r\n\r\n' >&"$connection"
  cat <&"$connection" >/dev/null
)

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -euo pipefail
  case ${1:-} in
    command) java_command "$2"; printf '%s\n' "${java[@]}" ;;
    prepare) fast_fits "$2" || fast_prepare "$2" ;;
    make) fast_make "$2" "$3" ;;
    *) echo 'java.sh command|prepare JAR' >&2; exit 2 ;;
  esac
fi
