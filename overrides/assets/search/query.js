// Answers queries with MiniSearch, from the index that builder/publishing/search_index.py writes. worker.js loads it.

const YES_OR_NO = /要不要|是不是|能不能|会不会|有没有/g
const CHINESE = /\p{sc=Han}/u

// Set so that tests/searches.csv holds.
const RANKING = {
  prefix: true,
  weights: { prefix: 0.15, fuzzy: 0.45 },
  boost: { title: 4.6 },
  bm25: { k: 2, b: 0, d: 0 },
}
// A page counts more than a section. If the query is a single word, it counts even more, and so does a
// heading that is just this word. A section whose heading begins like the query comes first.
const PAGE = 2
const ONE_WORD = { page: 1.6, heading: 1.5 }
const BEGINNING = 10_000
// A name in the heading counts more than other words. One with a slip, such as sava_for_backward, is found too.
const NAME = { heading: 1.25, slips: 0.15 }

function makeSearch({ little, variants, words, entries }, separator) {
  const saysLittle = new RegExp(little)
  const isPage = entry => !entry.location.includes("#")

  // Parts of an HTML text: words at even places, tags and separators at odd ones.
  const cut = new RegExp(`(<[^>]*>|${separator})`)
  const wordsIn = text => text.split(cut).filter((word, at) => at % 2 === 0 && word)

  // The words of a heading or query with no regard for punctuation.
  const plainWords = text => text.replace(/<.*?>|&\w+;/g, " ").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const headings = entries.map(entry => plainWords(entry.title))

  // A name is found by its parts, too: `_get_symints` by `symints`.
  const forms = word => [word, ...word.includes("_") ? word.split("_").filter(part => part.length > 1) : []]

  // What an entry says beyond the text that it shows: of each word a list of characters, one for
  // each place, whose code less 33 is how many entries to go on.
  const further = entries.map(() => [])
  for (const [word, steps] of Object.entries(words)) {
    let at = 0
    for (const step of steps) further[at += step.codePointAt() - 33].push(word)
  }

  const known = new Set()
  const index = new MiniSearch({
    fields: ["title", "text"],
    tokenize: wordsIn,
    processTerm: (word, field) => {
      const found = field === "title" ? [word.toLowerCase()] : forms(word.toLowerCase())
      for (const form of found) known.add(form)
      return found
    },
    searchOptions: {
      ...RANKING,
      tokenize: query => query.split(" "),
      processTerm: word => word,
      fuzzy: word => word.includes("_") && !known.has(word) && NAME.slips,
      boostDocument: id => (entries[id].boost ?? 1) * (isPage(entries[id]) ? PAGE : 1),
    },
  })
  index.addAll(entries.map(({ title, text }, id) => ({ id, title, text: `${text} ${further[id].join(" ")}` })))

  // Chinese is written without spaces: cut it into the longest words that the pages have.
  const chineseWords = text => {
    const found = []
    for (let start = 0, end; start < text.length; start = end) {
      for (end = text.length; end > start + 1 && !known.has(text.slice(start, end)); end--);
      found.push(text.slice(start, end))
    }
    return found
  }

  // The words to look for, and the names among them that the reader typed with spaces.
  function read(query) {
    for (const [variant, term] of Object.entries(variants)) query = query.replaceAll(variant, term)
    const typed = wordsIn(query.toLowerCase()
      .replace(/=(?:true|false)\b|[<>]/g, " ") // nearly every program prints True or False
      .replace(YES_OR_NO, " ")
      .replace(/(?<=\p{sc=Han})(?=\w)|(?<=\w)(?=\p{sc=Han})/gu, " "))
    const all = typed.flatMap(word => CHINESE.test(word) ? chineseWords(word) : word)
    const telling = all.filter(word => !saysLittle.test(word))
    const names = []
    for (let start = 0; start < typed.length; start++)
      for (let end = start + 3; end <= typed.length; end++) names.push(typed.slice(start, end).join("_"))
    return { asked: [...new Set(telling.length ? telling : all)], names: names.filter(name => known.has(name)) }
  }

  const marked = (html, terms) => html.split(cut).map((part, at) =>
    at % 2 === 0 && forms(part.toLowerCase()).some(form => terms.has(form)) ? `<mark>${part}</mark>` : part).join("")

  // Of a text, the first two paragraphs with a match; all of it if only the heading matches.
  function excerpt(text, terms) {
    const paragraphs = marked(text, terms).match(/<p>.*?<\/p>/gs) ?? []
    const found = paragraphs.filter(paragraph => paragraph.includes("<mark>")).slice(0, 2)
    return found.join("") || text
  }

  return query => {
    const { asked, names } = read(query)
    const typed = plainWords(query)

    function score({ id, score }) {
      let same = 0
      while (same < typed.length && typed[same] === headings[id][same]) same++
      const isHeading = same === typed.length && same === headings[id].length
      if (asked.some(word => word.includes("_") && entries[id].title.toLowerCase().includes(word))) score *= NAME.heading
      if (asked.length === 1) score *= isHeading ? ONE_WORD.heading : isPage(entries[id]) ? ONE_WORD.page : 1
      const isBeginning = typed.length > 1 && /\s/.test(query.trim()) && (isHeading || same > 3)
      return isBeginning ? score + BEGINNING * (same + isHeading) : score
    }
    const results = index.search([...asked, ...names].join(" "))
      .map(result => ({ ...result, score: score(result) }))
      .sort((a, b) => b.score - a.score)

    const pages = new Map()
    for (const { id, score, terms, queryTerms } of results) {
      const { location, title, text } = entries[id]
      const matches = new Set(terms)
      const page = location.split("#")[0]
      if (!pages.has(page)) pages.set(page, [])
      pages.get(page).push({
        location,
        title: marked(title, matches),
        text: excerpt(text, matches),
        score,
        // The theme puts what is true into the address and shows the others as missing.
        terms: Object.fromEntries([...asked.map(word => [word, queryTerms.includes(word)]),
          ...names.filter(name => queryTerms.includes(name)).map(name => [name, true])]),
      })
    }
    // The theme's script wants the page itself beside its sections.
    for (const [page, items] of pages)
      if (!items.some(isPage)) items.push({ ...entries.find(entry => entry.location === page), score: 0, terms: {} })

    // What the last word may become: a word of a heading that was found.
    const suggestion = results.flatMap(({ match }) => Object.keys(match).filter(term => match[term].includes("title")))
      .find(term => term.startsWith(asked.at(-1)))
    return { items: [...pages.values()], suggest: suggestion ? [suggestion] : [] }
  }
}
