"""The built site as a reader meets it in a browser: languages, widths, folded blocks."""

import pytest
from browsing import choose_dark, choose_language, scheme
from playwright.sync_api import expect
from problems import report
from sites import DESK, PHONE

from builder.content import pages
from builder.content.paths import LANGUAGES

INNER = "learn/ctx-vs-self/"
LOOKS = {
    "in a picture, smaller than 11 px": "looks.smallLetters",
    "broken in a table": "looks.brokenNames",
    "the first column is too wide": "looks.wideFirstColumns",
    "shortened in the contents": "looks.shortened",
    "wider than its column": "looks.cut",
}

TABLE = "learn/saving-tensors/table/"
BACKWARD = "troubleshooting/errors/backward/"
PROGRAMS = "details.programs .language-python"

# A page, what is not seen there without a script, what is pressed, and what is seen then.
WITHOUT_A_SCRIPT = [
    (f"en/{INNER}", "details.exceptions li", "details.exceptions summary", "details.exceptions li"),
    (f"zh/{INNER}", ".panel", "", ".steps tr:nth-child(16)"),
    (
        "en/learn/questions/",
        "details.answer > :not(summary), article :is(.output, .error)",
        "details.answer:has(.output) > summary",
        ".output",
    ),
    (f"zh/{TABLE}", ".choose button", "", ".verdicts a"),
    (f"en/{TABLE}", "details.case", "details.cases > summary", "details.case > summary"),
    ("zh/troubleshooting/errors/", ".paste", "", "li > .message"),
    (f"en/{BACKWARD}", PROGRAMS, "details.programs > summary", PROGRAMS),
    (
        "zh/troubleshooting/silent-mistakes/second-derivative/",
        ".unfold, .folded",
        "",
        ".language-python",
    ),
]

# A page, what is not on paper, and what is, all of it.
ON_PAPER = [
    (f"en/{INNER}", ".panel", ".steps tr, .player > dl"),
    ("zh/learn/questions/", ".md-tabs", "article details.answer > :not(summary)"),
    (f"en/{BACKWARD}", ".md-tabs", PROGRAMS),
]

# A page, an id on it, and the folded block that it opens.
ADDRESSES = [
    (f"en/{BACKWARD}", "no-backward", "#no-backward ~ details.programs"),
    (f"en/{TABLE}", "vmap--input--saved", "[id='vmap--input--saved']"),
]


@pytest.mark.parametrize(("locale", "lang"), [("zh-TW", "zh"), ("fr-FR", "en")])
def test_the_root_goes_to_the_language_the_browser_prefers(visit, under_a_path, locale, lang):
    visit("", under_a_path, locale=locale).wait_for_url(f"{under_a_path.url}{lang}/")


@pytest.mark.parametrize("name", ["public", "under_a_path"])
def test_switching_language_keeps_page_section_and_dark_mode_and_the_root_follows(
    visit, request, name
):
    site = request.getfixturevalue(name)
    page = visit("zh/", site, color_scheme="light")
    choose_dark(page)
    # Instant navigation leaves the header as it was, with the links of the first page.
    page.locator(f".md-content a[href$='{INNER}']").first.click()
    page.wait_for_url(f"{site.url}zh/{INNER}")
    page.locator(".md-sidebar--secondary a[href$='#lifetime']").click()
    page.wait_for_url(f"{site.url}zh/{INNER}#lifetime")
    for lang, section in (("en", "lifetime"), ("zh", "class")):
        # The section in view counts, not the one that the address has named.
        page.evaluate("id => document.getElementById(id).scrollIntoView()", section)
        choose_language(page, lang)
        page.wait_for_url(f"{site.url}{lang}/{INNER}#{section}")
        assert page.locator("html").get_attribute("lang") == lang
        assert scheme(page) == "slate"
    page.goto(site.url)
    page.wait_for_url(f"{site.url}zh/")


@pytest.mark.parametrize(("lang", "size"), [("zh", PHONE), ("en", PHONE), ("en", DESK)])
def test_on_no_page_is_anything_cut_and_letters_in_pictures_are_read(visit, public, lang, size):
    """By links, as a reader goes from page to page: that is a tenth of loading each. Programs and
    outputs are looked at in one language, for they are the same in both."""
    page = visit(f"{lang}/", size=size)
    problems = []
    for uri in sorted(pages.pages(lang), key=lambda uri: uri != "index.md"):
        address = f"{public.url}{lang}/{pages.url(uri, '')}"
        if uri != "index.md":
            page.evaluate("looks.follow", address)
        assert page.url == address
        if page.evaluate("looks.width") > size[0]:
            problems.append(f"{lang}/{uri}: wider than the screen")
        for what, find in LOOKS.items():
            if find != "looks.cut" or size == DESK:
                problems += [f"{lang}/{uri}: {what}: {text}" for text in page.evaluate(find)]
    report(problems)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("path", "size", "selectors"),
    [
        ("", PHONE, [".hero > div:first-child dd", ".hero .md-button"]),
        ("", DESK, [".hero > div:first-child dd", ".hero .md-button", ".stage"]),
        ("learn/rules/", (1280, 800), ["h1", "article > ol:first-of-type > li:nth-child(10)"]),
    ],
)
def test_what_matters_most_fits_the_first_screen(visit, lang, path, size, selectors):
    """The sentences and buttons of the start page, and the title and all of the ten rules."""
    page = visit(f"{lang}/{path}", size=size)
    for selector in selectors:
        box = page.locator(selector).last.bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] <= size[1], selector


def test_where_a_reader_is_stays_in_view(visit):
    page = visit("en/troubleshooting/errors/calling/")
    page.evaluate("scrollTo(0, 5000)")
    expect(page.locator(".md-tabs")).to_be_in_viewport()
    links = page.locator(".md-sidebar--primary a.md-nav__link:visible")
    expect(links.and_(page.locator(".md-nav__link--active")).last).to_be_in_viewport()
    assert links.count() <= 20


@pytest.mark.parametrize("write", ["type", "insert_text"])
def test_on_a_phone_the_search_answers_and_no_suggestion_prints_over_the_query(visit, write):
    """Also to text that no key wrote."""
    page = visit("en/", size=PHONE)
    page.locator("label.md-header__button[for=__search]").click()
    page.locator("[data-md-component=search-query]").focus()
    getattr(page.keyboard, write)("save_for")
    expect(page.locator(".md-search-result__link").first).to_be_visible()
    expect(page.locator(".md-search__suggest")).to_be_hidden()


def test_the_heading_that_a_link_leads_to_and_its_table_are_in_sight_on_a_phone(visit):
    page = visit("zh/learn/transforms/compile-and-autocast/", size=PHONE)
    page.evaluate("location.hash = 'compile'")
    expect(page.locator("#compile")).to_be_in_viewport()
    verdict = "article table tbody tr:first-child td:last-child strong"
    heading, top, box = page.evaluate(
        "parts => parts.map(looks.box)", ["#compile", ".md-top", verdict]
    )
    assert heading["bottom"] < top["top"]
    assert box["right"] <= PHONE[0]
    assert page.locator("#compile ~ details.proof").first.get_attribute("open") is None


def test_a_search_result_in_folded_exceptions_opens_them(visit, public):
    page = visit(f"zh/{INNER}")
    section, word = page.evaluate("looks.foldedWord")
    block = page.locator(f"#{section} ~ details.exceptions").first
    for query, is_open in (("", False), (f"?h={word}", True), ("?h=nosuchword", False)):
        page.goto("about:blank")
        page.goto(f"{public.url}zh/{INNER}{query}#{section}", wait_until="networkidle")
        assert block.evaluate("block => block.open") == is_open, query


@pytest.mark.parametrize(("path", "hidden", "press", "seen"), WITHOUT_A_SCRIPT)
def test_without_a_script_everything_can_be_opened(visit, path, hidden, press, seen):
    page = visit(path, java_script_enabled=False)
    expect(page.locator(hidden).filter(visible=True)).to_have_count(0)
    if press:
        page.locator(press).first.click()
    expect(page.locator(seen).first).to_be_visible()


@pytest.mark.parametrize(("path", "hidden", "seen"), ON_PAPER)
def test_on_paper_everything_is_open(visit, path, hidden, seen):
    page = visit(path)
    expect(page.locator(hidden)).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(hidden)).to_be_hidden()
    heights = page.locator(seen).evaluate_all("looks.heights")
    assert heights and min(heights) > 10


@pytest.mark.parametrize("before", [[], ["", "next"]], ids=["first", "later"])
@pytest.mark.parametrize(("path", "name", "block"), ADDRESSES)
def test_an_address_opens_its_block_and_no_other(visit, path, name, block, before):
    """Also after others on the same page; at the second, the theme loads the page again."""
    first, *others = [*before, name]
    page = visit(f"{path}#{first}")
    for later in others:
        page.evaluate("name => { location.hash = name }", later)
        page.wait_for_load_state("networkidle")
    expect(page.locator(f"{block} .language-python").first).to_be_visible()
    expect(page.locator("details:is(.programs, .case)[open]")).to_have_count(1)
