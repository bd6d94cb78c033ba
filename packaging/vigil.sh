#!/bin/sh
# Vigil as installed: the verbs of its jar. vigil --help lists them.
VIGIL_DATA_DIR=${VIGIL_DATA_DIR:-/var/lib/vigil}
export VIGIL_DATA_DIR
# A backup or a support bundle without --config has the settings of the service.
case ${1:-} in
  backup | support)
    case " $* " in
      *' --config'*) ;;
      *) if [ -r /etc/vigil/application.yaml ]; then set -- "$@" --config /etc/vigil/application.yaml; fi ;;
    esac ;;
esac
exec /usr/lib/vigil/runtime/bin/java @/usr/lib/vigil/java.options "$@"
