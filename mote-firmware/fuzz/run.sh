#!/bin/sh
# Runs every fuzz target for its share of the time, starting from its corpus; new inputs are stored
# under BUILD, so the source tree does not change. Usage: fuzz/run.sh BUILD SECONDS
set -u
build=$1
seconds=$2
targets=$(ls "$build"/fuzz/bin/fuzz_* 2>/dev/null)
count=$(printf '%s\n' "$targets" | grep -c .)
share=$((seconds / (count > 0 ? count : 1)))
[ "$share" -gt 0 ] || share=1
failed=0
for target in $targets; do
    name=$(basename "$target" | sed 's/^fuzz_//')
    found=$build/fuzz/found/$name
    mkdir -p "$found" "fuzz/corpus/$name"
    if "$target" -max_total_time="$share" -max_len=1500 -timeout=60 -print_final_stats=1 \
        -artifact_prefix="$build/fuzz/crash-$name-" "$found" "fuzz/corpus/$name" \
        >"$build/fuzz/$name.log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/fuzz/$name.log")
        echo "$name: $runs runs, no crash"
    else
        tail -40 "$build/fuzz/$name.log"
        echo "$name: FAILED (input kept as $build/fuzz/crash-$name-*)"
        failed=$((failed + 1))
    fi
done
echo "$count targets, $failed failed"
[ "$failed" -eq 0 ]
