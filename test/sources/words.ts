import type { Rule } from './architecture.ts'

/** Words that the project does not use, and the words to use instead. */
const REPLACED: [RegExp, string][] = [
  [/\bdoors?\b/, 'public API'],
  [/\bfurni(sh|ture)/i, 'seed defaults'],
  [/\btwist/i, 'mutation'],
  [/\bcomplain/i, 'fault'],
  [/\bgathering\b/i, 'batcher'],
  [/\bmay(Do|On|See|Add|Move)\b/, 'can'],
  [/\bwhosever\b/i, 'of any user'],
  [/\bcompanions?\b/, 'related records'],
  [/\bjunk\b/i, 'invalid values'],
  [/\bstory/, 'timeline, history'],
  [/\b(told|wishes)\b/, 'the noun: texts, names, events'],
  [/\bwhoever\b/i, 'the caller, the person'],
  [/\bwhatever\b(?! nothing)/i, 'any, regardless of'],
  [/\banew\b/i, 'again'],
  // A comment begins with its subject, and not with a clause about it.
  [/^\s*(?:\/\*\*|\*|\/\/) (?:What|Who|Which)\b/m, 'the noun: the state, the caller, the entries'],
  // A person is "they".
  [/\b(he|him|his|himself)\b/i, 'they'],
]

export const wordsAreUsual: Rule = (sources) =>
  sources
    .filter(({ path }) => !/^test\/sources\/(words|architecture\.test)\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      REPLACED.flatMap(([word, usual]) => {
        const [found] = word.exec(text) ?? []
        return found === undefined ? [] : [`${path} says "${found}": write "${usual}"`]
      }),
    )
