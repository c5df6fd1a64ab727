import { describe, expect, test } from 'vitest'
import { add, addAll, log } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { findFields } from '../../custom-fields/custom-fields.ts'
import { saveValues } from '../../custom-fields/values/value-store.ts'
import { continueIds } from '../../db/dialect.ts'
import { eraseValues } from '../entities.ts'

const FIELDS = '/web/v4/leads/custom_fields'

async function shop() {
  const place = await world()
  const { browser } = place.admin
  const drafts = [
    { name: 'Gone', type: 'text' },
    { name: 'Kept', type: 'text' },
    { name: 'Colour', type: 'select', enums: [{ value: 'Red' }, { value: 'Blue' }] },
  ]
  const [gone, kept, colour] = (await browser.post(FIELDS, drafts)).body._embedded.custom_fields
  const values = (field_id: number, value: string) => ({ field_id, values: [{ value }] })
  const found = async (query: string) =>
    (await browser.get(`/web/v4/leads/totals?query=${query}`)).body.total as number
  return { place, browser, gone, kept, colour, values, found }
}

const erasures = ({ ctx }: World) => ctx.db.selectFrom('value_erasures').selectAll().execute()
const keys = async ({ ctx }: World, field_id: number) =>
  (await ctx.db.selectFrom('field_keys').selectAll().where('field_id', '=', field_id).execute()).length

describe('Values of a deleted field (F3)', () => {
  test('are not searchable, and words of the name or another field still are', async () => {
    const { place, browser, gone, kept, values, found } = await shop()
    await add(browser, 'leads', {
      name: 'Amber',
      custom_fields_values: [values(gone.id, 'amber basalt cobalt'), values(kept.id, 'cobalt')],
    })
    expect([await found('basalt'), await found('amber'), await found('cobalt')]).toEqual([1, 1, 1])
    await browser.delete(`${FIELDS}/${gone.id}`)
    await eraseValues(place.ctx)
    expect([await found('basalt'), await found('amber'), await found('cobalt')]).toEqual([0, 1, 1])
  })

  test('are erased in batches with a transaction each; another process can continue', async () => {
    const { place, browser, gone, values } = await shop()
    const drafts = Array.from({ length: 250 }, () => ({ custom_fields_values: [values(gone.id, 'basalt')] }))
    for (let i = 0; i < 3; i++) await addAll(browser, 'leads', drafts)
    const [last] = (await browser.post(FIELDS, [{ name: 'Last', type: 'text' }])).body._embedded.custom_fields
    for (const { id } of [gone, last]) expect((await browser.delete(`${FIELDS}/${id}`)).status).toBe(204)
    // A restore continues the ids.
    await place.ctx.db.transaction().execute((tx) => continueIds(tx, 'custom_fields'))
    const [next] = (await browser.post(FIELDS, [{ name: 'Next', type: 'text' }])).body._embedded.custom_fields
    expect(next.id).toBeGreaterThan(Math.max(gone.id, last.id))
    // The request only queues the work.
    expect(await keys(place, gone.id)).toBe(750)
    await Promise.all([eraseValues(place.ctx), eraseValues(place.ctx)])
    expect(await keys(place, gone.id)).toBe(0)
    const stored = await place.ctx.db.selectFrom('field_values').select('field_values').execute()
    expect(new Set(stored.map(({ field_values }) => field_values))).toEqual(new Set(['{}']))
  })

  test('stored by a slow writer after the first pass are erased a minute later', async () => {
    const { place, browser, gone, values } = await shop()
    const id = await add(browser, 'leads', { custom_fields_values: [values(gone.id, 'a')] })
    const fields = await findFields(place.ctx.db, place.account.id, 'leads')
    await browser.delete(`${FIELDS}/${gone.id}`)
    await eraseValues(place.ctx)
    const late = [{ entity_id: id, before: {}, after: { [gone.id]: ['late'] } }]
    await place.ctx.db.transaction().execute((tx) => saveValues(tx, place.account.id, fields, late))
    await eraseValues(place.ctx)
    expect(await keys(place, gone.id)).toBe(1)
    place.clock.advance(60)
    await eraseValues(place.ctx)
    expect([await keys(place, gone.id), await erasures(place)]).toEqual([0, []])
  })
})

describe('A deleted choice', () => {
  test('disappears at once, is not logged as a previous value, and is erased', async () => {
    const { place, browser, colour, values } = await shop()
    const [red, blue] = colour.enums
    const id = await add(browser, 'leads', { custom_fields_values: [values(colour.id, 'Red')] })
    await browser.patch(`${FIELDS}/${colour.id}`, { enums: [blue] })
    expect((await browser.get(`/web/v4/leads/${id}`)).body.custom_fields_values).toBeNull()
    await browser.patch(`/web/v4/leads/${id}`, { custom_fields_values: [values(colour.id, 'Blue')] })
    const type = `filter[type]=custom_field_${colour.id}_value_changed`
    const { events } = (await browser.get(`/web/v4/events?${type}&limit=1`)).body._embedded
    expect([events[0].value_before, events[0].value_after[0].custom_field_value.enum_id]).toEqual([
      [],
      blue.id,
    ])
    await add(browser, 'leads', { custom_fields_values: [values(colour.id, 'Blue')] })
    await eraseValues(place.ctx)
    const left = await place.ctx.db
      .selectFrom('field_keys')
      .select('key')
      .where('field_id', '=', colour.id)
      .execute()
    expect(left.map(({ key }) => key)).not.toContain(String(red.id))
    expect(await keys(place, colour.id)).toBe(2)
  })

  test('was the only value: clearing the field afterwards is not logged', async () => {
    const { place, browser, colour, values } = await shop()
    const [, blue] = colour.enums
    const id = await add(browser, 'leads', { custom_fields_values: [values(colour.id, 'Red')] })
    await browser.patch(`${FIELDS}/${colour.id}`, { enums: [blue] })
    const known = await log(place.ctx)
    const cleared = { custom_fields_values: [{ field_id: colour.id, values: null }] }
    expect((await browser.patch(`/web/v4/leads/${id}`, cleared)).status).toBe(200)
    expect(await log(place.ctx)).toEqual(known)
  })
})
