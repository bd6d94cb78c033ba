"""The operator's guide: short pages, lines that fit, and an index that leads to each page."""

import re

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
