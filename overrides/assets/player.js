// Go through a program step by step, by the recording that make record wrote beside it. A page that
// shows one loads this; instant navigation runs it again on the next such page.
{
  const words = document.currentScript.dataset
  const make = (tag, properties = {}, ...inside) => {
    const element = Object.assign(document.createElement(tag), properties)
    element.append(...inside)
    return element
  }

  // Each line in an element of its own. Only marks and gaps hold the end of a line, and beside the
  // mark of the line that has run the others would be taken for more of that kind.
  const split = code => {
    for (const mark of code.querySelectorAll(".hll, .gap")) mark.replaceWith(...mark.childNodes)
    const lines = code.innerHTML.replace(/\n$/, "").split("\n")
    code.innerHTML = lines.map(line => `<span class="line">${line}\n</span>`).join("")
    for (const line of code.children) line.style.setProperty("--indent", `${line.textContent.search(/\S|$/)}ch`)
    return [...code.children]
  }

  const unfold = recording => {
    let state = {}, output = ""
    return recording.map(step => {
      output += step.prints ?? ""
      return state = { ...state, raises: undefined, prints: undefined, ...step, output }
    })
  }

  // A value of a context that says nothing is hidden until it has said something.
  const hideEmpty = states => {
    const shown = new Set()
    for (const state of states)
      state.contexts = Object.fromEntries(Object.entries(state.contexts).map(([name, values]) =>
        [name, Object.fromEntries(Object.entries(values).filter(([row, value]) => {
          const key = `${name}.${row}`
          if (value !== "None" && value !== "()") shown.add(key)
          return shown.has(key)
        }))]))
    return states
  }

  const sign = changed => changed ? [make("span", { className: "sign", role: "img", ariaLabel: words.changed }, "●")] : []

  const rows = (now, before) => Object.entries(now).filter(([name]) => name).map(([name, value]) => {
    const changed = before?.[name] !== value, raises = /^\w+Error: /.test(value)
    return make("div", { className: [changed && "changed", raises && "raised"].filter(Boolean).join(" ") },
      make("dt", {}, ...sign(changed), make("code", {}, name)),
      make("dd", {}, ...(raises && name !== "raise" ? [`${words.reading} `] : []), make("code", {}, value)))
  })

  const part = (title, inside, kind = "") => make("section", { className: kind }, make("p", { className: "name" }, ...title), inside)

  // The nodes in rows, those farthest from the leaves on top.
  const drawing = graph => {
    const shape = (tag, attributes, text = "") => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag)
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
      element.append(text)
      return element
    }
    const boxes = graph.map(({ label, context, layer, variables }) => {
      const below = [context, ...variables].filter(Boolean).join(" · ")
      return { label, below, layer, context, width: 7.25 * Math.max(label.length, below.length) + 10, height: below ? 40 : 24 }
    })
    const top = Math.max(...boxes.map(box => box.layer))
    let y = 1, widest = 0
    for (let layer = top; layer >= 0; layer--) {
      const row = boxes.filter(box => box.layer === layer)
      let x = 0
      for (const box of row) [box.x, box.y, x] = [x, y, x + box.width + 8]
      for (const box of row) box.row = x - 8
      widest = Math.max(widest, x - 8)
      y += Math.max(...row.map(box => box.height)) + 26
    }
    for (const box of boxes) box.x += (widest - box.row) / 2 + 1
    const svg = shape("svg", { class: "diagram", width: widest + 2, height: y - 25, role: "img" })
    const name = node => node.context || node.label
    svg.ariaLabel = `${words.graph}: ` + graph.flatMap(node =>
      node.edges.map(to => `${name(node)} → ${name(graph[to])}`)).join(", ")
    graph.forEach(({ edges }, from) => edges.forEach((to, nth) => {
      const [start, end] = [boxes[from], boxes[to]]
      const x1 = start.x + start.width * (nth + 1) / (edges.length + 1), y1 = start.y + start.height
      const x2 = end.x + end.width / 2, y2 = end.y
      svg.append(shape("path", { class: "edge", d: `M${x1} ${y1}C${x1} ${y1 + 14} ${x2} ${y2 - 14} ${x2} ${y2 - 5}` }),
        shape("path", { class: "tip", d: `M${x2} ${y2}l-4 -7h8z` }))
    }))
    for (const box of boxes) {
      const group = shape("g", { class: box.context ? "box strong" : "box" })
      group.append(shape("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 4 }))
      svg.append(group, shape("text", { x: box.x + box.width / 2, y: box.y + 16, "text-anchor": "middle" }, box.label),
        shape("text", { class: "strong", x: box.x + box.width / 2, y: box.y + 33, "text-anchor": "middle" }, box.below))
    }
    return svg
  }

  const panes = (state, before) => {
    const found = []
    const contexts = Object.entries(state.contexts).map(([name, values]) =>
      part([make("code", {}, name), ` ${words.from} `, make("code", { className: "call" }, values[""])],
        make("dl", {}, ...rows(values, before?.contexts[name])), "context"))
    if (contexts.length) found.push(make("div", { className: "contexts" }, ...contexts))
    const here = Object.keys(state.variables).at(-1)
    for (const [frame, variables] of Object.entries(state.variables)) {
      const list = make("dl", {}, ...rows(variables, before?.variables[frame]))
      if (frame === here && state.raises) list.append(...rows({ raise: state.raises }))
      if (list.children.length) found.push(part([frame ? make("code", {}, frame) : words.variables], list))
    }
    found.push(make("dl", {}, ...rows({ "torch.is_grad_enabled()": state.grad_mode ? "True" : "False" },
      before && { "torch.is_grad_enabled()": before.grad_mode ? "True" : "False" })))
    if (state.graph.length) {
      const nodes = graph => JSON.stringify(graph?.map(({ label, context, edges }) => [label, context, edges]))
      found.push(part([...sign(nodes(before?.graph) !== nodes(state.graph)), words.graph], drawing(state.graph)))
    }
    if (state.output) found.push(part([words.output], make("pre", {},
      state.output.slice(0, state.output.length - (state.prints ?? "").length), make("b", {}, state.prints ?? ""))))
    return found
  }

  const players = [...document.querySelectorAll(".player:not(.ready)")].map(player => {
    const steps = player.querySelector(".steps")
    const code = player.querySelector(".language-python code")
    const states = hideEmpty(unfold(JSON.parse(steps.querySelector("template").content.textContent)))
    const source = code.textContent.split("\n")
    const lines = split(code)
    const remarks = [...player.querySelectorAll(":scope > dl > dt")].map(dt => ({
      begins: dt.querySelector("code").textContent, only: parseInt(dt.textContent.match(/ \((\d+)\)$/)?.[1]), text: dt.nextElementSibling,
    }))
    const ran = states.map(({ line }) => source[line - 1].trim())
    const remarked = ran.map((text, number) => remarks.find(({ begins, only }) => text.startsWith(begins) &&
      (!only || only === ran.slice(0, number + 1).filter(one => one.startsWith(begins)).length))?.text)
    let at = 0

    const button = (sign, name, to) => make("button", { type: "button", title: words[name], ariaLabel: words[name], onclick: () => show(to()) }, sign)
    const [first, back, on, last] = [
      button("«", "first", () => 0), button("‹", "back", () => at - 1), button(`${words.next} ›`, "on", () => at + 1), button("»", "last", () => states.length - 1),
    ]
    on.className = "next"
    const slider = make("input", { type: "range", min: 1, max: states.length, ariaLabel: words.step, oninput: () => show(slider.value - 1) })
    const address = make("a", { className: "address", title: words.address })
    const said = make("p")
    const remark = make("div", { className: "remark" })
    const state = make("div", { className: "state" })
    const panel = make("div", { className: "panel", role: "group", ariaLabel: words.player },
      make("div", { className: "controls" }, first, back, on, last, slider, address),
      make("div", { className: "said", role: "status" }, said, remark), state,
      make("p", { className: "legend" }, `▸ ${words.ran} · ▹ ${words.waits} · `, make("b", {}, "●"), ` ${words.changed}`,
        make("span", { className: "keys" }, ` · ${words.keys}`)))

    const fill = number => {
      state.replaceChildren(...panes(states[number], states[number - 1]))
      remark.replaceChildren(...(remarked[number]?.cloneNode(true).childNodes ?? []))
      remark.hidden = !remarked[number]
    }
    const show = (number, pressed = true) => {
      at = Math.min(Math.max(number, 0), states.length - 1)
      const { line, waiting } = states[at]
      lines.forEach((one, index) => {
        one.classList.toggle("now", index + 1 === line)
        one.classList.toggle("waiting", waiting.includes(index + 1))
        index + 1 === line ? one.setAttribute("aria-current", "step") : one.removeAttribute("aria-current")
      })
      slider.value = at + 1
      const text = `${at + 1} / ${states.length}`
      slider.setAttribute("aria-valuetext", `${text}: ${ran[at]}`)
      said.replaceChildren(`${text} · ${ran[at].startsWith("def ") ? words.called : words.ran} `, make("code", {}, ran[at]))
      address.href = `#${steps.id}-${at + 1}`
      address.textContent = `#${at + 1}`
      // Not disabled, or a button would lose the focus by the press that leads to the end.
      first.ariaDisabled = back.ariaDisabled = at === 0
      on.ariaDisabled = last.ariaDisabled = at === states.length - 1
      fill(at)
      panel.scrollTop = 0
      const current = lines[line - 1]
      if (pressed) panel.classList.add("pressed") // from now on, the line itself is in sight
      if (pressed) code.scrollTop = current.offsetTop - (code.clientHeight - current.offsetHeight) / 2
    }
    steps.append(panel)
    code.closest(".highlight").after(steps)
    player.classList.add("ready")
    panel.addEventListener("keydown", event => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: states.length - 1 }[event.key]
      if (to === undefined || event.target === slider || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      show(to)
    })
    // Which line it begins with is the page's to say: data-start quotes how that line begins.
    show(Math.max(0, ran.findIndex(text => player.dataset.start && text.startsWith(player.dataset.start))), false)
    // A part of it takes the focus, for the theme takes it away from the code itself.
    if (code.scrollHeight > code.clientHeight) code.append(make("span", { tabIndex: 0 }, ...lines))
    return { steps, player, show }
  })

  // The address of one step leads to it.
  if (players.length) window.onhashchange = () => {
    for (const { steps, player, show } of players) {
      const [, number] = location.hash.match(`^#${steps.id}-(\\d+)$`) ?? []
      if (!number) continue
      show(number - 1)
      player.scrollIntoView({ block: "nearest" })
    }
  }
  window.onhashchange?.()
}
