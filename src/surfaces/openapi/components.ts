import { publishedForm } from '../../http/published.ts'
import type { JsonSchema } from './served-routes.ts'

/** Schemas that have a name of their own: written down once, and referred to by everybody else. */
export interface Components {
  /** The schema with a reference in place of each part that has a name. */
  refer(schema: JsonSchema): JsonSchema
  all: Record<string, JsonSchema>
}

/** What a name of ours looks like: the `title` of a schema that several routes share. */
const NAME = /^[A-Z][A-Za-z]+$/

export function createComponents(): Components {
  const all: Record<string, JsonSchema> = {}
  const texts = new Map<string, string>()

  const refer = (given: JsonSchema): JsonSchema => {
    const schema = publishedForm(given)
    const { title } = schema
    if (typeof title !== 'string' || !NAME.test(title)) return inside(schema) as JsonSchema
    const text = JSON.stringify(schema)
    const known = texts.get(title)
    if (known !== undefined && known !== text) throw new Error(`Two schemas have the title ${title}.`)
    if (known === undefined) {
      texts.set(title, text)
      all[title] = inside(schema) as JsonSchema
    }
    return { $ref: `#/components/schemas/${title}` }
  }
  // The symbols and hidden members of TypeBox are left behind: Object.entries does not see them.
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(part)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, part(one)]))
    return isChoiceOfTexts(members) ? { type: 'string', ...members } : members
  }
  const part = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? refer(value as JsonSchema)
      : inside(value)

  return { refer, all }
}

/** TypeBox writes an enum without its type. Generators of clients ask for it. */
const isChoiceOfTexts = (schema: JsonSchema): boolean =>
  schema.type === undefined &&
  Array.isArray(schema.enum) &&
  schema.enum.every((choice) => typeof choice === 'string')
