// Fold lines of a program that an earlier program on the page already has. The build says which, in
// data-fold; one press opens them, and so does what the browser finds in them.
{
  const words = document.documentElement.lang === "zh" ? ["⋯ 与前面相同的 ", " 行"] : ["⋯ ", " lines as before"]

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
  // Instant navigation replaces the page without loading this script again.
  if (window.document$) document$.subscribe(fold)
  else fold()
}
