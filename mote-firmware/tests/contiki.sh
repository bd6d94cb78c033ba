#!/bin/sh
# Builds the Contiki-NG port for the targets with a compiler on this machine, prints sizes, and runs
# native nodes with the real gateway. Skipped unless CONTIKI names a checkout of Contiki-NG. Usage: tests/contiki.sh
set -eu
# A make inside another make would print folder names between the lines of the report.
unset MAKEFLAGS MAKELEVEL
if [ ! -r "${CONTIKI:-}/Makefile.include" ]; then
    echo "skipped: the Contiki-NG port (CONTIKI does not name a checkout of Contiki-NG)"
    exit 0
fi
CONTIKI=$(cd "$CONTIKI" && pwd)
export CONTIKI
cd "$(dirname "$0")/../ports/contiki-ng"
failed=0

# Contiki-NG's stack and the port's addition before it must be contiguous.
stack_is_one_piece() {
    arm-none-eabi-nm -n -S "$1" | awk '
        $4 == "port_more_stack" { end = $1 "+" $2; after = NR }
        $4 == "stack" && NR == after + 1 { found = 1 }
        END { exit !found }'
}

# Prints why there are no images for a cc2538; exit code 0 if there can be.
have_cc2538() {
    ../cortex-m/have.sh ../../build || return 1
    [ -r "$CONTIKI/arch/cpu/arm/CMSIS/CMSIS/Core/Include/core_cm3.h" ] || {
        echo "Contiki-NG's submodule arch/cpu/arm/CMSIS is missing: git submodule update --init"
        return 1
    }
}

for target in native cooja cc2538dk zoul; do
    size=size
    case $target in cc2538dk | zoul) on_cc2538=yes ;; *) on_cc2538=no ;; esac
    if [ $on_cc2538 = yes ]; then
        if why=$(have_cc2538); then
            [ -d ../../build/bearssl/source ] || ../cortex-m/bearssl.sh ../../build/bearssl >/dev/null 2>&1
        else
            echo "skipped: $target ($why)"
            continue
        fi
        size=arm-none-eabi-size
    fi
    if ! said=$(make -s TARGET=$target 2>&1); then
        echo "$said"
        echo "FAILED $target: it does not build"
        failed=1
        continue
    fi
    folder=$(make -s where TARGET=$target 2>/dev/null | tail -1)
    for image in sleepy-sensor echo-node; do
        at=$folder/$image.$target
        $size "$at" | awk -v name="$image, $target" 'NR == 2 {
            printf "%s: text %d, data %d, bss %d\n", name, $1, $2, $3 }'
        if [ $image,$on_cc2538 = sleepy-sensor,yes ] && ! stack_is_one_piece "$at"; then
            echo "FAILED $image, $target: port_more_stack is not in front of the stack"
            failed=1
        fi
    done
done

# Block storage on Coffee's own code, over a flash in RAM.
coffee="TARGET=native BLOCKS=1 MAKE_CFS=MAKE_CFS_COFFEE"
# shellcheck disable=SC2086
if ! said=$(make -s $coffee 2>&1) || ! said=$("$(make -s where $coffee 2>/dev/null | tail -1)/blocks-check.native" 2>&1); then
    echo "$said"
    echo "FAILED blocks on Coffee"
    failed=1
else
    echo "$said" | grep '^blocks: '
fi

e2e=../../../gateway/e2e
python=${PEER_PYTHON:-../../../target/venv/bin/python}
if [ ! -r "${VIGIL_JAR:-../../../gateway/target/vigil-gateway.jar}" ] || [ ! -x "$python" ]; then
    echo "skipped: native nodes with the gateway (run ./vigil test once: it builds the gateway and" \
        "Python's packages)"
elif ! "${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 | grep -q '"25[.]'; then
    echo "skipped: native nodes with the gateway (set JAVA_HOME to a JDK 25)"
else
    PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider "$e2e" -k contiki || failed=1
fi
exit $failed
