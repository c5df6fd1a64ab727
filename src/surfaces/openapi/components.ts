import type { JsonSchema } from '../../http/operation.ts'
import { publishedForm } from '../../http/published.ts'
import { describeMembers } from './usual-members.ts'

/** Schemas with names of their own: the document contains each of them once and refers to it elsewhere. */
export interface Components {
  /** The schema with a reference in place of each named part. `name` is its own name if it has no title. */
  refer(schema: JsonSchema, name?: string): JsonSchema
  all: Record<string, JsonSchema>
}

/** The `title` of a schema that has a name. */
const NAME = /^[A-Z][A-Za-z0-9]+$/

export function createComponents(): Components {
  const all: Record<string, JsonSchema> = {}
  const texts = new Map<string, string>()

  const refer = (given: JsonSchema, own?: string): JsonSchema => {
    const schema = publishedForm(given)
    const name = titleOf(schema) ?? (own === undefined ? undefined : (nameOfItems(schema) ?? own))
    if (name === undefined) return inside(schema) as JsonSchema
    const text = JSON.stringify(schema)
    const known = texts.get(name)
    if (known !== undefined && known !== text) throw new Error(`Two schemas have the name ${name}.`)
    if (known === undefined) {
      texts.set(name, text)
      all[name] = inside(schema) as JsonSchema
    }
    return { $ref: `#/components/schemas/${name}` }
  }
  // Object.entries does not see the symbols and hidden members of TypeBox, so they are left out.
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(part)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, part(one)]))
    return describeMembers(
      withOptionalDefaults(isChoiceOfTexts(members) ? { type: 'string', ...members } : members),
    )
  }
  const part = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? refer(value as JsonSchema)
      : inside(value)

  return { refer, all }
}

const titleOf = ({ title }: JsonSchema = {}): string | undefined =>
  typeof title === 'string' && NAME.test(title) ? title : undefined

/** The name of a body that contains items with a name: `NewNotes` is a batch, `NoteList` a list, `NotePage` one page of it. */
function nameOfItems({ items, properties }: JsonSchema): string | undefined {
  const item = titleOf(items as JsonSchema | undefined)
  if (item !== undefined) return `${item}s`
  const { _embedded, _links } = (properties ?? {}) as Record<
    string,
    { properties?: Record<string, JsonSchema> }
  >
  const [collection, ...others] = Object.values(_embedded?.properties ?? {})
  const embedded = others.length === 0 ? titleOf(collection?.items as JsonSchema | undefined) : undefined
  return embedded && embedded + (_links?.properties?.next ? 'Page' : 'List')
}

/** A property with a default can be omitted: the validator writes the default before it checks what is missing. */
function withOptionalDefaults(schema: JsonSchema): JsonSchema {
  const { required, properties } = schema as { required?: string[]; properties?: Record<string, JsonSchema> }
  if (!Array.isArray(required) || !properties) return schema
  return { ...schema, required: required.filter((name) => !('default' in (properties[name] ?? {}))) }
}

/** TypeBox writes an enum without its type. Generators of clients ask for it. */
const isChoiceOfTexts = (schema: JsonSchema): boolean =>
  schema.type === undefined &&
  Array.isArray(schema.enum) &&
  schema.enum.every((choice) => typeof choice === 'string')
