import { globSync, readFileSync } from 'node:fs'

export type Language = 'en' | 'es' | 'ru' | 'pt'

type Tree = { [key: string]: string | Tree }

const folder = new URL('../../web/i18n/', import.meta.url)

function flat(tree: Tree, at = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[at + key, value]] : flat(value, `${at}${key}.`),
  )
}

/** The texts of a language by dotted key. */
export const catalogue = (language: Language): Map<string, string> =>
  new Map(
    globSync(`${language}/*.json`, { cwd: folder }).flatMap((file) =>
      flat(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
    ),
  )

export type Say = (key: string, values?: Record<string, string | number>) => string

/** Returns the text of a key, in the plural form of its count. */
export function speaker(language: Language): Say {
  const words = catalogue(language)
  const plural = new Intl.PluralRules(language)
  return (key, values = {}) => {
    const counted = 'count' in values ? words.get(`${key}_${plural.select(Number(values.count))}`) : undefined
    const text = counted ?? words.get(key)
    if (text === undefined) throw new Error(`${language} has no ${key}`)
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  }
}
