// Lighthouse, as on a phone, over a page of every kind of the built site, in both languages.
// Arguments: the site's folder and, to choose pages, how their addresses begin. SITE_URL is where
// the site stands; it is served there, compressed, on loopback. "machine" is how fast Lighthouse
// finds this one: what blocks a phone is reckoned from what blocks here, so performance says little
// below 1000 or with something else running. A page that is too slow is measured three times, and
// the median counts. Ends with 1 where a page falls short of WANTED.
import { createServer } from "node:http"
import { readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { launch } from "chrome-launcher"
import lighthouse from "lighthouse"

const WANTED = { performance: 0.95, accessibility: 1, "best-practices": 1, seo: 1 }
const PAGES = [
  "", "learn/first-function/", "learn/ctx-vs-self/", "learn/static-methods/", "learn/saving-tensors/",
  "cookbook/", "cookbook/linear/", "troubleshooting/errors/", "troubleshooting/errors/compile/",
  "troubleshooting/silent-mistakes/wrong-value/", "reference/function-base/saved/", "reference/releases/",
  "labs/", "labs/memory-lifetime/", "labs/gradient-check/", "glossary/", "about/",
]
const TYPES = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".xml": "application/xml",
}

const [folder, only = ""] = process.argv.slice(2)
const address = new URL(process.env.SITE_URL)

const server = createServer(async (request, response) => {
  let path = decodeURIComponent(new URL(request.url, address).pathname).slice(address.pathname.length)
  if (path === "" || path.endsWith("/")) path += "index.html"
  try {
    const body = gzipSync(await readFile(join(folder, path)))
    const type = TYPES[extname(path)] ?? "application/octet-stream"
    response.writeHead(200, { "content-type": type, "content-encoding": "gzip", "cache-control": "max-age=600" })
    response.end(body)
  } catch {
    response.writeHead(404).end()
  }
})
server.on("error", error => {
  console.error(`${address.host}: ${error.message}; end what is there, or name another SITE_URL`)
  process.exit(1)
})
await new Promise(done => server.listen(Number(address.port), address.hostname, done))

const chrome = await launch({ chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu"], logLevel: "silent" })
const speed = lhr => lhr.categories.performance.score
const measured = async page => (await lighthouse(address + page, {
  port: chrome.port, logLevel: "silent", onlyCategories: Object.keys(WANTED),
})).lhr

let short = 0
try {
  await measured("en/about/") // the first page of a browser waits for the browser
  console.log(["page".padEnd(40), ...Object.keys(WANTED), "kB", "machine"].join("  "))
  for (const page of PAGES.flatMap(path => [`zh/${path}`, `en/${path}`]).filter(path => path.startsWith(only))) {
    const runs = [await measured(page)]
    if (speed(runs[0]) < WANTED.performance) runs.push(await measured(page), await measured(page))
    const lhr = runs.sort((one, other) => speed(one) - speed(other))[runs.length >> 1]
    const scores = Object.keys(WANTED).map(name => lhr.categories[name].score)
    const size = Math.round(lhr.audits["total-byte-weight"].numericValue / 1000)
    const cells = scores.map((score, n) => String(Math.round(score * 100)).padEnd(Object.keys(WANTED)[n].length))
    console.log([page.padEnd(40), ...cells, size, Math.round(lhr.environment.benchmarkIndex)].join("  "))
    for (const [n, name] of Object.keys(WANTED).entries()) {
      if (scores[n] >= WANTED[name]) continue
      short++
      for (const { id, weight } of lhr.categories[name].auditRefs) {
        const { score, title, displayValue } = lhr.audits[id]
        if (weight && score !== null && score < 0.9) console.log(`    ${name}: ${title} ${displayValue ?? ""}`)
      }
    }
  }
} finally {
  chrome.kill()
  server.close()
}
process.exit(short ? 1 : 0)
