#!/bin/sh
# Creates the secrets that compose.yaml mounts, each once, and writes the gateway's user to .env: the calling user, who
# also owns the files, or user 8420 if root calls it. Existing files are not changed.
set -eu
cd "$(dirname "$0")"
folder=${VIGIL_SECRETS:-secrets}
user=$(id -u) group=$(id -g)
if [ "$user" = 0 ]; then user=8420 group=8420; fi
umask 077
mkdir -p "$folder"

# secret FILE COMMAND...: writes the command's output into the file, unless it exists
secret() {
  file=$folder/$1
  shift
  if [ ! -e "$file" ]; then
    "$@" >"$file.new"
    mv "$file.new" "$file"
    echo "made $file"
  fi
  chmod 600 "$file"
  if [ "$(id -u)" = 0 ]; then chown "$user:$group" "$file"; fi
}

random() { head -c "$1" /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
keys() { echo '# Shared keys of CoAPS clients: IDENTITY=KEY on each line'; }

secret operator.token random 32
secret metrics.token random 32
secret backup.passphrase random 32
secret mqtt.password random 32
secret mqtt-client.password random 32
# 802.15.4: motes need the same key. An empty file leaves frames unsecured.
secret link.key printf ''
secret psk.keys keys

if [ ! -e .env ]; then
  printf 'VIGIL_UID=%s\nVIGIL_GID=%s\n' "$user" "$group" >.env
  echo "made .env"
fi
