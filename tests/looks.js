// What tests ask of a page in the browser, where Playwright has no words for it. Every tab has it;
// page.evaluate("looks.cut") calls it.
window.looks = {
  // Goes to an address as instant navigation does, and waits until the page is there.
  async follow(address) {
    const title = document.querySelector("article h1")
    const link = document.body.appendChild(document.createElement("a"))
    link.href = address
    // Until the theme has read the sitemap, it leaves a click to the browser, which would load the page.
    let isTaken = false
    for (let wait = 0; wait < 1000 && !isTaken; wait++) {
      window.addEventListener("click", click => {
        isTaken = click.defaultPrevented
        click.preventDefault()
      }, { once: true })
      link.click()
      if (!isTaken) await new Promise(r => setTimeout(r, 5))
    }
    link.remove()
    if (!isTaken) throw Error(`instant navigation doesn't take a link to ${address}`)
    const isLoading = () => title.isConnected
      || [...document.querySelectorAll("link[rel=stylesheet]")].some(link => !link.sheet)
    for (let wait = 0; wait < 1000 && isLoading(); wait++) await new Promise(r => setTimeout(r, 5))
    await new Promise(r => requestAnimationFrame(() => setTimeout(r)))
  },

  width: () => document.documentElement.scrollWidth,

  // Whether overrides/assets/handbook.js has run.
  ready: () => !document.querySelector(".md-nav .md-nav:not([role=none])"),

  // Letters of pictures that are smaller than 11 px.
  smallLetters: () => [...document.querySelectorAll(".picture svg :is(text, tspan)")].map(letters => {
    const { a, b } = letters.getScreenCTM()
    return [parseFloat(getComputedStyle(letters).fontSize) * Math.hypot(a, b), letters.textContent]
  }).filter(([size]) => size < 11).map(([size, text]) => `${text}, ${size} px`),

  // The longest lines of programs that are wider than their columns. Tabs are opened first: what is
  // hidden has no width.
  cut() {
    for (const block of document.querySelectorAll(".tabbed-block")) block.style.display = "block"
    return [...document.querySelectorAll("pre > code")]
      .filter(code => code.scrollWidth > code.clientWidth)
      .map(code => code.textContent.split("\n").sort((a, b) => b.length - a.length)[0])
  },

  // Names of up to 30 characters in tables that take more than one line.
  brokenNames() {
    const isBroken = code => code.textContent.length <= 30
      && code.getBoundingClientRect().height > 1.8 * parseFloat(getComputedStyle(code).lineHeight)
    return [...document.querySelectorAll("article table:not(.steps *) :is(th, td) code")]
      .filter(code => code.offsetParent && !code.closest("[data-cards] thead") && isBroken(code))
      .map(code => code.textContent)
  },

  // Comparisons whose first column leaves too little room for what is compared.
  wideFirstColumns: () => [...document.querySelectorAll("article table:not([data-cards], .steps *)")]
    .map(table => [table.clientWidth, table.querySelector("th")])
    .filter(([width, first]) => first.offsetWidth > 0.67 * width)
    .map(([, first]) => first.closest("tr").textContent.trim().replace(/\s+/g, " ")),

  box: part => document.querySelector(part).getBoundingClientRect().toJSON(),

  // Names in the contents that end in dots.
  shortened: () => [...document.querySelectorAll(".md-nav--secondary a .md-ellipsis")]
    .filter(name => name.scrollWidth > name.clientWidth)
    .filter(name => getComputedStyle(name).textOverflow === "ellipsis")
    .map(name => name.textContent.trim()),

  // A section with folded exceptions, and a word that only the folded block has.
  foldedWord() {
    let element = document.querySelector("details.exceptions"), above = ""
    const inside = element.textContent.toLowerCase().match(/[a-z]{5,}/g)
    while (!element.matches("h1, h2, h3")) {
      element = element.previousElementSibling
      above += element.textContent.toLowerCase()
    }
    return [element.id, inside.find(word => !above.includes(word))]
  },

  heights: parts => parts.map(part => part.checkVisibility() && part.offsetHeight),

  // What has the focus, whether that is seen, and its name; null for the page itself.
  stop() {
    const stop = document.activeElement
    if (stop === document.body) return null
    const seen = element => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const across = left < right && right > 0 && left < innerWidth
      const down = top < bottom && bottom > 0 && top < innerHeight
      return across && down && getComputedStyle(element).outlineStyle !== "none"
    }
    stop.dataset.reached = ""
    const shown = stop.offsetWidth ? [stop] : [...stop.parentElement.children]
    return {
      html: stop.outerHTML.slice(0, 120),
      seen: shown.some(seen),
      name: stop.ariaLabel || stop.title || stop.innerText?.trim() || stop.labels?.[0]?.innerText,
    }
  },

  // Controls that were never a stop.
  notReached: () => [...document.querySelectorAll(":is(a[href], button, [tabindex='0'])")]
    .filter(element => !element.matches("[tabindex='-1'], [data-reached]"))
    .filter(element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .map(element => element.outerHTML.slice(0, 120)),

  // The text of a program as the theme's button copies it.
  copied(block) {
    const code = block.querySelector("code")
    code.setAttribute("data-md-copying", "")
    const copied = code.innerText
    code.removeAttribute("data-md-copying")
    return copied
  },

  // By program in sight the height that is reserved for it and the one it has.
  reserved() {
    const blocks = [...document.querySelectorAll("code[style*=lines]")].filter(block => block.checkVisibility())
    const heights = () => blocks.map(block => block.getBoundingClientRect().height)
    const reserved = heights()
    for (const block of blocks) block.style.contentVisibility = "visible"
    return heights().map((height, n) => [reserved[n], height])
  },

  // The ids of the sections that the field for messages answers a text with, the nearest first.
  async pasted(field, text) {
    field.focus()
    field.value = text
    field.dispatchEvent(new Event("input"))
    for (let wait = 0; wait < 400 && !self.ERRORS; wait++) await new Promise(r => setTimeout(r, 5))
    await new Promise(r => setTimeout(r))
    const links = document.querySelectorAll(".paste output a[href*='#']")
    return [...links].map(link => link.hash.slice(1))
  },

  // What the search worker answers to queries, asked as the theme's script asks. Of an answer the
  // theme shows each page with its best sections and folds the others away under "more on this
  // page", where a reader looks at a few.
  async answers(queries) {
    const { base, search } = JSON.parse(document.getElementById("__config").textContent)
    const worker = new Worker(new URL(search, location))
    const ask = message => new Promise((then, failed) => {
      worker.onmessage = answer => then(answer.data)
      worker.onerror = failed
      worker.postMessage(message)
    })
    const index = await fetch(new URL(`${base}/search/search_index.json`, location))
    await ask({ type: 0, data: { ...await index.json(), options: {} } })
    const answers = []
    for (const query of queries) {
      const { items } = (await ask({ type: 2, data: query })).data
      answers.push(items.map(sections => sections.map(section => section.location)
        .sort((a, b) => a.includes("#") - b.includes("#"))))
    }
    return answers
  },

  // What a player shows at a step.
  player(player) {
    const text = element => element.innerText.trim()
    const lines = [...player.querySelectorAll(".line")]
    const rows = [...player.querySelectorAll(".state dl > div")]
    const name = row => text(row.querySelector("dt > code"))
    return {
      line: lines.findIndex(line => line.matches(".now[aria-current=step]")) + 1,
      waiting: lines.flatMap((line, index) => line.matches(".waiting") ? [index + 1] : []),
      rows: rows.map(row => [name(row), text(row.querySelector("dd code"))]),
      changed: rows.filter(row => row.querySelector(".sign")).map(name),
      output: player.querySelector(".state pre")?.textContent ?? "",
      nodes: player.querySelectorAll(".state svg rect").length,
    }
  },

  // Plays every player to its end. Returns what is wrong at a step.
  async playThrough() {
    const problems = []
    for (const player of document.querySelectorAll(".player")) {
      const panel = player.querySelector(".panel"), next = player.querySelector(".next")
      const code = player.querySelector(".language-python pre"), height = player.offsetHeight
      const box = element => element.getBoundingClientRect()
      let remarks = 0
      player.querySelector(".controls button").click()
      for (let step = 1; ; step++) {
        remarks += [...player.querySelectorAll(".remark")].filter(it => it.checkVisibility()).length
        const line = box(player.querySelector(".line.now"))
        const bottoms = [...player.querySelectorAll(".said, .contexts")].map(it => box(it).bottom)
        if (step > 1 && (line.top < box(code).top - 1 || line.bottom > box(code).bottom + 1))
          problems.push(`step ${step}: the current line is out of sight`)
        if (Math.max(...bottoms) > box(panel).bottom)
          problems.push(`step ${step}: the contexts don't fit`)
        if (box(panel).bottom - box(code).top > innerHeight - 48)
          problems.push(`step ${step}: too high`)
        if (player.offsetHeight !== height) problems.push(`step ${step}: the height changes`)
        if (next.ariaDisabled === "true") break
        next.click()
        await new Promise(requestAnimationFrame)
      }
      if (!remarks || remarks < player.querySelectorAll(":scope > dl > dt").length)
        problems.push("a remark is not shown")
    }
    return problems
  },
}
