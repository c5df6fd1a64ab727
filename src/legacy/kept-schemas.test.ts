import { Ajv } from 'ajv'
import { expect, test, vi } from 'vitest'
import { legacyClient } from '../../test/fixtures/legacy.ts'
import { world } from '../../test/world.ts'

const BELOW = '/private/api/v2/json'
const item = {
  id: 1,
  element_id: 1,
  element_type: 2,
  note_type: 4,
  catalog_id: 1,
  customer_id: 1,
  text: 'A',
  name: 'A',
}
const first = (path: string, name: string) =>
  (['add', 'update'] as const).map((action): [string, object] => [
    `${BELOW}/${path}/set`,
    { request: { [name]: { [action]: [item] } } },
  ])
const second = (path: string) =>
  (['add', 'update'] as const).map((action): [string, object] => [`/api/v2/${path}`, { [action]: [item] }])

/** A request for each write of the older APIs that validates items by schemas of v4. */
const writes: [path: string, body: object][] = [
  ...[
    'leads',
    'contacts',
    'customers',
    'tasks',
    'notes',
    'catalogs',
    'catalog_elements',
    'transactions',
  ].flatMap((name) => [...first(name, name), ...second(name)]),
  ...first('company', 'contacts'),
  ...second('companies'),
  ...first('fields', 'fields'),
  ...first('pipelines', 'pipelines'),
  ...second('fields'),
  ['/api/v2/transactions/comment', { update: [item] }],
  ['/api/v2/incoming_leads/form', { add: [item] }],
  ['/api/v2/incoming_leads/sip', { add: [item] }],
]

test('writes of the older APIs compile no schema again, which the validator would keep for ever', async () => {
  const { v4 } = await legacyClient(await world())
  const compiled = new Set<unknown>()
  const compile = vi.spyOn(Ajv.prototype, 'compile')
  const send = async ([path, body]: [string, object]) => {
    await v4.post(path, body)
    const known = compiled.size
    for (const [schema] of compile.mock.calls) compiled.add(schema)
    compile.mockClear()
    return compiled.size - known
  }
  // Two schemas at least: that of the body and that of an item.
  for (const write of writes) await send(write)
  expect(compiled.size).toBeGreaterThan(20)
  const again: [string, object][] = []
  for (const write of writes) if ((await send(write)) > 0) again.push(write)
  compile.mockRestore()
  expect(again).toEqual([])
})
