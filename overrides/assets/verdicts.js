// The table of verdicts: a reader chooses cases and a release.
{
  const { torch, recorded } = document.currentScript.dataset
  const words = JSON.parse(document.currentScript.dataset.words)
  const make = (tag, properties = {}, ...inside) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...inside)
    return element
  }
  const KINDS = ["then", "what", "how"]
  const plain = text => text.replaceAll("`", "")
  const names = id => Object.fromEntries(id.split("--").map((name, number) => [KINDS[number], name]))
  const headingOf = element => element.tagName === "H2" ? element : headingOf(element.previousElementSibling)

  for (const place of document.querySelectorAll(".choose:empty")) {
    const links = [...document.querySelectorAll(".verdicts a")]
    const ids = links.map(link => link.hash.slice(1))
    const programs = [...document.querySelectorAll("details.case")]
    const tables = [...document.querySelectorAll(".verdicts")]
    // The address has a choice (#what=input&how=saved) or a program, or the last choice stays.
    const asked = location.hash.includes("=") && Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
    let target = programs.find(program => program.id === location.hash.slice(1))
    const chosen = self.CHOSEN = { release: torch, ...(asked || self.CHOSEN) }
    const fits = (id, choice = chosen) => KINDS.every(kind => !choice[kind] || names(id)[kind] === choice[kind])
    if (target && !fits(target.id)) for (const kind of KINDS) delete chosen[kind]
    const isShown = (kind, name) => !name || ids.some(id => fits(id, { ...chosen, [kind]: name }))
    const chips = []
    const none = make("p", { hidden: true, role: "status" }, words.none)

    const show = () => {
      const all = KINDS.every(kind => !chosen[kind])
      for (const chip of chips) {
        const { kind, name } = chip.dataset
        chip.ariaPressed = String((chosen[kind] ?? "") === name)
        chip.classList.toggle("empty", !isShown(kind, name))
      }
      for (const choice of then.options) choice.disabled = !isShown("then", choice.value)
      for (const link of links) link.tabIndex = -link.classList.toggle("beside", !fits(link.hash.slice(1)))
      for (const table of tables) {
        for (const row of table.querySelectorAll("tr:has(a)")) row.hidden = !row.querySelector("a:not(.beside)")
        table.hidden = !table.querySelector("tr:has(a):not([hidden])")
        for (let part = headingOf(table); part !== table; part = part.nextElementSibling) part.hidden = table.hidden
      }
      none.hidden = ids.some(id => fits(id))
      const found = programs.filter(program => fits(program.id))
      for (const program of programs) {
        program.hidden = !all && !found.includes(program)
        program.open = !program.hidden && (program === target || !all && found.length <= 2)
      }
      for (const group of document.querySelectorAll("details.cases")) {
        group.hidden = !group.querySelector("details.case:not([hidden])")
        group.open = !group.hidden && (group.contains(target) || !all && found.length <= 12)
      }
    }

    const choose = (kind, name) => {
      chosen[kind] = name
      target = undefined
      const choices = Object.entries(chosen).filter(([, name]) => name && name !== torch)
      history.replaceState(history.state, "", `#${new URLSearchParams(choices)}`)
      show()
      on(chosen.release)
    }

    const row = (kind, choices) => make("div", { className: "row", role: "group", ariaLabel: words.kinds[kind] },
      make("span", {}, words.kinds[kind]), ...choices)
    const named = (kind, name) => ids.filter(id => names(id)[kind] === name).length
    const mostFirst = kind => Object.keys(words[kind]).filter(name => named(kind, name))
      .sort((one, other) => named(kind, other) - named(kind, one))
    for (const kind of ["what", "how"])
      place.append(row(kind, ["", ...mostFirst(kind)].map(name => {
        const chip = make("button", { type: "button" }, name ? plain(words[kind][name]) : words.all)
        Object.assign(chip.dataset, { kind, name })
        chip.onclick = () => choose(kind, name)
        chips.push(chip)
        return chip
      })))

    const option = (value, text) => make("option", { value }, text)
    const groups = tables.map(table => {
      const group = make("optgroup", { label: headingOf(table).firstChild.textContent })
      const found = new Map([...table.querySelectorAll("tr:has(a)")].map(row =>
        [names(row.querySelector("a").hash.slice(1)).then, row.cells[0].textContent]))
      for (const [name, text] of found) group.append(option(name, text))
      return group
    })
    const then = make("select", { ariaLabel: words.kinds.then, onchange: () => choose("then", then.value) },
      option("", words.all), ...groups)
    then.value = chosen.then ?? ""
    place.append(row("then", [then]))

    // On another release, the cases that differ from their row say so.
    const on = release => {
      for (const link of links) {
        link.querySelector("span")?.remove()
        const elsewhere = Object.fromEntries((link.dataset.elsewhere ?? "").split(" ").map(pair => pair.split(":")))
        const verdict = elsewhere[release]
        if (verdict) link.append(make("span", {}, " ", make("b", { className: verdict }, words.verdict[verdict])))
      }
    }
    const select = make("select", { ariaLabel: words.kinds.release },
      ...recorded.split(" ").map(name => make("option", { value: name, selected: name === chosen.release },
        name.replace(/-(.*)/, " (Python $1)"))))
    select.onchange = () => choose("release", select.value)
    place.append(row("release", [select]), none)
    show()
    on(chosen.release)
    target?.scrollIntoView()
  }
}
