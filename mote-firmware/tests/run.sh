#!/bin/sh
# Runs every test binary with the sanitizers and again under valgrind, checks what the core library
# needs from outside, and adds up. Usage: tests/run.sh BUILD
set -u
build=$1
passed=0
failed=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED $1"; }

# The last line of a test binary is "N passed, N failed"; a crash prints none and counts as one.
run() {
    out=$("$@" 2>&1)
    status=$?
    last=$(printf '%s\n' "$out" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' | tail -1)
    if [ -z "$last" ]; then
        printf '%s\n' "$out"
        fail "$* (status $status, no result)"
        return
    fi
    passed=$((passed + ${last% *}))
    failed=$((failed + ${last#* }))
    if [ "$status" -ne 0 ]; then
        printf '%s\n' "$out"
        [ "${last#* }" -ne 0 ] || fail "$* (status $status)"
    fi
}

for test in "$build"/check/bin/test_*; do
    run "$test"
done

if command -v valgrind >/dev/null; then
    for test in "$build"/plain/bin/test_*; do
        run valgrind -q --error-exitcode=9 --leak-check=full --suppressions=tests/secrets.supp "$test"
    done
else
    echo "skipped: the valgrind leg (valgrind is not installed)"
fi

# The core needs nothing but mem*, strlen (gcc makes a loop into it), BearSSL (from its driver alone) and what the port headers declare.
ports=$(cat include/mote/port/*.h 2>/dev/null | grep -o '[a-z_][a-z0-9_]*' | sort -u)
defined=$(nm --defined-only "$build/libmote.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)
foreign=$(nm -A --undefined-only "$build/libmote.a" | awk '{ print $1, $NF }' | sort -u |
    while read -r where symbol; do
        case $symbol in
        memcpy | memset | memmove | memcmp | strlen | _GLOBAL_OFFSET_TABLE_) continue ;;
        br_*) case $where in *:bearssl.o:) continue ;; esac ;;
        esac
        printf '%s\n' "$defined" "$ports" | grep -qx "$symbol" || echo "$where $symbol"
    done)
if [ -z "$foreign" ]; then pass; else
    echo "$foreign"
    fail "the core library needs more than it may"
fi

# No writable state at file scope: no object of the core has octets in .data or .bss.
writable=$(size -A "$build/libmote.a" | awk '/^[^ ]+ *:$|ex /{ at = $1 }
    $1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print at, $1, $2 }')
if [ -z "$writable" ]; then pass; else
    echo "$writable"
    fail "the core has writable file-scope state"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
