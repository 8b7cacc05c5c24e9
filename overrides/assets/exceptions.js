// A search result that leads to folded exceptions opens them. The address of a result has its
// section after # and the words of the query in ?h=. A block opens if it has one of those words and
// the rest of its section has not.
document$.subscribe(() => {
  const words = (new URLSearchParams(location.search).get("h") ?? "").toLowerCase().match(/[^\s*+"^~:-]+/g) ?? []
  for (const block of document.querySelectorAll("details.exceptions")) {
    let above = ""
    let element = block.previousElementSibling
    for (; element && !/^H[1-6]$/.test(element.tagName); element = element.previousElementSibling)
      above += element.textContent.toLowerCase()
    const section = element?.id
    if (location.hash && section !== decodeURIComponent(location.hash.slice(1))) continue
    above += element?.textContent.toLowerCase() ?? ""
    const inside = block.textContent.toLowerCase()
    if (words.some(word => inside.includes(word) && !above.includes(word))) block.open = true
  }
})
