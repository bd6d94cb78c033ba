"""Associations between a mote and a Linux host: the mote's file (docs/protocol.md 10.1) and the `ip xfrm` commands."""

import dataclasses
import secrets

# Octets of each key as the file has them, and what Linux calls the algorithms: a cipher's key has its salt at the end.
KEYS = {"cbc-xcbc": (16, 16), "ctr-xcbc": (20, 16), "cbc-sha1": (16, 20), "ccm8": (19,), "ah-sha1": (20,), "ah-xcbc": (16,)}
CIPHERS = {"cbc": "cbc(aes)", "ctr": "rfc3686(ctr(aes))", "ccm8": "rfc4309(ccm(aes))"}
INTEGRITY = {"xcbc": "xcbc(aes)", "sha1": "hmac(sha1)"}


@dataclasses.dataclass(frozen=True)
class Association:
    """One direction; `keys` hexadecimal."""

    suite: str
    spi: int
    source: str
    destination: str
    keys: tuple

    @classmethod
    def fresh(cls, suite, spi, source, destination):
        return cls(suite, spi, source, destination, tuple(secrets.token_hex(octets) for octets in KEYS[suite]))

    @property
    def protocol(self):
        return "ah" if self.suite.startswith("ah-") else "esp"

    def line(self, mote):
        direction = "in" if self.destination == mote else "out"
        words = direction, self.protocol, self.suite, f"0x{self.spi:08x}", self.source, self.destination, *self.keys
        return " ".join(words) + "\n"

    def state(self):
        """The command that gives it to Linux."""
        cipher, _, integrity = self.suite.partition("-")
        if cipher == "ccm8":
            algorithms = f"aead {CIPHERS[cipher]} 0x{self.keys[0]} 64"
        else:
            algorithms = "" if self.protocol == "ah" else f"enc {CIPHERS[cipher]} 0x{self.keys[0]} "
            algorithms += f"auth-trunc {INTEGRITY[integrity]} 0x{self.keys[-1]} 96"
        return (
            f"xfrm state add src {self.source} dst {self.destination} proto {self.protocol} spi 0x{self.spi:08x} "
            f"mode transport replay-window 32 {algorithms}\n"
        )


def policy(layers, direction):
    """What Linux has to do with UDP between the ends of these associations, innermost first."""
    ends = f"src {layers[0].source} dst {layers[0].destination}"
    templates = "".join(f" tmpl {ends} proto {one.protocol} mode transport" for one in layers)
    return f"xfrm policy add {ends} proto udp dir {direction}{templates}\n"
