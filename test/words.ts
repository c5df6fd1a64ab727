import type { Rule } from './architecture.ts'

/** Replaced words and the words to use instead. */
const REPLACED: [RegExp, string][] = [
  [/\bdoors?\b/, 'public API'],
  [/\bfurni(sh|ture)/i, 'seed defaults'],
  [/\btwist/i, 'mutation'],
  [/\bcomplain/i, 'fault'],
  [/\bgathering\b/i, 'batcher'],
  [/\bmayDo\b/, 'can'],
  [/\bwhosever\b/i, 'of any user'],
]

/** Folders in which a person is "they", and no clause with "whoever" is a subject. */
const PLAIN = /^src\/(accounts|catalogs|commands|custom-fields|db|drive|entities|outbound)\//
const NOT_PLAIN: [RegExp, string][] = [
  [/\b(he|him|his|himself)\b/i, 'they'],
  [/\bwhoever\b/i, 'the caller, the person'],
  [/\banew\b/i, 'again'],
]

export const wordsAreUsual: Rule = (sources) =>
  sources
    .filter(({ path }) => !/^test\/(words|architecture\.test)\.ts$/.test(path))
    .flatMap(({ path, text }) =>
      [...REPLACED, ...(PLAIN.test(path) ? NOT_PLAIN : [])].flatMap(([word, usual]) => {
        const [found] = word.exec(text) ?? []
        return found === undefined ? [] : [`${path} says "${found}": write "${usual}"`]
      }),
    )
