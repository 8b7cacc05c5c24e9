// Every page: language, keys and screen readers, folds

// A chosen language keeps this place, and the root page remembers it.
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

// What a keyboard or a screen reader needs and the theme does not give.
{
  const search = document.querySelector("[data-md-component=search]")
  const query = search?.querySelector("input")
  if (query) {
    search.ariaLabel = query.placeholder
    // The theme answers to keys only.
    query.oninput = () => query.dispatchEvent(new Event("keyup"))
  }

  // The button that opens the menu on a phone is a label, which no key reaches.
  const menu = document.querySelector(".md-header__button[for=__drawer]")
  if (menu) {
    const name = document.querySelector(".md-nav--primary").getAttribute("aria-label")
    const button = Object.assign(document.createElement("span"), { tabIndex: 0, role: "button", ariaLabel: name })
    button.append(...menu.childNodes)
    button.addEventListener("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return
      event.preventDefault()
      menu.click()
    })
    menu.append(button)
  }

  // A landmark for every program and every part of the menu would be noise.
  document$.subscribe(() => {
    for (const nav of document.querySelectorAll(".md-code__nav")) nav.setAttribute("role", "none")
    for (const nav of document.querySelectorAll(".md-nav .md-nav")) {
      nav.setAttribute("role", "none")
      for (const name of ["aria-label", "aria-labelledby", "aria-expanded"]) nav.removeAttribute(name)
    }
    // A tooltip takes the title away, and with it the name, while the button has the focus.
    for (const button of document.querySelectorAll(".md-code__button[title]")) button.ariaLabel = button.title
    for (const label of document.querySelectorAll("label.md-nav__link[tabindex]:empty, .md-nav__container > label"))
      label.setAttribute("aria-label", label.parentElement.textContent.trim())
  })
}

// What is folded on a page: repeated lines of programs, exceptions, and the programs of an error.
{
  const words = document.documentElement.lang === "zh" ? ["⋯ 与前面相同的 ", " 行"] : ["⋯ ", " lines as before"]

  // Lines of a program that an earlier one on the page has; the build names them in data-fold.
  const fold = () => {
    for (const block of document.querySelectorAll(".highlight[data-fold]")) {
      const code = block.querySelector("pre > code")
      const lines = [[]]
      for (const node of [...code.childNodes]) {
        for (let rest = node; rest;) {
          const end = rest.nodeType === Node.TEXT_NODE ? rest.data.indexOf("\n") + 1 : 0
          const next = end && end < rest.length ? rest.splitText(end) : null
          lines.at(-1).push(rest)
          if (rest.textContent.endsWith("\n")) lines.push([])
          rest = next
        }
      }
      for (const range of block.dataset.fold.split(" ")) {
        const [first, last] = range.split("-").map(Number)
        const nodes = lines.slice(first - 1, last).flat()
        const folded = document.createElement("span")
        folded.className = "folded"
        // A browser that can't search hidden lines hides them altogether.
        folded.hidden = "onbeforematch" in folded ? "until-found" : true
        const button = document.createElement("button")
        button.type = "button"
        button.className = "unfold"
        button.textContent = words.join(last - first + 1)
        const open = () => {
          folded.hidden = false
          button.remove()
        }
        button.onclick = () => {
          open()
          folded.tabIndex = -1
          folded.focus()
        }
        folded.addEventListener("beforematch", open)
        nodes[0].before(button, folded)
        folded.append(...nodes)
        // What is left to see: the button is as high as a line and a half, a gap as half a line.
        const gaps = nodes.filter(node => node.className === "gap").length
        const hidden = last - first - (gaps + 1) / 2
        code.style.setProperty("--lines", code.style.getPropertyValue("--lines") - hidden)
      }
      delete block.dataset.fold
    }
  }
  // A search result opens exceptions that have a word of its query (?h=) which the rest of its
  // section has not.
  const openExceptions = () => {
    const words = (new URLSearchParams(location.search).get("h") ?? "").toLowerCase().match(/[^\s*+"^~:-]+/g) ?? []
    for (const block of document.querySelectorAll("details.exceptions")) {
      let above = ""
      const outer = block.closest("details.programs") ?? block
      let element = outer.previousElementSibling
      for (; element && !/^H[1-6]$/.test(element.tagName); element = element.previousElementSibling)
        above += element.textContent.toLowerCase()
      const section = element?.id
      if (location.hash && section !== decodeURIComponent(location.hash.slice(1))) continue
      above += element?.textContent.toLowerCase() ?? ""
      const inside = block.textContent.toLowerCase()
      if (words.some(word => inside.includes(word) && !above.includes(word))) block.open = true
    }
  }

  // The address of a section opens its programs; that of a folded block, all blocks around it.
  const openPrograms = () => {
    const heading = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
    for (let block = heading && heading.closest("details"); block; block = block.parentElement.closest("details"))
      block.open = true
    for (let element = heading?.nextElementSibling; element && element.tagName !== "H2"; element = element.nextElementSibling)
      if (element.matches("details.programs")) element.open = true
  }

  // Instant navigation replaces the page without loading this script again.
  document$.subscribe(fold)
  document$.subscribe(openPrograms)
  document$.subscribe(openExceptions)
  addEventListener("hashchange", openPrograms)
}
