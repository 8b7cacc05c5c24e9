// The picture of the start page, in steps: after each of its lines, what the recorded run had then.
{
  const words = document.currentScript.dataset
  const stage = document.querySelector(".stage:not(.ready)")
  const steps = JSON.parse(document.querySelector(".steps template").content.textContent)
  const source = document.querySelector(".player .language-python code").textContent.split("\n")

  // The state of the run when a line has run: in it, each value has the name that the picture uses.
  const states = {}
  let contexts = {}, variables = {}
  for (const step of steps) {
    contexts = step.contexts ?? contexts
    variables = step.variables ?? variables
    const values = { ...variables[""] }
    for (const [name, rows] of Object.entries(contexts))
      for (const [row, value] of Object.entries(rows)) values[`${name}.${row}`] = value
    states[source[step.line - 1]] = { contexts, values }
  }
  const short = value => /^\w+Error/.test(value) ? words.freed : value.match(/-?\d+(\.\d*[1-9])?/)[0]

  const lines = [...stage.querySelectorAll("dt")]
  const make = (tag, properties, ...inside) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...inside)
    return element
  }
  const said = make("p", { role: "status" })
  const back = make("button", { type: "button", ariaLabel: words.back, title: words.back, onclick: () => show(at - 1) }, "‹")
  const next = make("button", { type: "button", className: "next", onclick: () => show((at + 1) % lines.length) })
  let at

  const show = number => {
    at = Math.max(0, number)
    const { contexts, values } = states[lines[at].textContent]
    lines.forEach((line, index) => {
      line.classList.toggle("now", index === at)
      index === at ? line.setAttribute("aria-current", "step") : line.removeAttribute("aria-current")
    })
    for (const group of stage.querySelectorAll("[data-context]"))
      group.classList.toggle("unborn", !(group.dataset.context in contexts))
    for (const place of stage.querySelectorAll("[data-shows]")) {
      const value = values[place.dataset.shows]
      place.textContent = value === undefined ? "" : (place.dataset.before ?? "") + short(value)
    }
    said.replaceChildren(...lines[at].nextElementSibling.cloneNode(true).childNodes)
    next.textContent = at === lines.length - 1 ? `${words.again} ↺` : `${words.next} ›`
    back.ariaDisabled = at === 0
  }

  stage.append(make("div", { className: "said" }, back, said, next))
  stage.classList.add("ready")
  show(0)
}
