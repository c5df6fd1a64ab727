import type { Rule } from './architecture.ts'

/** Words that have been replaced by the usual ones, and what to write instead. */
const REPLACED: [RegExp, string][] = [
  [/\bdoors?\b/, 'public API'],
  [/\bfurnish/i, 'seed defaults'],
  [/\btwist/i, 'mutation'],
  [/\bcomplain/i, 'fault'],
  [/\bgathering\b/i, 'batcher'],
]

export const wordsAreUsual: Rule = (sources) =>
  sources
    .filter(({ path }) => !/^test\/(words|architecture\.test)\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      REPLACED.flatMap(([word, usual]) => {
        const [found] = word.exec(text) ?? []
        return found === undefined ? [] : [`${path} says "${found}": write "${usual}"`]
      }),
    )
