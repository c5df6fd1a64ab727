import { findFieldNames } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import { invalidChoice } from '../errors.ts'
import { type EventKind, eventTypes, inLanguage, type Language, languages } from './event-types.ts'
import type { EventTypeEntry } from './schemas.ts'

/** The language of `language_code`, or the reader's own if there are names in it. An empty code is none. */
export function languageOf(code: string | undefined, own: string): Language {
  const known = languages.find((language) => language === (code || own))
  if (!known && code) throw invalidChoice('language_code', languages)
  return known ?? 'en'
}

/** The name of a field's event, in each language. */
const fieldNames: Record<Language, (name: string) => string> = {
  en: (name) => `Field “${name}” changed`,
  es: (name) => `Campo «${name}» cambiado`,
  ru: (name) => `Изменение поля «${name}»`,
  pt: (name) => `Campo “${name}” alterado`,
}

/** All types, followed by one entry per custom field of the account (E7). */
export async function listEventTypes(
  db: Db,
  account_id: number,
  language: Language,
): Promise<EventTypeEntry[]> {
  const types = Object.entries(eventTypes).map(([key, { number, names }]: [string, EventKind]) => ({
    key,
    type: number,
    lang: inLanguage(names, language),
  }))
  const { number } = eventTypes.custom_field_value_changed
  const fields = await findFieldNames(db, account_id)
  return [
    ...types,
    ...fields.map(({ id, name }) => ({
      key: `custom_field_${id}_value_changed`,
      type: number,
      lang: fieldNames[language](name),
    })),
  ]
}
