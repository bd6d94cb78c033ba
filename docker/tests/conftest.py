"""The images that the tests with containers share."""

import pytest
from stand_in import Engine


@pytest.fixture(scope="session")
def podman():
    """Podman with the images of the gateway and of the motes."""
    made = Engine()
    made.bases()
    for target in ("prepare", "mote", "gateway"):
        made.build(target)
    return made


@pytest.fixture(scope="session")
def engine(podman):
    """With all our images, and stand-ins for the others of compose.yaml."""
    podman.build("ipsec-peer")
    podman.others()
    return podman
