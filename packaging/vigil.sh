#!/bin/sh
# Vigil as installed: the verbs of its jar (run, backup, restore, replace, migrate, verify, decode, encode, ether).
VIGIL_DATA_DIR=${VIGIL_DATA_DIR:-/var/lib/vigil}
export VIGIL_DATA_DIR
exec /usr/lib/vigil/runtime/bin/java @/usr/lib/vigil/java.options "$@"
