#!/bin/sh
# The core's tests on an emulated Cortex-M3; ends with "N passed, N failed". Usage: test.sh BUILD
passed=0
failed=0
for image in "$1"/cortex-m/test_*.elf; do
    out=$(ports/cortex-m/run.sh "$image" 2>&1)
    status=$?
    last=$(printf '%s\n' "$out" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' | tail -1)
    if [ -z "$last" ] || { [ "$status" -ne 0 ] && [ "${last#* }" -eq 0 ]; }; then
        printf '%s\n' "$out"
        echo "FAILED $(basename "$image") (status $status)"
        last="${last:-0 0}"
        failed=$((failed + 1))
    elif [ "$status" -ne 0 ]; then
        printf '%s\n' "$out"
    fi
    passed=$((passed + ${last% *}))
    failed=$((failed + ${last#* }))
    echo "$(basename "$image" .elf): ${last% *} passed, ${last#* } failed"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
