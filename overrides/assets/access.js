// What a keyboard or a screen reader needs and the theme does not give.
const search = document.querySelector("[data-md-component=search]")
search?.querySelector("input") && search.setAttribute("aria-label", search.querySelector("input").placeholder)

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
