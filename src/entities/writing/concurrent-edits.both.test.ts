import { describe, expect, test } from 'vitest'
import { client } from '../../../test/client.ts'
import { add, addAll, log } from '../../../test/fixtures/records.ts'
import { times } from '../../../test/long.ts'
import { world } from '../../../test/world.ts'

/** The same person on two processes with one database; with SQLite there is one process. */
async function twoProcesses() {
  const all = await world()
  const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
  const { browser } = all.admin
  return { ...all, browsers: [browser, client(second.app.http, browser.identity)] as const }
}

/** The value before each change is the value after the previous one. */
function chainOf(events: { before: unknown[]; after: unknown[] }[], first: unknown) {
  let current = JSON.stringify(first)
  for (const { before, after } of events) {
    if (JSON.stringify(before) !== current) return `broken at ${JSON.stringify(before)}`
    current = JSON.stringify(after)
  }
  return JSON.parse(current)
}

const ROUNDS = times(5, 20)
const CHANGES = times(20, 60)

describe('Two people edit the same lead concurrently', () => {
  test('changes of different members are both kept', async () => {
    const { browsers, ctx } = await twoProcesses()
    const [one, two] = browsers
    const id = await add(one, 'leads', { name: 'Roof', price: 0 })
    for (let round = 1; round <= ROUNDS; round++) {
      const [a, b] = await Promise.all([
        one.patch(`/web/v4/leads/${id}`, { name: `Roof ${round}` }),
        two.patch(`/web/v4/leads/${id}`, { price: round }),
      ])
      expect([a.status, b.status]).toEqual([200, 200])
      const { body } = await one.get(`/web/v4/leads/${id}`)
      expect([body.name, body.price]).toEqual([`Roof ${round}`, round])
    }
    const events = await log(ctx, { entity_id: id })
    const ofType = (type: string) => events.filter((event) => event.type === type)
    expect(chainOf(ofType('name_field_changed'), [{ name_field_value: { name: 'Roof' } }])).toEqual([
      { name_field_value: { name: `Roof ${ROUNDS}` } },
    ])
    expect(chainOf(ofType('sale_field_changed'), [{ sale_field_value: { sale: 0 } }])).toEqual([
      { sale_field_value: { sale: ROUNDS } },
    ])
  })

  test('many changes of the same member form one chain in the log that ends in the stored value', async () => {
    const { browsers, ctx } = await twoProcesses()
    const [one] = browsers
    const id = await add(one, 'leads', { name: 'Roof', price: 0 })
    const prices = Array.from({ length: CHANGES }, (_, i) => i + 1)
    const answers = await Promise.all(
      prices.map((price, i) => browsers[i % 2]?.patch(`/web/v4/leads/${id}`, { price })),
    )
    expect(answers.map((answer) => answer?.status)).toEqual(prices.map(() => 200))
    const changes = (await log(ctx, { entity_id: id })).filter(({ type }) => type === 'sale_field_changed')
    const { price } = (await one.get(`/web/v4/leads/${id}`)).body
    expect([changes.length, chainOf(changes, [{ sale_field_value: { sale: 0 } }])]).toEqual([
      CHANGES,
      [{ sale_field_value: { sale: price } }],
    ])
  })

  test('changes of different fields and tags are all kept', async () => {
    const { browsers, ctx } = await twoProcesses()
    const [one] = browsers
    const drafts = Array.from({ length: 8 }, (_, i) => ({ name: `Field ${i}`, type: 'text' }))
    const made = (await one.post('/web/v4/leads/custom_fields', drafts)).body._embedded.custom_fields
    const fields: number[] = made.map(({ id }: { id: number }) => id)
    const id = await add(one, 'leads')
    await Promise.all(
      fields.map((field_id, i) =>
        browsers[i % 2]?.patch(`/web/v4/leads/${id}`, {
          custom_fields_values: [{ field_id, values: [{ value: `v${i}` }] }],
          tags_to_add: [{ name: `tag ${i % 4}` }],
        }),
      ),
    )
    const { custom_fields_values, _embedded } = (await one.get(`/web/v4/leads/${id}`)).body
    expect(
      custom_fields_values.map((field: { field_id: number; values: object[] }) => [
        field.field_id,
        field.values,
      ]),
    ).toEqual(fields.map((field_id, i) => [field_id, [{ value: `v${i}` }]]))
    expect(_embedded.tags.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'tag 0',
      'tag 1',
      'tag 2',
      'tag 3',
    ])
    const changes = await log(ctx, { entity_id: id })
    expect(changes.filter(({ type }) => type === 'custom_field_value_changed').length).toBe(8)
    expect(
      changes.filter(({ type }) => type === 'entity_tag_added').flatMap(({ after }) => after).length,
    ).toBe(4)
  })

  test('batches with the same leads in opposite orders wait for each other without a deadlock', async () => {
    const { browsers, ctx } = await twoProcesses()
    const [one, two] = browsers
    const ids = await addAll(one, 'leads', Array(20).fill({ price: 0 }))
    for (let round = 1; round <= 5; round++) {
      const patch = (order: number[], price: number) => order.map((id) => ({ id, price }))
      const answers = await Promise.all([
        one.patch('/web/v4/leads', patch(ids, round * 2)),
        two.patch('/web/v4/leads', patch(ids.toReversed(), round * 2 + 1)),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    }
    const changes = (await log(ctx)).filter(({ type }) => type === 'sale_field_changed')
    expect(changes.length).toBe(20 * 10)
  })

  test('a link created concurrently from both sides is created once', async () => {
    const { browsers, ctx } = await twoProcesses()
    const [one, two] = browsers
    for (let round = 0; round < times(4, 10); round++) {
      const lead = await add(one, 'leads')
      const contact = await add(one, 'contacts')
      const answers = await Promise.all([
        one.post(`/web/v4/leads/${lead}/link`, [{ to_entity_type: 'contacts', to_entity_id: contact }]),
        two.post(`/web/v4/contacts/${contact}/link`, [{ to_entity_type: 'leads', to_entity_id: lead }]),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const types = (await log(ctx, { entity_id: lead })).map(({ type }) => type)
      expect(types).toEqual(['lead_added', 'contact_linked'])
    }
  })

  test('one of a concurrent deletion and edit is refused', async () => {
    const { browsers, ctx } = await twoProcesses()
    const [one, two] = browsers
    for (let round = 0; round < times(4, 10); round++) {
      const id = await add(one, 'leads', { name: 'Roof' })
      const [gone, changed] = await Promise.all([
        one.delete(`/web/v4/leads/${id}`),
        two.patch(`/web/v4/leads/${id}`, { name: 'Wall' }),
      ])
      expect(gone.status).toBe(204)
      const types = (await log(ctx, { entity_id: id })).map(({ type }) => type)
      expect(types).toEqual(
        changed.status === 200
          ? ['lead_added', 'name_field_changed', 'lead_deleted']
          : ['lead_added', 'lead_deleted'],
      )
      expect([200, 404]).toContain(changed.status)
    }
  })
})

describe('Writes of several records lock in one order (R7)', () => {
  /** Sends pairs of concurrent requests, and expects that all of them succeed. */
  async function expectNoDeadlock(pair: (round: number) => Promise<{ status: number }[]>) {
    for (let round = 0; round < ROUNDS; round++)
      expect((await pair(round)).map(({ status }) => status)).toEqual([200, 200])
  }

  test('complex leads with the same companies in another order', async () => {
    const [one, two] = (await twoProcesses()).browsers
    const [x, y] = await addAll(one, 'companies', [{ name: 'X' }, { name: 'Y' }])
    const drafts = (first: number | undefined, second: number | undefined) => [
      { name: 'A', _embedded: { contacts: [{ name: 'Ann' }], companies: [{ id: first }] } },
      { name: 'B', _embedded: { companies: [{ id: second }] } },
    ]
    await expectNoDeadlock(() =>
      Promise.all([
        one.post('/web/v4/leads/complex', drafts(x, y)),
        two.post('/web/v4/leads/complex', drafts(y, x)),
      ]),
    )
  })

  test('complex leads, and changes of their companies and new tags', async () => {
    const [one, two] = (await twoProcesses()).browsers
    const [x, y] = await addAll(one, 'companies', [{ name: 'X' }, { name: 'Y' }])
    const lead = await add(one, 'leads')
    const complex = (name: string) => [
      { _embedded: { tags: [{ name }], contacts: [{ name: 'Ann' }], companies: [{ id: y }] } },
      { _embedded: { companies: [{ id: x }] } },
    ]
    await expectNoDeadlock((round) =>
      Promise.all([
        one.post('/web/v4/leads/complex', complex(`first ${round}`)),
        two.patch('/web/v4/companies', [
          { id: x, name: `X ${round}` },
          { id: y, name: `Y ${round}` },
        ]),
      ]),
    )
    await expectNoDeadlock((round) =>
      Promise.all([
        one.post('/web/v4/leads/complex', complex(`second ${round}`)),
        two.patch(`/web/v4/leads/${lead}`, {
          tags_to_add: [{ name: `second ${round}` }],
          _embedded: { companies: [{ id: y }] },
        }),
      ]),
    )
  })

  test('the same new tags in another order', async () => {
    const [one, two] = (await twoProcesses()).browsers
    const [x, y] = await addAll(one, 'leads', [{ name: 'X' }, { name: 'Y' }])
    await expectNoDeadlock((round) => {
      const names = Array.from({ length: 200 }, (_, i) => ({ name: `${round} ${i}` }))
      return Promise.all([
        one.patch(`/web/v4/leads/${x}`, { _embedded: { tags: names } }),
        two.patch(`/web/v4/leads/${y}`, { _embedded: { tags: names.toReversed() } }),
      ])
    })
  })
})
