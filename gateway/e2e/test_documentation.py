"""The documentation builds as a site, and the operator's guide has short pages and an index that leads to each."""

import os
import re
import subprocess
import sys

import pytest
from processes import REPOSITORY

GUIDE = REPOSITORY / "docs/guide"
PAGES = sorted(page.name for page in GUIDE.glob("*.md"))
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")


def prose(text):
    """The lines outside of fenced blocks, with their numbers."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_on_three_screens(page):
    text = (GUIDE / page).read_text()
    assert len(text.splitlines()) <= 150
    # A table's row may be longer than a sentence's line; a command cannot be broken.
    wide = [number for number, line in prose(text)
            if len(line) > (120 if line.startswith("|") else 100) and not re.search(r"`[^`]{60,}`", line)]
    assert wide == []


def test_the_index_leads_to_each_page_once():
    named = LINK.findall((GUIDE / "README.md").read_text())
    assert sorted(name for name in named if not name.startswith("../")) == [page for page in PAGES if page != "README.md"]


def test_the_site_is_built_without_a_warning(tmp_path):
    """Strict: a broken link or anchor, or a page that is missing in the navigation, fails the build."""
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path],
        cwd=REPOSITORY, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, timeout=120)
    assert built.returncode == 0, built.stderr
    assert {f"guide/{page.replace('README', 'index').replace('.md', '.html')}" for page in PAGES} <= {
        str(page.relative_to(tmp_path)) for page in tmp_path.rglob("*.html")}
    # Links to documents outside of docs/ stay within the site.
    assert 'href="../docker/index.html#metrics"' in (tmp_path / "guide/monitor.html").read_text()
    assert 'href="guide/index.html"' in (tmp_path / "index.html").read_text()
