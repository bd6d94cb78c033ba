#!/bin/bash
# Exit code 0 while the gateway on this machine is ready to serve, 1 otherwise.
exec 3<>"/dev/tcp/127.0.0.1/${VIGIL_HTTP_PORT:-8080}" || exit 1
printf 'GET /actuator/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 4 _ status _ <&3
echo "health: ${status:-no answer}"
[ "${status:-}" = 200 ]
