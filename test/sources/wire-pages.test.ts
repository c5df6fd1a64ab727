import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { descriptionOf } from '../openapi/description.ts'
import { world } from '../world.ts'

interface Schema {
  $ref?: string
  allOf?: Schema[]
  oneOf?: Schema[]
  properties?: object
}

const folder = new URL('../../docs/wire/', import.meta.url)
const pages = globSync('*.md', { cwd: folder }).map((name) => ({
  name,
  text: readFileSync(new URL(name, folder), 'utf8'),
}))

const names = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** Tables whose head names a schema, with the members in their first column. */
const tables = pages.flatMap(({ name, text }) =>
  [...text.matchAll(/^\| `([A-Z]\w+)` \|.*\n\|[-|]+\n((?:\|.*\n)+)/gm)].map(([, schema = '', rows = '']) => ({
    name,
    schema,
    members: rows.split('\n').flatMap((row) => names(row.split('|')[1] ?? '')),
  })),
)

/** Examples whose fence names an operation, and the side of it. */
const examples = pages.flatMap(({ name, text }) =>
  [...text.matchAll(/^```json ([\w.]+) (request|response)\n(.*?)^```/gms)].map(
    ([, operation = '', side, json = '']) => ({ name, operation, side, value: JSON.parse(json) }),
  ),
)

const read = async () => descriptionOf((await world()).app.http)

test('the tables of the pages have the members of the schemas in their order', async () => {
  const schemas = (await read()).document.components.schemas as Record<string, Schema>
  /** Unions by type consist of parts, whose members have no order. */
  const membersOf = ({ $ref, allOf, oneOf, properties }: Schema): string[] => {
    if ($ref) return membersOf(schemas[$ref.slice(1)] as Schema)
    if (allOf) return allOf.flatMap(membersOf).toSorted()
    return oneOf?.[0] ? membersOf(oneOf[0]) : Object.keys(properties ?? {})
  }
  expect(tables.length).toBeGreaterThan(20)
  const shown = tables.map(({ schema, members, ...page }) => ({
    ...page,
    schema,
    members: schemas[schema]?.allOf ? members.toSorted() : members,
  }))
  expect(shown).toEqual(shown.map((table) => ({ ...table, members: membersOf(schemas[table.schema] ?? {}) })))
})

test('the examples of the pages are valid for their operations', async () => {
  const { operations, misfit } = await read()
  expect(examples.length).toBeGreaterThan(15)
  const wrong = examples.flatMap(({ name, operation, side, value }) => {
    const found = operations.find(({ operationId }) => operationId === operation)
    const answer = Object.entries(found?.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1]
    const schema = side === 'request' ? found?.body : Object.values(answer?.content ?? {})[0]?.schema
    const fault = schema ? misfit(schema, value) : 'not an operation'
    return fault ? [`${name}, ${operation} ${side}: ${fault}`] : []
  })
  expect(wrong).toEqual([])
})
