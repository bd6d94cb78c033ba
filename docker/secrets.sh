#!/bin/sh
# Creates the secrets that compose.yaml mounts, each once, and writes the gateway's user to .env: the calling user, who
# also owns the files, or user 8420 if root calls it. Existing files are not changed. "secrets.sh cluster" also creates
# what cluster.yaml mounts: the identity key of its gateways, and certificates of an authority of their own. The
# variables VIGIL_NATS_NAMES and VIGIL_BALANCER_NAMES replace the names in the certificates; they are written as in
# openssl's subjectAltName, and have no effect on certificates that exist.
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

base64url() { base64 | tr -d '=\n' | tr '+/' '-_'; }

# A private JWK. The last 64 octets of the key's encoding (RFC 5915) are its point, octets 8 to 39 its secret.
identity() {
  openssl ecparam -name prime256v1 -genkey -noout -outform DER >"$work/identity"
  printf '{"kty":"EC","crv":"P-256","x":"%s","y":"%s","d":"%s"}\n' \
    "$(tail -c 64 "$work/identity" | head -c 32 | base64url)" "$(tail -c 32 "$work/identity" | base64url)" \
    "$(tail -c +8 "$work/identity" | head -c 32 | base64url)"
}

key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1; }

# certificate KEY NAME EXTENSIONS [AUTHORITY]: a certificate for ten years, signed by itself without an authority
certificate() {
  printf '%s\n' "$3" >"$work/extensions"
  openssl req -new -key "$folder/$1.key" -subj "/CN=$2" -out "$work/request"
  if [ $# = 4 ]; then set -- -CA "$folder/$4.pem" -CAkey "$folder/$4.key"; else set -- -key "$folder/$1.key"; fi
  openssl x509 -req -in "$work/request" -days 3650 -sha256 -extfile "$work/extensions" "$@" 2>"$work/messages" ||
    { cat "$work/messages" >&2; return 1; }
}

secret operator.token random 32
secret metrics.token random 32
secret backup.passphrase random 32
secret mqtt.password random 32
secret mqtt-client.password random 32
# 802.15.4: motes need the same key. An empty file leaves frames unsecured.
secret link.key printf ''
secret psk.keys keys

if [ "${1:-}" = cluster ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  names=${VIGIL_NATS_NAMES:-DNS:localhost,IP:127.0.0.1}
  balancer=${VIGIL_BALANCER_NAMES:-DNS:localhost,DNS:$(hostname),IP:127.0.0.1}
  secret identity.jwk identity
  secret nats-ca.key key
  secret nats-ca.pem certificate nats-ca "Vigil cluster" "basicConstraints=critical,CA:true"
  secret nats.key key
  secret nats.pem certificate nats nats "subjectAltName=$names" nats-ca
  secret nats-client.key key
  secret nats-client.pem certificate nats-client gateway "extendedKeyUsage=clientAuth" nats-ca
  secret balancer.key key
  secret balancer.pem certificate balancer balancer "subjectAltName=$balancer"
fi

if [ ! -e .env ]; then
  printf 'VIGIL_UID=%s\nVIGIL_GID=%s\n' "$user" "$group" >.env
  echo "made .env"
fi
