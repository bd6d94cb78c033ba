"""The virtual air with a border, made of other implementations: scapy decodes and encodes frames and 6LoWPAN. Each
mote's datagrams are forwarded over plain UDP to a CoAP server."""

import asyncio
import contextlib
import random
import struct
from dataclasses import dataclass, field

from scapy.compat import raw
from scapy.config import conf
from scapy.layers.dot15d4 import Dot15d4, Dot15d4Ack, Dot15d4Data, Dot15d4FCS
from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.sixlowpan import (
    LoWPAN_IPHC,
    LoWPAN_NHC,
    LoWPANFragmentationFirst,
    LoWPANFragmentationSubsequent,
)

conf.dot15d4_protocol = "sixlowpan"

CHANNEL, PAN = 26, 0xABCD
BORDER = 0x0200000000000001
BORDER_ADDRESS = "fe80::1"
DATA, HELLO = 1, 255
HEAD = struct.Struct(">2sBBBHBBQI10xB")  # "EX", version, type, channel, device, mode, LQI, time, sequence, length


@dataclass
class Air:
    """The frames sent over the air. `loses` is called for every frame, both ways; true if the frame is lost."""

    server: tuple
    loses: callable = lambda psdu: False
    hellos: list = field(default_factory=list)
    frames: list = field(default_factory=list)  # decoded by scapy, as sent by the motes
    transport: asyncio.DatagramTransport | None = None
    border_sequence: int = field(default_factory=lambda: random.randrange(256))
    zep_sequence: int = 0
    tag: int = 1
    seen: dict = field(default_factory=dict)
    parts: dict = field(default_factory=dict)
    motes: dict = field(default_factory=dict)
    acknowledged: dict = field(default_factory=dict)
    tasks: set = field(default_factory=set)
    failures: list = field(default_factory=list)  # violations by motes

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        for server in self.motes.values():
            server.close()

    def error_received(self, error):
        pass

    def datagram_received(self, packet: bytes, source: tuple) -> None:
        assert packet[:3] == b"EX\x02", packet
        if packet[3] == HELLO:
            assert packet[21:26] == b"HELLO" and packet[31] == 8
            self.hellos.append(packet[32:40].hex())
            return
        _, _, kind, channel, _, mode, _, _, _, length = HEAD.unpack_from(packet)
        psdu = packet[HEAD.size :]
        assert (kind, channel, mode, length) == (DATA, CHANNEL, 1, len(psdu))
        if not self.loses(psdu):
            self.start(self.frame(psdu, source))

    def start(self, work) -> None:
        def ended(task):
            self.tasks.discard(task)
            if not task.cancelled() and task.exception():
                self.failures.append(task.exception())

        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(ended)

    def put(self, frame: Dot15d4, source: tuple) -> None:
        psdu = raw(frame) + raw(Dot15d4FCS().compute_fcs(raw(frame)))
        if self.loses(psdu):
            return
        self.zep_sequence += 1
        head = HEAD.pack(b"EX", 2, DATA, CHANNEL, 1, 1, 255, 0, self.zep_sequence, len(psdu))
        self.transport.sendto(head + psdu, source)

    async def frame(self, psdu: bytes, source: tuple) -> None:
        frame = Dot15d4FCS(psdu)
        assert frame.fcs == int.from_bytes(Dot15d4FCS().compute_fcs(psdu[:-2]), "little")
        if frame.fcf_frametype == 2:
            if future := self.acknowledged.get((source, frame.seqnum)):
                future.set_result(None)
                del self.acknowledged[source, frame.seqnum]
            return
        data = frame[Dot15d4Data]
        self.frames.append(frame)
        assert frame.fcf_ackreq == 1 and frame.fcf_framever == 1 and frame.fcf_panidcompress == 1
        assert data.dest_panid == PAN and data.dest_addr == BORDER
        self.put(Dot15d4(fcf_frametype=2, seqnum=frame.seqnum) / Dot15d4Ack(), source)
        if self.seen.get(source) == frame.seqnum:
            return
        self.seen[source] = frame.seqnum
        if packet := self.reassemble(frame, source):
            await self.deliver(packet, source, data.src_addr)

    def reassemble(self, frame, source) -> IPv6 | None:
        """The packet, once it is complete. scapy does not reassemble the fragments of several motes."""
        if LoWPANFragmentationSubsequent in frame:
            more = frame[LoWPANFragmentationSubsequent]
            key, size = (source, more.datagramTag), more.datagramSize
            self.parts.setdefault(key, {})[more.datagramOffset * 8] = raw(more.payload)
        else:
            start = self.restore(frame)
            if LoWPANFragmentationFirst not in frame:
                return IPv6(start)
            first = frame[LoWPANFragmentationFirst]
            key, size = (source, first.datagramTag), first.datagramSize
            self.parts.setdefault(key, {})[0] = start
        parts = self.parts[key]
        if sum(map(len, parts.values())) < size:
            return None
        whole = b"".join(parts[at] for at in sorted(parts))
        assert len(whole) == size
        del self.parts[key]
        return IPv6(whole[:4] + struct.pack(">H", size - 40) + whole[6:44] + struct.pack(">H", size - 40) + whole[46:])

    @staticmethod
    def restore(frame) -> bytes:
        """IPv6 and UDP headers, restored from the compressed headers that scapy reads, and the payload. For a frame with
        the whole packet scapy restores them itself."""
        if IPv6 in frame:
            return raw(frame[IPv6])
        ip, nhc = frame[LoWPAN_IPHC], frame[LoWPAN_NHC]
        assert ip.hlim == 2 and ip.tf == 3  # hop limit 64, no traffic class or flow label
        [udp] = nhc.exts
        ports = UDP(sport=udp.udpSourcePort, dport=udp.udpDestPort, chksum=udp.udpChecksum)
        return raw(IPv6(src=ip.src, dst=ip.dst, hlim=64) / ports / raw(nhc.payload))

    async def deliver(self, packet: IPv6, source: tuple, eui64: int) -> None:
        """Compares the checksum with a new one, and forwards the datagram from a separate socket for this mote."""
        assert packet.dst == BORDER_ADDRESS
        remade = packet.copy()
        del remade[UDP].chksum
        assert IPv6(raw(remade))[UDP].chksum == packet[UDP].chksum
        if source not in self.motes:
            air, peer = self, packet

            class Back(asyncio.DatagramProtocol):
                def datagram_received(self, data, _):
                    air.start(air.answer(data, source, eui64, peer))

            loop = asyncio.get_running_loop()
            self.motes[source], _ = await loop.create_datagram_endpoint(Back, remote_addr=self.server)
        self.motes[source].sendto(raw(packet[UDP].payload))

    async def answer(self, data: bytes, source: tuple, eui64: int, asked: IPv6) -> None:
        packet = IPv6(src=asked.dst, dst=asked.src) / UDP(sport=asked.dport, dport=asked.sport) / data
        whole = raw(packet)
        if len(whole) < 90:
            await self.send(b"\x41" + whole, source, eui64)
            return
        self.tag += 1
        for at in range(0, len(whole), 80):
            head = struct.pack(">HH", 0xC000 | len(whole), self.tag) + b"\x41"
            if at > 0:
                head = struct.pack(">HHB", 0xE000 | len(whole), self.tag, at // 8)
            await self.send(head + whole[at : at + 80], source, eui64)

    async def send(self, payload: bytes, source: tuple, eui64: int) -> None:
        """Sends one frame, up to four times, until it is acknowledged."""
        self.border_sequence = (self.border_sequence + 1) % 256
        header = Dot15d4(
            fcf_frametype=1,
            fcf_ackreq=1,
            fcf_panidcompress=1,
            fcf_destaddrmode=3,
            fcf_srcaddrmode=3,
            fcf_framever=1,
            seqnum=self.border_sequence,
        ) / Dot15d4Data(dest_panid=PAN, dest_addr=eui64, src_addr=BORDER)
        future = self.acknowledged[source, self.border_sequence] = asyncio.get_running_loop().create_future()
        for _ in range(4):
            self.put(header / payload, source)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(future), 0.2)
                return


@contextlib.asynccontextmanager
async def play(air: Air, port: int):
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: air, local_addr=("127.0.0.1", port)
    )
    try:
        yield
    finally:
        transport.close()
        for task in air.tasks:
            task.cancel()
    if air.failures:
        raise air.failures[0]
