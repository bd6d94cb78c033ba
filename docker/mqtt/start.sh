#!/bin/sh
# Starts mosquitto with the passwords of Compose's secrets; it accepts only hashes.
set -eu
umask 077
{
  printf 'vigil:%s\n' "$(cat /run/secrets/mqtt.password)"
  printf 'client:%s\n' "$(cat /run/secrets/mqtt-client.password)"
} >/tmp/passwords
mosquitto_passwd -U /tmp/passwords
exec mosquitto -c /mosquitto/config/mosquitto.conf
