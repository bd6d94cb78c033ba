#!/bin/sh
# Runs every test binary with the sanitizers, and the named binaries under valgrind. Checks the core
# library's external symbols, its layers and the layout of the files, compiles the Contiki-NG port, and
# adds up the results. Usage: tests/run.sh BUILD BINARY...
set -u
build=$1
shift
passed=0
failed=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED $1"; }

# The last line of a test binary is "N passed, N failed"; a crash prints none and counts as one.
count() {
    last=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$1" | tail -1)
    status=$(cat "$1.status")
    if [ -z "$last" ]; then
        cat "$1"
        fail "$(basename "$1") (status $status, no result)"
        return
    fi
    passed=$((passed + ${last% *}))
    failed=$((failed + ${last#* }))
    if [ "$status" -ne 0 ]; then
        cat "$1"
        [ "${last#* }" -ne 0 ] || fail "$(basename "$1") (status $status)"
    fi
}

# leg NAME BINARIES COMMAND...   Runs the binaries, one for each processor at a time.
leg() {
    leg_results=$results/$1
    leg_binaries=$2
    mkdir -p "$leg_results"
    shift 2
    # shellcheck disable=SC2016,SC2086
    printf '%s\n' $leg_binaries | RESULTS=$leg_results xargs -P "$(nproc)" -I '{}' \
        sh -c 'test=$1; shift; out=$RESULTS/$(basename "$test"); "$@" "$test" >"$out" 2>&1; echo $? >"$out.status"' \
        leg '{}' "$@"
    for result in "$leg_results"/test_*.status; do
        count "${result%.status}"
    done
}

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

leg sanitizers "$(ls "$build"/check/bin/test_* | grep -v '\.[od]$')" env
if command -v valgrind >/dev/null; then
    leg valgrind "$*" valgrind -q --error-exitcode=9 --leak-check=full --suppressions=tests/secrets.supp
else
    echo "skipped: the valgrind leg (valgrind is not installed)"
fi

# The core may need mem*, strlen (into which gcc turns loops), BearSSL (from its driver only) and the
# functions that the port headers declare.
ports=$(cat include/mote/port/*.h 2>/dev/null | grep -o '[a-z_][a-z0-9_]*' | sort -u)
defined=$(nm --defined-only "$build/libmote.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)
foreign=$(nm -A --undefined-only "$build/libmote.a" | awk '{ print $1, $NF }' | sort -u |
    known="$defined $ports memcpy memset memmove memcmp strlen _GLOBAL_OFFSET_TABLE_" awk '
        BEGIN { count = split(ENVIRON["known"], names); for (i = 1; i <= count; i++) known[names[i]] }
        $2 ~ /^br_/ && $1 ~ /:bearssl(_pair)?[.]o:$/ { next }
        !($2 in known)')
if [ -z "$foreign" ]; then pass; else
    echo "$foreign"
    fail "the core library uses symbols that it must not use"
fi

# No writable state at file scope: no object of the core has octets in .data or .bss.
writable=$(size -A "$build/libmote.a" | awk '/^[^ ]+ *:$|ex /{ at = $1 }
    $1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print at, $1, $2 }')
if [ -z "$writable" ]; then pass; else
    echo "$writable"
    fail "the core has writable file-scope state"
fi

# Directions inside the core, and no circles between its files.
if tests/layers.sh "$build"; then pass; else
    fail "a file of the core uses a folder that is not below it"
fi

# The Contiki-NG port compiles for each kind of target.
if tests/contiki_port.sh "$build"; then pass; else
    fail "the Contiki-NG port does not compile"
fi

# One layout for every C file: the style of .clang-format.
if said=$(tests/format.sh 2>&1); then
    case $said in skipped*) echo "$said" ;; *) pass ;; esac
else
    printf '%s\n' "$said" | head -40
    fail "C files are not laid out as .clang-format says: make format"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
