import { expect, test } from 'vitest'
import { add, addAll } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'

const homes = ['leads', 'contacts', 'companies', 'customers', 'catalogs'] as const

test.each(homes)('counts the records of %s with a value, of any type', async (type) => {
  const { admin, addPerson, stranger } = await world()
  const { browser } = admin
  const home = type === 'catalogs' ? `catalogs/${await add(browser, 'catalogs', { name: 'Goods' })}` : type
  const drafts = [
    { name: 'Colours', type: 'multiselect', enums: [{ value: 'red' }, { value: 'blue' }] },
    { name: 'Size', type: 'text' },
  ]
  const [colours, size] = (await browser.post(`/web/v4/${home}/custom_fields`, drafts)).body._embedded
    .custom_fields
  const records = type === 'catalogs' ? `${home}/elements` : home
  const both = { field_id: colours.id, values: [{ value: 'red' }, { value: 'blue' }] }
  const [id] = await addAll(browser, records, [
    { name: 'a', custom_fields_values: [both] },
    { name: 'b', custom_fields_values: [both] },
    { name: 'c' },
  ])
  await browser.delete(`/web/v4/${records}/${id}`)
  const usage = (field: number) => `/web/v4/${home}/custom_fields/${field}/usage`
  expect((await browser.get(usage(colours.id))).body).toEqual({ records: 2 })
  expect((await browser.get(usage(size.id))).body).toEqual({ records: 0 })

  const member = await addPerson()
  expect((await stranger.get(usage(size.id))).status).toBe(401)
  expect((await member.browser.get(usage(size.id))).status).toBe(403)
  expect((await browser.get(usage(999))).status).toBe(404)
  expect((await browser.get(`/web/v4/${home}/custom_fields/x/usage`)).status).toBe(404)
  const elsewhere = type === 'leads' ? 'contacts' : 'leads'
  expect((await browser.get(`/web/v4/${elsewhere}/custom_fields/${size.id}/usage`)).status).toBe(404)
})
