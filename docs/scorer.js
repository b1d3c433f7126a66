// How the search of the site orders what it found: by the words of the question in the title, then
// what to do before what is. The longest pages have every word, so they come last.

const asked = () => {
  const question = new URLSearchParams(location.search).get("q") || "";
  return question.toLowerCase().match(/[\w-]+/g) || [];
};
const worth = [[/symptoms$/, 4], [/^how-to/, 2], [/(operations|schemas|forgeries|command-line)$/, -3]];

var Scorer = {
  score: ([page, title, , , score]) => {
    const words = title.toLowerCase();
    const [, more] = worth.find(([pages]) => pages.test(page)) || [null, 0];
    return score + more + 10 * asked().filter((word) => words.includes(word.slice(0, 6))).length;
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: { 0: 15, 1: 5, 2: -5 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
