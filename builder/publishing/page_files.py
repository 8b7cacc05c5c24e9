"""What is composed of a page: the page itself, its notebook, its copy in Markdown, its scripts."""

import json
from pathlib import PurePosixPath
from urllib.parse import urlencode, urlsplit

from builder.content import pages
from builder.content.pages import Page
from builder.content.paths import pinned
from builder.publishing import composed_page, notebooks
from builder.publishing.configuration import Settings, as_yaml

_REPORT = """Page: {address}
Program (delete all but the one you mean): {programs}
torch: {torch} (what does yours say? print(torch.__version__))

What the page says:

What your machine prints:
"""


def printed(words: dict) -> str:
    """The sentence about where outputs come from. words: `extra` of mkdocs.<lang>.yml."""
    return words["downloads"]["printed"].format(torch=pinned("torch"))


def compose(page: Page, words: dict, settings: Settings) -> dict[str, str]:
    """The files of a page by their path below the folder of its language. Writes nothing."""
    site_url = settings.site_url(page.lang)
    url = pages.url(page.uri, site_url)
    heading, copied = (
        words["downloads"][name].format(url=url, printed=printed(words))
        for name in ("heading", "copied")
    )
    book = notebooks.compose(page, words, site_url, heading)
    notebook = f"notebooks/{PurePosixPath(page.uri).with_suffix('.ipynb')}"
    copy = PurePosixPath(page.uri if settings.offline else f"{pages.url(page.uri, '')}index.md")
    matter = page.meta | {"notebook": notebook, "markdown": copy.name}
    matter |= _links(page, notebook, settings)
    if settings.own_search:
        matter["search"] = {"exclude": True}  # the generator needn't make an index
    text = f"---\n{as_yaml(matter)}---\n\n{composed_page.markdown(page, words)}"
    scripts = {
        f"docs/{composed_page.script(program.name)}": program.code for program in page.programs
    } | {
        f"docs/programs/{program.beside(module)}": code
        for program in page.programs
        for module, code in program.modules
    }
    return {
        f"docs/{page.uri}": text,
        f"docs/{notebook}": json.dumps(book, ensure_ascii=False, indent=1) + "\n",
        f"copies/{copy}": notebooks.as_markdown(book, copied),
        **scripts,
    }


def _links(page: Page, notebook: str, settings: Settings) -> dict[str, str]:
    """Links to Colab and to a form for reporting a mistake, if the repository is on GitHub."""
    repository = urlsplit(settings.repo_url)
    if repository.netloc != "github.com":
        return {}
    path = f"{repository.path.strip('/')}/blob/notebooks/{page.lang}/{notebook}"
    programs = ", ".join(program.name.removesuffix(".md") for program in page.programs)
    url = pages.url(page.uri, "")
    address = f"{settings.site_url(page.lang)}{url}"
    body = _REPORT.format(address=address, programs=programs or "none", torch=pinned("torch"))
    report = {"title": f"Mistake on {url or 'the start page'}", "body": body}
    return {
        "colab": f"https://colab.research.google.com/github/{path}",
        "report": f"{settings.repo_url.rstrip('/')}/issues/new?{urlencode(report)}",
    }
