"""Hooks of MkDocs: the site also contains the documents outside of docs/, with working links between them."""

import pathlib
import posixpath
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).parent.parent
# Path in the repository -> path in the site. Files below docs/ keep their paths without docs/.
OUTSIDE = {"README.md": "index.md"} | {
    path: path for path in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docker/README.md", "packaging/README.md",
                             "packaging/kubernetes/README.md")
}
LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files, config):
    for path, uri in OUTSIDE.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown, page, **_):
    """Converts links of the repository to links of the site; links to missing documents become plain text."""
    source = next((path for path, uri in OUTSIDE.items() if uri == page.file.src_uri), f"docs/{page.file.src_uri}")

    def fitted(link):
        text, target, anchor = link.groups(default="")
        if "://" in target:
            return link[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        uri = OUTSIDE.get(path) or path.removeprefix("docs/") * path.startswith("docs/")
        if not uri or (ROOT / path).is_dir():
            return text
        return f"[{text}]({posixpath.relpath(uri, posixpath.dirname(page.file.src_uri) or '.')}{anchor})"

    parts = re.split(r"(^```.*?^```)", markdown, flags=re.M | re.S)
    return "".join(part if part.startswith("```") else LINK.sub(fitted, part) for part in parts)
