// For the worker of the search: what a reader types, put as the pages have it, and the index put
// together. search.py writes it there.
// VARIANTS, the variants of Chinese terms that the pages do without, is from docs/tables/terms.csv.

const LITTLE = new RegExp(
  "(?<!\\S)(?:a|an|and|are|at|be|by|can|do|does|for|from|has|have|how|i|in|is|it|its|my|not|of|on|" +
    "or|that|the|this|to|what|when|why|with|you)(?=\\s)",
  "gi",
);
const LITTLE_CHINESE =
  /^(?:[的了吗呢是在和与要会有用能我]+|什么|时候|怎么|怎样|如何|为什么|可以|一个)$/;

function asked(query, index) {
  for (const variant in VARIANTS) query = query.replaceAll(variant, VARIANTS[variant]);
  const begins = /\S\s+\S/.test(query)
    ? beginnings(query).filter(([name]) => index[name])
    : [];
  // The name of a heading may be typed with blanks: save for backward. (Of two words, the parts
  // of the name are found.)
  const words = query.toLowerCase().split(/\s+/);
  for (let i = 0; i < words.length; i++)
    for (let j = i + 3; j <= words.length; j++) {
      const name = words.slice(i, j).join("_");
      if (index[name] && Object.keys(index[name].title).length) query += " " + name;
    }
  query = (
    query
      // A little word says nothing, but matches every title that has a word beginning so.
      .replace(LITTLE, " ")
      // Nor does the value of a switch, which every program prints.
      .replace(/=(?:True|False)\b/g, " ")
      // A Chinese word may stand beside a Latin one without a space.
      .replace(/\p{sc=Han}(?=\w)|\w(?=\p{sc=Han})/gu, "$& ")
  );
  return [query, ...begins.map(([name, weight]) => `${name}^${1000 * weight}`)].join(" ");
}

// Who types how a heading begins, a message say, wants its section before all others. Of every
// heading, the first words are one in the index, and so are all of them; the more words, the greater
// the weight, and all are so great that these are not said to be missing. The name ends in a number
// lest an ending be taken off.
function beginnings(text) {
  const said = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [0, ...Array.from({ length: 9 }, (_, n) => n + 4)]
    .filter((count) => said.length > 1 && count <= said.length)
    .map((count) => [[...said.slice(0, count || said.length), count].join("_"), 16 ** (count || 13)]);
}

// By entry, what leads to it besides the text that it shows: the words of config.words, of which a
// character says how many entries to go on; the parts of names, so that `symints` finds
// `_get_symints`; and how its heading begins.
function besides(entries, words) {
  const further = entries.map(() => []);
  for (const [word, steps] of Object.entries(words)) {
    let at = 0;
    for (const step of steps) further[(at += step.codePointAt() - 33)].push(word);
  }
  return new Map(
    entries.map((entry, at) => {
      const title = entry.title.replace(/<.*?>|&\w+;/g, " ");
      const text = `${title} ${entry.text} ${further[at].join(" ")}`.toLowerCase();
      const said = new Set(text.match(/[\p{L}\p{N}_]+/gu));
      const parts = [...said].filter((name) => name.includes("_")).flatMap((name) => name.split("_"));
      return [
        entry,
        [
          ...further[at],
          ...new Set(parts.filter((part) => part.length > 1 && !said.has(part))),
          ...beginnings(title).map(([name]) => name),
        ].join(" "),
      ];
    }),
  );
}
