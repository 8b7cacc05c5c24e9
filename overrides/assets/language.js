// Choosing a language: stay at this place on the page, and let the root page remember the choice.
// The address is taken at the click, because instant navigation leaves the header as it was.
{
  // What the address names, if it is still in view or no element; or else the section in view.
  const place = () => {
    const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
    const rectangle = named && named.getBoundingClientRect()
    if (location.hash && (!named || rectangle.bottom > 0 && rectangle.top < innerHeight)) return location.hash
    const headings = [...document.querySelectorAll("article :is(h2, h3)[id]")]
    const heading = headings.findLast(one => one.getBoundingClientRect().top < innerHeight / 3)
    return heading ? `#${heading.id}` : ""
  }

  document.addEventListener("click", event => {
    const link = event.target.closest?.(".md-header__language")
    if (!link) return
    const scope = __md_scope.pathname
    const page = location.pathname.slice(scope.length).replace(/^(zh|en)\//, "")
    link.href = scope + link.hreflang + "/" + page + place()
    try { localStorage.setItem(scope + ".language", link.hreflang) } catch {}
  }, true)
}
