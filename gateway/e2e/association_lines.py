"""Lines of files of associations (docs/protocol.md 10.1) with fresh keys."""

import dataclasses
import secrets

# Octets of each key; a cipher's has its salt at the end.
KEYS = {
    "cbc-xcbc": (16, 16), "ctr-xcbc": (20, 16), "cbc-sha1": (16, 20), "ctr-sha1": (20, 20), "cbc-sha256": (16, 32),
    "ccm8": (19,), "ah-sha1": (20,), "ah-xcbc": (16,),
}


@dataclasses.dataclass(frozen=True)
class Association:
    """One direction; `keys` are texts of hexadecimal digits."""

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

    @property
    def key(self):
        """The fields that identify it."""
        return self.source, self.destination, self.protocol, self.spi

    def line(self, own):
        """The line in the file of the node with this address."""
        direction = "in" if self.destination == own else "out"
        words = direction, self.protocol, self.suite, f"0x{self.spi:08x}", self.source, self.destination, *self.keys
        return " ".join(words) + "\n"


def private(path, text):
    """The path of a file that only its owner may open."""
    path.touch(0o600)
    path.write_text(text)
    return str(path)
