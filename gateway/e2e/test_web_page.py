"""The page of the shared network in Chromium: it verifies each reading by itself, and anyone may read."""

from test_pages import chromium


def test_the_web_page_verifies_motes_and_warns_of_forgeries(network):
    chromium("e2e", VIGIL_URL=network.http, VIGIL_ENDPOINTS="3")


def test_printed_commands_trust_the_gateways_own_authority(network):
    chromium("e2e:authority", VIGIL_URL=network.address(r"https://"))
