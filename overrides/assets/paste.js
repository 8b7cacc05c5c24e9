// The list of error messages shows only those that what was pasted or typed can be. In a row, "…"
// stands for anything.
{
  const LONGEST_GAP = 40
  const field = document.getElementById("paste")
  const shown = document.querySelector(".paste output")
  const words = text => (text.toLowerCase().match(/[\p{L}\p{N}_…]+/gu) ?? []).map(word => word.includes("…") ? "…" : word)

  // The last word may be cut off, and any number is as good as another.
  const same = (a, b, isLastOfA, isLastOfB) =>
    a === b || isLastOfB && a.startsWith(b) || isLastOfA && b.startsWith(a) || /^\d+$/.test(a) && /^\d+$/.test(b)

  // How many words the message and the text have in common from these places on, when one of the
  // two is used up; or -1.
  const together = (message, text, i, j) => {
    for (let common = 0; ; common++, i++, j++) {
      if (i === message.length || j === text.length) return common
      if (message[i] === "…") {
        if (i + 1 === message.length) return common
        let best = -1
        for (let skip = 0; skip <= LONGEST_GAP && j + skip <= text.length; skip++)
          best = Math.max(best, together(message, text, i + 1, j + skip))
        return best < 0 ? -1 : common + best
      }
      if (!same(message[i], text[j], i === message.length - 1, j === text.length - 1)) return -1
    }
  }

  // Either may begin within the other; a text of three words or more has three in common.
  const matches = (message, text) => {
    const enough = Math.min(3, text.length, message.filter(word => word !== "…").length)
    return message.some((_, i) => together(message, text, i, 0) >= enough)
      || text.some((_, j) => together(message, text, 0, j) >= enough)
  }

  const rows = [...document.querySelectorAll("article li:has(> a[href*='#'])")].map(row => ({
    row,
    messages: row.textContent.split("; ").map(message => words(message).join(" ").replace(/^(… )+/, "").split(" ")),
  }))

  const filter = () => {
    const text = words(field.value).slice(-400)
    let count = 0
    for (const { row, messages } of rows) {
      row.hidden = text.length > 0 && !messages.some(message => matches(message, text))
      count += !row.hidden
    }
    for (const list of document.querySelectorAll("article ul:has(> li > a[href*='#'])")) {
      list.hidden = !list.querySelector("li:not([hidden])")
      list.previousElementSibling.hidden = list.hidden
    }
    for (const heading of document.querySelectorAll("article h2")) {
      let next = heading.nextElementSibling
      while (next?.hidden) next = next.nextElementSibling
      heading.hidden = text.length > 0 && (!next || next.matches("h2"))
    }
    const { found, none } = shown.dataset
    shown.value = !text.length ? "" : count ? found.replace("{count}", count) : none
  }

  field.form.addEventListener("submit", event => event.preventDefault())
  field.addEventListener("input", filter)
  filter()
}
