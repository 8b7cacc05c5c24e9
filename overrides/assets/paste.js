// A field for an error message: it answers with the section that has it, its cause and the lines to
// change. errors.js has the data; it is loaded when the field is first used. In a message, "…"
// stands for anything.
{
  const LONGEST_GAP = 40
  const MOST_SHOWN = 4
  const SURE = 6
  const words = document.currentScript.dataset

  const split = text => (text.toLowerCase().match(/[\p{L}\p{N}_…]+/gu) ?? []).map(word => word.replace(/(?<=argument)s$/, ""))

  // The last word may be cut off, any number is as good as another, and "…" may be a part of a word.
  const same = (a, b, isLastOfA, isLastOfB) => {
    const [begins, ends] = a.split("…")
    return a === b || isLastOfB && a.startsWith(b) || isLastOfA && b.startsWith(a) || /^\d+$/.test(a) && /^\d+$/.test(b)
      || ends !== undefined && b.length > begins.length + ends.length && b.startsWith(begins) && b.endsWith(ends)
  }

  // How many words the message and the text have in common from these places on, until one of the
  // two is used up, or if they are enough to be sure; or -1.
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
      if (!same(message[i], text[j], i === message.length - 1, j === text.length - 1)) return common < SURE ? -1 : common
    }
  }

  // Either may begin within the other. Three words in common are enough, or all of a shorter one. A
  // program may print a label before the message.
  const common = (message, text) => {
    const enough = Math.min(3, text.length, message.filter(word => word !== "…").length)
    const from = (i, j) => message[i] === "…" ? -1 : together(message, text, i, j)
    const best = Math.max(-1, ...message.map((_, i) => from(i, 0)), ...text.map((_, j) => from(0, j)))
    if (best >= enough) return best
    const labelled = message.slice(1, 5).flatMap((_, i) => text.map((_, j) => from(i + 1, j)))
    return Math.max(...labelled) >= SURE ? SURE : 0
  }

  const make = (tag, properties, ...inside) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...inside)
    return element
  }
  const base = new URL(words.messages, document.baseURI)
  const link = (error, text) => make("a", { href: new URL(error.url, base).href }, text)
  const html = text => document.createRange().createContextualFragment(text)
  const lines = (tag, sign, texts) => texts.map(text => make(tag, {}, `${sign} ${text}\n`))

  const card = error => make("div", { className: "answer-card" },
    make("p", {}, make("code", { className: "message" }, error.message)),
    make("p", {}, html(error.cause)),
    ...(error.before.length + error.after.length
      ? [make("pre", { className: "diff" }, ...lines("del", "-", error.before), ...lines("ins", "+", error.after))] : []),
    make("p", {}, link(error, words.more)))

  const searching = text => {
    const query = text.trim().split("\n").at(-1).replace(/^\w*(Error|Exception|Warning): /, "").slice(0, 100)
    const button = make("a", { href: `?q=${encodeURIComponent(query)}` }, words.search)
    button.addEventListener("click", event => {
      event.preventDefault()
      document.getElementById("__search").checked = true
      const field = document.querySelector("[data-md-component=search-query]")
      field.value = query
      field.focus()
      field.dispatchEvent(new Event("keyup", { bubbles: true }))
    })
    return make("p", {}, `${words.none} `, button)
  }

  const load = () => self.ERRORS ? Promise.resolve() : new Promise((loaded, failed) =>
    document.head.append(make("script", { src: base.href, onload: loaded, onerror: failed })))

  for (const place of document.querySelectorAll(".paste:empty")) {
    const shown = make("output", { htmlFor: "paste" })
    const field = make("textarea", { id: "paste", rows: 3, spellcheck: false, autocomplete: "off", placeholder: words.example })
    // The section whose heading is the message comes before those that only mention it, and of two
    // that have as much in common with the text, the one with fewer "…".
    const scores = (messages, text, bonus) => [0, ...messages.map(message => {
      const score = common(split(message).filter((word, i) => i || word !== "…"), text)
      return score > 0 ? score + bonus - message.split("…").length / 100 : 0
    })]
    const answer = async () => {
      await load()
      const text = split(field.value).slice(-400)
      const found = text.some(word => /\p{L}/u.test(word)) ? self.ERRORS.errors
        .map(error => ({ error, score: Math.max(...scores(error.message.split("; "), text, 4), ...scores(error.also, text, 0)) }))
        .filter(({ score }) => score > 0).sort((a, b) => b.score - a.score).map(({ error }) => error) : []
      const others = found.slice(1, MOST_SHOWN)
      shown.replaceChildren(
        ...(found.length ? [card(found[0])] : text.length ? [searching(field.value)] : []),
        ...(others.length ? [make("p", { className: "also" }, words.nearest),
          make("ul", {}, ...others.map(error => make("li", {}, link(error, make("code", {}, error.message)))))] : []))
      shown.scrollIntoView({ block: "nearest" })
    }
    field.addEventListener("focus", load, { once: true })
    field.addEventListener("input", answer)
    place.append(make("label", { htmlFor: "paste" }, words.label), field, shown)
  }
}
