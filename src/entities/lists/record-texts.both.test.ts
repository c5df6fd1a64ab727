import { expect, test } from 'vitest'
import { add } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { cardTypes } from '../records/entity-types.ts'
import { Company, Contact, Customer, Element, Lead } from '../records/record-schemas.ts'
import { withNamesOf } from '../records/views.ts'

const ODD = 'a "b" \\ c\n<&>\u2028 Ж 😀 "custom_fields_values":null'

/** A record of each kind with tags, values and links, by the name of its kind. */
async function shop(): Promise<World & { paths: Record<string, string> }> {
  const all = await world()
  const { browser } = all.admin
  const ids: Record<string, number> = {}
  for (const type of cardTypes) {
    const home = { name: 'Words', type: 'text' }
    const field = (await browser.post(`/web/v4/${type}/custom_fields`, [home])).body._embedded
    const custom_fields_values = [{ field_id: field.custom_fields[0].id, values: [{ value: ODD }] }]
    const tags_to_add = [{ name: 'red' }, { name: 'a "b"' }]
    ids[type] = await add(browser, type, { name: ODD, custom_fields_values, tags_to_add })
  }
  const list = await add(browser, 'catalogs', { name: 'Goods' })
  const element = await add(browser, `catalogs/${list}/elements`, { name: ODD })
  const to = (to_entity_type: string, metadata?: object) => ({
    to_entity_id: ids[to_entity_type] ?? element,
    to_entity_type,
    ...(metadata && { metadata }),
  })
  for (const type of cardTypes) {
    const others = cardTypes
      .filter((other) => other !== type && !(type === 'leads' && other === 'customers'))
      .filter((other) => !(type === 'customers' && other === 'leads'))
    const links = [
      ...others.map((other) => to(other)),
      to('catalog_elements', { quantity: 2.5, catalog_id: list }),
    ]
    const answer = await browser.post(`/web/v4/${type}/${ids[type]}/link`, links)
    expect(answer.status, answer.text).toBe(200)
  }
  const reasons = (await browser.get('/web/v4/leads/loss_reasons')).body._embedded.loss_reasons
  await browser.patch(`/web/v4/leads/${ids.leads}`, {
    status_id: 143,
    loss_reason_id: reasons[0].id,
    price: 12,
  })
  const cards = cardTypes.map((type) => [type, `${type}/${ids[type]}`])
  return {
    ...all,
    paths: { ...Object.fromEntries(cards), catalog_elements: `catalogs/${list}/elements/${element}` },
  }
}

const schemas = {
  leads: Lead,
  contacts: Contact,
  companies: Company,
  customers: Customer,
  catalog_elements: Element,
}

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
}

/** The members of an object, and of those in it, that its schema does not name. */
function unknownMembers({ properties }: Schema, value: object, path = ''): string[] {
  if (!properties) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const known = properties[name]
    if (!known) return [path + name]
    const inside = known.items ?? known
    return [member]
      .flat()
      .flatMap((one) => (Object(one) === one ? unknownMembers(inside, one, `${path}${name}.`) : []))
  })
}

test('The text of a record has the members of its schema, alone and in a list, with every part', async () => {
  const { admin, paths } = await shop()
  for (const [type, schema] of Object.entries(schemas)) {
    const path = paths[type] as string
    const names = withNamesOf[type as keyof typeof schemas].filter((name) => name !== 'only_deleted')
    for (const asked of ['', ...names, names.join(',')]) {
      const one = await admin.browser.get(`/web/v4/${path}?with=${asked}`)
      expect(one.status, one.text).toBe(200)
      expect(one.headers.etag).toMatch(/^"[\w-]{22}"$/)
      expect(unknownMembers(schema as unknown as Schema, one.body), `${path}?with=${asked}`).toEqual([])
      const required = (schema as unknown as { required: string[] }).required
      expect(Object.keys(one.body)).toEqual(expect.arrayContaining(required))
      expect(one.body.name).toBe(ODD)
      const all = await admin.browser.get(`/web/v4/${path.replace(/\/\d+$/, '')}?with=${asked}`)
      expect(all.text.includes(one.text), `${path}?with=${asked}`).toBe(true)
    }
  }
})

test('A record with everything is as it was written', async () => {
  const { admin, paths } = await shop()
  const lead = (
    await admin.browser.get(
      `/web/v4/${paths.leads}?with=${withNamesOf.leads.join(',').replace(',only_deleted', '')}`,
    )
  ).body
  expect(lead).toMatchObject({
    price: 12,
    price_with_minor_units: 12,
    status_id: 143,
    is_price_modified_by_robot: false,
  })
  expect(lead.custom_fields_values[0].values).toEqual([{ value: ODD }])
  expect(lead._embedded).toMatchObject({
    tags: [{ name: 'red' }, { name: 'a "b"' }],
    companies: [
      { id: expect.any(Number), _links: { self: { href: expect.stringContaining('/companies/') } } },
    ],
    contacts: [{ is_main: true }],
    catalog_elements: [{ metadata: { quantity: 2.5, price_id: null } }],
    loss_reason: [{ name: expect.any(String), sort: expect.any(Number) }],
  })
})
