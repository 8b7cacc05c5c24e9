// Choosing a language: stay at this place on the page, and let the root page remember the choice.
// The address is taken at the click, because instant navigation leaves the header as it was.
document.addEventListener("click", event => {
  const link = event.target.closest?.(".md-select__link[hreflang]")
  if (!link) return
  const scope = __md_scope.pathname
  const page = location.pathname.slice(scope.length).replace(/^(zh|en)\//, "")
  link.href = scope + link.hreflang + "/" + page + location.hash
  try { localStorage.setItem(scope + ".language", link.hreflang) } catch {}
}, true)
