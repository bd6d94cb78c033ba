#!/bin/sh
# Vigil as installed: the verbs of its jar. vigil --help lists them.
VIGIL_DATA_DIR=${VIGIL_DATA_DIR:-/var/lib/vigil}
export VIGIL_DATA_DIR
exec /usr/lib/vigil/runtime/bin/java @/usr/lib/vigil/java.options "$@"
