// From a page that is gone to where its section went, or the page itself.
const section = document.getElementById(location.hash.slice(1))
location.replace((section ?? document).querySelector("a").href)
