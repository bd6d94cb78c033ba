#!/bin/sh
# Runs once before the gateway, as root with the capabilities CHOWN, DAC_READ_SEARCH, FOWNER and NET_ADMIN:
# creates the TUN interface, and gives it and the data folders to the user of the gateway and the motes.
set -eu
user=${VIGIL_UID:?} group=${VIGIL_GID:?} device=${VIGIL_TUN:-} address=${VIGIL_TUN_ADDRESS:-fd00::1/64}

# Later arguments: the data folders.
for folder in "$@"; do
  chown -R "$user:$group" "$folder"
  chmod 700 "$folder"
done

[ -n "$device" ] || exit 0
if ! ip link show dev "$device" >/dev/null 2>&1; then
  ip tuntap add dev "$device" mode tun user "$user"
fi
ip link set dev "$device" mtu 1280 up
ip -6 address replace "$address" dev "$device"
echo "prepared: $device $address for user $user"
