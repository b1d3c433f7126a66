// How the search of the site orders what it found: by the words of the question in the title. The
// longest pages have every word, so they come last.

const asked = (new URLSearchParams(location.search).get("q") || "").toLowerCase().match(/[\w-]+/g) || [];
const longest = /(operations|schemas|forgeries|command-line)$/;

var Scorer = {
  score: ([page, title, , , score]) => {
    const words = title.toLowerCase(), least = longest.test(page) ? 3 : 0;
    return score - least + 10 * asked.filter((word) => words.includes(word.slice(0, 6))).length;
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
