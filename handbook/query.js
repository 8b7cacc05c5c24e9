// What a reader types, put as the pages have it: the worker of the search looks for this instead.
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
  const begins = beginnings(query).filter(([name]) => index[name]);
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

// Who types how a heading begins, a message say, wants its section before all others. The index has
// the first words of every heading as one, and all of them; the more words, the greater the weight,
// and all are so great that these are not said to be missing.
function beginnings(query) {
  const said = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [0, ...Array.from({ length: 9 }, (_, n) => n + 4)]
    .filter((count) => /\S\s+\S/.test(query) && count <= said.length)
    .map((count) => [[...said.slice(0, count || said.length), count].join("_"), 16 ** (count || 13)]);
}
