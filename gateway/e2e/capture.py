"""A capture, read by tshark."""

import subprocess

# The EID of NHC_EH (docs/protocol.md section 9).
AH, ESP = "0x05", "0x06"


def announced(air):
    """Source, destination and compressed headers of each packet on the radio that has such headers.

    The destination is the last one of a source route (RFC 6554), because a mote may have chosen another mote as its
    parent. tshark's dissector knows the octet that announces AH or ESP; frames with inline AH or ESP do not contain it.
    """
    shown = subprocess.run(
        ["tshark", "-r", str(air), "-o", "6lowpan.context0:fd00::/64", "-Y", "6lowpan.nhc.ext.eid", "-T", "fields", "-E", "occurrence=a",
         "-e", "6lowpan.src", "-e", "6lowpan.dst", "-e", "6lowpan.nhc.ext.eid", "-e", "ipv6.routing.rpl.full_address"],
        check=True, capture_output=True, text=True, timeout=60,
    ).stdout
    rows = (row.split("\t") for row in shown.splitlines())
    return [(source, route.split(",")[-1] or hop, headers.split(",")) for source, hop, headers, route in rows]
