#!/bin/sh
# Prints the name that a library gives a platform: platform.sh corretto|sqlite|serial amd64|arm64
set -eu
case $1:$2 in
  corretto:amd64) echo linux-x86_64 ;;
  corretto:arm64) echo linux-aarch_64 ;;
  sqlite:amd64) echo x86_64 ;;
  sqlite:arm64) echo aarch64 ;;
  serial:amd64) echo x86_64 ;;
  serial:arm64) echo armv8_64 ;;
  *) echo "vigil: there are images for amd64 and arm64, not for $2" >&2; exit 1 ;;
esac
