"""What is composed of a page: the page itself, its notebook, its copy in Markdown, its scripts."""

import json
from pathlib import PurePosixPath
from urllib.parse import urlencode, urlsplit

from builder.content import pages
from builder.content.pages import Page
from builder.content.paths import pinned
from builder.publishing import composed_page, notebooks
from builder.publishing.configuration import Edition, as_yaml

_REPORT = """Page: {address}
Program (delete all but the one you mean): {programs}
torch: {torch} (what does yours say? print(torch.__version__))

What the page says:

What your machine prints:
"""


def printed(words: dict) -> str:
    """The sentence about where outputs come from. words: `extra` of mkdocs.<lang>.yml."""
    return words["downloads"]["printed"].format(torch=pinned("torch"))


def compose(page: Page, edition: Edition) -> dict[str, str]:
    """The files of a page by their path below the folder of its language. Writes nothing."""
    words = edition.words["downloads"]
    said = {"url": pages.url(page.uri, edition.url), "printed": printed(edition.words)}
    book = notebooks.compose(page, edition.words, edition.url, words["heading"].format(**said))
    notebook = f"notebooks/{page.uri.removesuffix('.md')}.ipynb"
    copy = page.uri if edition.is_offline else f"{edition.address(page.uri)}index.md"
    matter = page.meta | {"notebook": notebook, "markdown": PurePosixPath(copy).name}
    matter |= _links(page, notebook, edition)
    if edition.own_search:
        matter["search"] = {"exclude": True}  # the generator needn't make an index
    text = composed_page.markdown(page, edition.words)
    files = {
        f"docs/{page.uri}": f"---\n{as_yaml(matter)}---\n\n{text}",
        f"docs/{notebook}": json.dumps(book, ensure_ascii=False, indent=1) + "\n",
        f"copies/{copy}": notebooks.as_markdown(book, words["copied"].format(**said)),
    }
    for program in page.programs:
        files[f"docs/{composed_page.script(program.name)}"] = program.code
        for module, code in program.modules:
            files[f"docs/programs/{program.beside(module)}"] = code
    return files


def _links(page: Page, notebook: str, edition: Edition) -> dict[str, str]:
    """Links to Colab and to a form for reporting a mistake, if the repository is on GitHub."""
    repository = (edition.config["repo_url"] or "").rstrip("/")
    host, path = urlsplit(repository)[1:3]
    if host != "github.com":
        return {}
    programs = ", ".join(program.name.removesuffix(".md") for program in page.programs)
    address = pages.url(page.uri, edition.url)
    body = _REPORT.format(address=address, programs=programs or "none", torch=pinned("torch"))
    title = f"Mistake on {address.removeprefix(edition.url) or 'the start page'}"
    where = f"{path}/blob/notebooks/{page.lang}/{notebook}"
    return {
        "colab": f"https://colab.research.google.com/github{where}",
        "report": f"{repository}/issues/new?{urlencode({'title': title, 'body': body})}",
    }
