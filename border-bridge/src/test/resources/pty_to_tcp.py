"""Connects a pseudo terminal, used as a serial port, to a TCP port. Prints the device's name.

usage: pty_to_tcp.py PORT
"""

import os
import pty
import select
import socket
import sys
import tty

master, slave = pty.openpty()
tty.setraw(slave)
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as line:
    print(os.ttyname(slave), flush=True)
    while True:
        ready, _, _ = select.select([master, line], [], [], 30)
        if not ready:
            break
        if master in ready:
            line.sendall(os.read(master, 4096))
        if line in ready:
            octets = line.recv(4096)
            if not octets:
                break
            os.write(master, octets)
