"""A link between pages leads to a page, and to an anchor that is on it."""

from problems import report


def test_every_link_between_pages_leads_to_a_page_and_an_anchor(readable):
    report(problem for page in readable for problem in page.link_problems)
