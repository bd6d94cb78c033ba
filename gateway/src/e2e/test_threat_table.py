"""The table of threats in mirror-proxy/README.md names tests that exist."""

import re

from conftest import REPOSITORY


def test_every_test_that_the_table_of_threats_names_exists():
    text = (REPOSITORY / "mirror-proxy/README.md").read_text()
    table = text[text.index("## Threats and defences") : text.index("**Not covered.**")]
    sources = {}
    for path in REPOSITORY.glob("*/src/test/java/**/*Test.java"):
        sources[path.stem] = sources.get(path.stem, "") + path.read_text()
    outside = "".join(path.read_text() for path in (REPOSITORY / "gateway/src/e2e").glob("test_*.py"))
    named = re.findall(r"`(\w+Test)\.(\w+)`", table)
    assert len(named) > 30
    for name, method in named:
        assert f"void {method}(" in sources.get(name, ""), f"{name}.{method}"
    for method in re.findall(r"`(test_\w+)`", table):
        assert f"def {method}(" in outside, method
