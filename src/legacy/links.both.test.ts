import { expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { legacyClient } from '../../test/fixtures/legacy.ts'
import { add } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'

async function begun() {
  const place = await world()
  const api = await legacyClient(place)
  const lead = await add(api.v4, 'leads', { name: 'Bicycle' })
  const contact = await add(api.v4, 'contacts', { name: 'Ann Lee' })
  const list = await add(api.v4, 'catalogs', { name: 'Frames' })
  const element = await add(api.v4, `catalogs/${list}/elements`, { name: 'Steel' })
  return { ...place, ...api, lead, contact, list, element }
}

test('links are set, listed and taken away, as clients of the first API write and read them', async () => {
  const { get, set, lead, contact, list, element } = await begun()
  const toContact = { from: 'leads', from_id: lead, to: 'contacts', to_id: contact }
  const toElement = { from: 'leads', from_id: lead, to: 'catalog_elements', to_id: element, quantity: 2 }
  const done = await set('links/set', {
    links: {
      link: [
        { ...toContact, from_id: String(lead) },
        { ...toElement, to_catalog_id: list },
      ],
    },
  })
  expect([done.status, done.body.response.links]).toEqual([
    200,
    { link: { links: [toContact, toElement], errors: [] }, unlink: { links: [], errors: [] } },
  ])
  const listed = (query: string) => get(`links/list?${query}`)
  const all = await listed(`links[0][from]=leads&links[0][from_id]=${lead}`)
  expect(all.body.response.links).toEqual([toContact, toElement])
  const one = await listed(`links[0][from]=leads&links[0][from_id]=${lead}&links[0][to]=contacts`)
  expect(one.body.response.links).toEqual([toContact])
  const pair = `links[0][from]=leads&links[0][from_id]=${lead}&links[0][to]=contacts&links[0][to_id]=`
  expect((await listed(`${pair}${contact}`)).body.response.links).toEqual([toContact])
  expect((await listed(`${pair}${element}`)).status).toBe(204)
  for (const query of [
    `contacts_link=${contact}`,
    `deals_link[]=${lead}`,
    `deals_link[]=${lead}&limit_rows=5`,
  ])
    expect((await get(`contacts/links?${query}`)).body.response.links).toEqual([
      { contact_id: contact, lead_id: lead },
    ])
  const back = { from: 'catalog_elements', from_id: element, from_catalog_id: list, to: 'leads', to_id: lead }
  expect((await set('links/set', { links: { unlink: [toContact, back] } })).status).toBe(200)
  expect((await listed(`links[0][from]=leads&links[0][from_id]=${lead}`)).status).toBe(204)
  expect((await get(`contacts/links?contacts_link=${contact}`)).status).toBe(204)
})

test('links are written as a whole, and the fault has its place', async () => {
  const { get, set, lead, contact } = await begun()
  const good = { from: 'leads', from_id: lead, to: 'contacts', to_id: contact }
  const refused: object[] = [
    { link: [good, { ...good, to_id: 999_999 }] },
    { link: [good, { ...good, from: 'tasks' }] },
    { link: [good, { ...good, to_id: 'x' }] },
    { link: [good, { ...good, quantity: -1 }] },
    { link: [good], unlink: [{ ...good, from_id: 999_999 }] },
    {},
  ]
  for (const links of refused)
    expect([links, (await set('links/set', { links })).status]).toEqual([links, 400])
  expect((await get(`contacts/links?contacts_link=${contact}`)).status).toBe(204)
  const many = Array.from({ length: 251 }, () => contact).join(',')
  const records = Array.from({ length: 51 }, (_, i) => `links[${i}][from]=leads&links[${i}][from_id]=${lead}`)
  for (const path of [
    'contacts/links',
    `contacts/links?contacts_link=${many}`,
    'links/list',
    'links/list?links[0][from]=x',
    `links/list?links[0][from]=leads&links[0][from_id]=${lead}&links[0][to_id]=x`,
    `links/list?${records.join('&')}`,
  ])
    expect([path, (await get(path)).status]).toEqual([path, 400])
})

onEmbedded('nobody, and a person without rights, neither read nor write links', async () => {
  const { stranger, lead, contact, ...place } = await begun()
  const BASE = '/private/api/v2/json'
  for (const path of ['pipelines/list', 'contacts/links?contacts_link=1', 'links/list'])
    expect((await stranger.get(`${BASE}/${path}`)).status).toBe(401)
  const { get, set } = await legacyClient({ ...place, stranger }, await place.addPerson({}))
  expect((await get(`contacts/links?contacts_link=${contact}`)).status).toBe(204)
  const link = [{ from: 'leads', from_id: lead, to: 'contacts', to_id: contact }]
  expect((await set('links/set', { links: { link } })).status).toBe(403)
})

onEmbedded('pipelines are listed by their ids', async () => {
  const { get } = await begun()
  const { pipelines } = (await get('accounts/current')).body.response.account
  expect((await get('pipelines/list')).body.response.pipelines).toEqual(pipelines)
  const [id] = Object.keys(pipelines)
  expect((await get(`pipelines/list?id=${id}`)).body.response.pipelines).toEqual(pipelines)
  expect((await get('pipelines/list?id=999999')).body.response.pipelines).toEqual({})
})
