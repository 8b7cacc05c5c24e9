// The worker of the search. The theme's script sends it messages: 0 brings the settings and is
// answered with 1, 2 is a query and is answered with 3 and the results. An empty query comes with
// every page, so the library, the index and query.js are loaded with the first one that isn't empty.
const here = self.document?.currentScript.src ?? location.href // in the archive this runs in a frame
let separator, loading

async function load() {
  const files = ["../minisearch/minisearch.js", "query.js", "../../search/index.js"]
  await importScripts(...files.map(file => new URL(file, here).href))
  return makeSearch(INDEX, separator)
}

addEventListener("message", async ({ data: { type, data } }) => {
  if (type === 0) {
    separator = data.config.separator
    postMessage({ type: 1 })
  } else if (type === 2) {
    if (data.trim()) loading ??= load()
    loading?.catch(() => loading = undefined) // the next letter tries again
    postMessage({ type: 3, data: data.trim() ? (await loading)(data) : { items: [] } })
  }
})
