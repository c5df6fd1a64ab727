import type { Rule } from './architecture.ts'

const EXPORTED = /^export (?:async )?(?:function\*?|const|let|class) ([\w$]+)/gm

/** Each exported value of the program is named in another file. Types may describe what an exported function takes. */
export const exportsAreUsed: Rule = (sources) => {
  const files = new Map<string, number>()
  for (const { text } of sources)
    for (const word of new Set(text.match(/[\w$]+/g))) files.set(word, (files.get(word) ?? 0) + 1)
  return sources
    .filter(({ path }) => /^(src|web)\//.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(EXPORTED)]
        .filter(([, name = '']) => files.get(name) === 1)
        .map(([, name]) => `${path} exports ${name}, which no other file uses`),
    )
}
