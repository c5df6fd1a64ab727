import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { add, log, traces } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'

interface Cards extends World {
  browser: Client
  lead: number
  contact: number
  company: number
}

async function cards(): Promise<Cards> {
  const all = await world()
  const { browser } = all.admin
  return {
    ...all,
    browser,
    lead: await add(browser, 'leads', { name: 'Roof' }),
    contact: await add(browser, 'contacts', { name: 'Ann' }),
    company: await add(browser, 'companies', { name: 'Acme' }),
  }
}

const to = (to_entity_type: string, to_entity_id: number, metadata?: object) => ({
  to_entity_type,
  to_entity_id,
  ...(metadata && { metadata }),
})

describe('Links', () => {
  test('connect two records, and are returned and recorded on both sides', async () => {
    const { browser, lead, contact, ctx, admin } = await cards()
    const known = (await log(ctx)).length
    const answer = await browser.post(`/web/v4/leads/${lead}/link`, [to('contacts', contact)])
    const shown = (entity_type: string, entity_id: number, far: object, metadata: object | null) => ({
      entity_id,
      entity_type,
      ...far,
      metadata,
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        _total_items: 1,
        _links: { self: { href: `http://demo.localhost:8080/web/v4/leads/${lead}/link` } },
        _embedded: { links: [shown('leads', lead, to('contacts', contact), { main_contact: true })] },
      },
    ])
    const read = async (path: string) => (await browser.get(`/web/v4/${path}`)).body._embedded.links
    expect(await read(`leads/${lead}/links`)).toEqual([
      { ...to('contacts', contact), metadata: { main_contact: true } },
    ])
    expect(await read(`contacts/${contact}/links`)).toEqual([{ ...to('leads', lead), metadata: null }])
    expect(await read(`contacts/links?filter[entity_id][]=${contact}`)).toEqual([
      shown('contacts', contact, to('leads', lead), null),
    ])
    const entity = (type: string, id: number) => [{ link: { entity: { type, id } } }]
    const by = admin.id
    expect((await log(ctx)).slice(known)).toEqual([
      { type: 'contact_linked', entity: ['lead', lead], by, before: [], after: entity('contact', contact) },
      { type: 'lead_linked', entity: ['contact', contact], by, before: [], after: entity('lead', lead) },
    ])
  })

  test.each<[string, object]>([
    ['another record', { entity_id: 'other', entity_type: 'leads' }],
    ['null', { entity_id: null, entity_type: null }],
    ['nothing that exists', { entity_id: 'x', entity_type: 5 }],
  ])('belong to the record in the address, even if an item names %s', async (_what, named) => {
    const { browser, lead, contact } = await cards()
    const other = await add(browser, 'leads')
    const link = {
      ...named,
      ...('entity_id' in named && named.entity_id === 'other' && { entity_id: other }),
    }
    const linksOf = async (id: number) => (await browser.get(`/web/v4/leads/${id}/links`)).body._total_items
    const linked = await browser.post(`/web/v4/leads/${lead}/link`, [{ ...link, ...to('contacts', contact) }])
    expect([linked.status, linked.body._embedded.links[0].entity_id]).toEqual([200, lead])
    expect([await linksOf(lead), await linksOf(other)]).toEqual([1, 0])
    await browser.post(`/web/v4/leads/${other}/link`, [to('contacts', contact)])
    const unlinked = await browser.post(`/web/v4/leads/${lead}/unlink`, [
      { ...link, ...to('contacts', contact) },
    ])
    expect([unlinked.status, await linksOf(lead), await linksOf(other)]).toEqual([204, 0, 1])
  })

  test('can be deleted, which is recorded in value_before', async () => {
    const { browser, lead, company, ctx } = await cards()
    await browser.post(`/web/v4/companies/${company}/link`, [to('leads', lead)])
    const known = (await log(ctx)).length
    const answer = await browser.post(`/web/v4/leads/${lead}/unlink`, [to('companies', company)])
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await browser.get(`/web/v4/leads/${lead}/links`)).status).toBe(204)
    expect(
      (await log(ctx)).slice(known).map(({ type, entity, before, after }) => [type, entity, before, after]),
    ).toEqual(
      expect.arrayContaining([
        ['company_unlinked', ['lead', lead], [{ unlink: { entity: { type: 'company', id: company } } }], []],
        ['lead_unlinked', ['company', company], [{ unlink: { entity: { type: 'lead', id: lead } } }], []],
      ]),
    )
    expect((await log(ctx)).length).toBe(known + 2)
  })

  test('that exist, or do not exist, are not recorded again', async () => {
    const { browser, lead, contact, ctx } = await cards()
    const link = [to('contacts', contact)]
    await browser.post(`/web/v4/leads/${lead}/link`, link)
    const before = await traces(ctx)
    expect((await browser.post(`/web/v4/leads/${lead}/link`, link)).status).toBe(200)
    expect(await traces(ctx)).toEqual(before)
    await browser.post(`/web/v4/leads/${lead}/unlink`, link)
    const after = await traces(ctx)
    expect((await browser.post(`/web/v4/leads/${lead}/unlink`, link)).status).toBe(204)
    expect(await traces(ctx)).toEqual(after)
  })

  test('a lead has one company: another one replaces it, and both are recorded', async () => {
    const { browser, lead, company, ctx } = await cards()
    const other = await add(browser, 'companies', { name: 'Other' })
    await browser.post(`/web/v4/leads/${lead}/link`, [to('companies', company)])
    const known = (await log(ctx)).length
    await browser.post(`/web/v4/companies/${other}/link`, [to('leads', lead)])
    expect(
      (await browser.get(`/web/v4/leads/${lead}`)).body._embedded.companies.map(
        ({ id }: { id: number }) => id,
      ),
    ).toEqual([other])
    expect((await browser.get(`/web/v4/companies/${company}/links`)).status).toBe(204)
    expect(
      (await log(ctx))
        .slice(known)
        .map(({ type, entity }) => [type, ...entity])
        .toSorted(),
    ).toEqual(
      [
        ['company_unlinked', 'lead', lead],
        ['lead_unlinked', 'company', company],
        ['company_linked', 'lead', lead],
        ['lead_linked', 'company', other],
      ].toSorted(),
    )
  })

  test('the main contact is the first one until another is chosen or it is removed', async () => {
    const { browser, lead, contact } = await cards()
    const second = await add(browser, 'contacts', { name: 'Ben' })
    const main = async () =>
      (await browser.get(`/web/v4/leads/${lead}?with=contacts`)).body._embedded.contacts
        .filter(({ is_main }: { is_main: boolean }) => is_main)
        .map(({ id }: { id: number }) => id)
    await browser.post('/web/v4/leads/link', [
      { entity_id: lead, ...to('contacts', contact) },
      { entity_id: lead, ...to('contacts', second) },
    ])
    expect(await main()).toEqual([contact])
    await browser.post(`/web/v4/leads/${lead}/link`, [to('contacts', second, { is_main: true })])
    expect(await main()).toEqual([second])
    await browser.post(`/web/v4/contacts/${second}/unlink`, [to('leads', lead)])
    expect(await main()).toEqual([contact])
    // Clients send the name that they read, too.
    await browser.post('/web/v4/leads/link', [
      { entity_id: lead, ...to('contacts', second, { main_contact: true }) },
    ])
    expect(await main()).toEqual([second])
  })

  test('take the zeros that typed clients write for metadata that does not apply', async () => {
    const { browser, lead, contact } = await cards()
    const zeros = { quantity: 0, catalog_id: 0, main_contact: false }
    const items = [to('contacts', contact, zeros)]
    const answer = await browser.post(`/web/v4/leads/${lead}/link`, items)
    expect([answer.status, answer.body._embedded?.links]).toMatchObject([
      200,
      [to('contacts', contact, { main_contact: true })],
    ])
    expect((await browser.post(`/web/v4/leads/${lead}/unlink`, items)).status).toBe(204)
    expect((await browser.get(`/web/v4/leads/${lead}/links`)).status).toBe(204)
  })

  test('while the main contact is in the trash, the next one is main; restored, it is main again', async () => {
    const { browser, lead, contact } = await cards()
    const [second, third] = [
      await add(browser, 'contacts', { name: 'Ben' }),
      await add(browser, 'contacts', { name: 'Cleo' }),
    ]
    await browser.post(
      `/web/v4/leads/${lead}/link`,
      [contact, second, third].map((id) => to('contacts', id)),
    )
    const main = async (path = 'links') => {
      const { links } = (await browser.get(`/web/v4/leads/${lead}/${path}`)).body._embedded
      return links
        .filter(({ metadata }: { metadata: { main_contact?: boolean } }) => metadata?.main_contact)
        .map(({ to_entity_id }: { to_entity_id: number }) => to_entity_id)
    }
    await browser.delete(`/web/v4/contacts/${contact}`)
    expect(await main()).toEqual([second])
    // A filter that leaves the main contact out makes no other one main.
    const others = `links?filter[to_entity_type]=contacts&filter[to_entity_id]=${third}`
    expect(await main(others)).toEqual([])
    const [card] = (await browser.get(`/web/v4/leads?filter[id]=${lead}&with=contacts`)).body._embedded.leads
    expect(card._embedded.contacts.map(({ is_main }: { is_main: boolean }) => is_main)).toEqual([true, false])
    await browser.post(`/web/v4/contacts/${contact}/restore`)
    expect(await main()).toEqual([contact])
  })

  test('records in the trash are omitted, and included again when restored', async () => {
    const { browser, lead, contact } = await cards()
    await browser.post(`/web/v4/leads/${lead}/link`, [to('contacts', contact)])
    await browser.delete(`/web/v4/contacts/${contact}`)
    const links = async () => (await browser.get(`/web/v4/leads/${lead}/links`)).body._total_items
    expect(await links()).toBe(0)
    await browser.post(`/web/v4/contacts/${contact}/restore`)
    expect(await links()).toBe(1)
  })

  test('are filtered by the linked record', async () => {
    const { browser, lead, contact, company } = await cards()
    await browser.post(`/web/v4/leads/${lead}/link`, [to('contacts', contact), to('companies', company)])
    const found = async (query: string) =>
      (await browser.get(`/web/v4/leads/${lead}/links?${query}`)).body._embedded.links.map(
        ({ to_entity_id }: { to_entity_id: number }) => to_entity_id,
      )
    expect(await found(`filter[to_entity_id]=${contact}&filter[to_entity_type]=contacts`)).toEqual([contact])
    expect(await found(`filter[to_entity_id]=${contact}&filter[to_entity_type]=companies`)).toEqual([])
    expect(await found('filter[to_entity_type]=companies')).toEqual([company])
    expect(await found(`filter[to_entity_id]=${contact}`)).toEqual([contact])
    expect((await browser.get(`/web/v4/leads/${lead}/links?filter[to_entity_type]=tasks`)).status).toBe(400)
    expect((await browser.get('/web/v4/leads/links')).status).toBe(400)
    expect((await browser.get('/web/v4/leads/999/links')).status).toBe(404)
  })

  test.each<[string, (all: Cards) => object, string]>([
    ['a kind that is not linked to leads', ({ lead }) => to('leads', lead), 'to_entity_type'],
    ['a kind that is none', () => to('dogs', 1), 'to_entity_type'],
    ['a record that is none', () => to('contacts', 999), 'to_entity_id'],
    ['a record of another kind', ({ company }) => to('contacts', company), 'to_entity_id'],
  ])('%s is rejected with the whole batch', async (_what, draft, path) => {
    const all = await cards()
    const before = await traces(all.ctx)
    const good = to('contacts', all.contact)
    const answer = await all.browser.post(`/web/v4/leads/${all.lead}/link`, [good, draft(all)])
    expect([answer.status, answer.body['validation-errors']]).toEqual([
      400,
      [{ request_id: '1', errors: [{ code: 'NotSupportedChoice', path, detail: expect.any(String) }] }],
    ])
    expect(await traces(all.ctx)).toEqual(before)
  })

  test('a company with very many leads can get another one without reading them all', async () => {
    const { browser, company, contact, ctx } = await cards()
    const drafts = Array.from({ length: 250 }, () => ({ _embedded: { companies: [{ id: company }] } }))
    await browser.post('/web/v4/leads', drafts)
    await browser.post(`/web/v4/contacts/${contact}/link`, [to('companies', company)])
    expect((await browser.get(`/web/v4/companies/${company}/links`)).body._total_items).toBe(251)
    expect((await traces(ctx)).links).toBe(502)
  })
})

describe('POST /leads/complex', () => {
  test('adds leads with their contact and company, linked to each other', async () => {
    const { browser, contact } = await cards()
    const answer = await browser.post('/web/v4/leads/complex', [
      {
        name: 'Both new',
        price: 10,
        request_id: 'a',
        _embedded: {
          tags: [{ name: 'site' }],
          contacts: [
            {
              first_name: 'Eve',
              last_name: 'Fox',
              custom_fields_values: [
                { field_code: 'EMAIL', values: [{ value: 'eve@x.example', enum_code: 'WORK' }] },
              ],
            },
          ],
          companies: [{ name: 'Fox Ltd' }],
        },
      },
      { name: 'Known contact', _embedded: { contacts: [{ id: contact }] } },
      { name: 'Alone' },
    ])
    const [both, known, alone] = answer.body
    expect([answer.status, answer.body]).toEqual([
      200,
      [
        {
          id: both.id,
          contact_id: expect.any(Number),
          company_id: expect.any(Number),
          request_id: ['a'],
          merged: false,
        },
        { id: known.id, contact_id: contact, company_id: null, request_id: ['1'], merged: false },
        { id: alone.id, contact_id: null, company_id: null, request_id: ['2'], merged: false },
      ],
    ])
    const lead = (await browser.get(`/web/v4/leads/${both.id}?with=contacts`)).body
    expect([lead._embedded.contacts, lead._embedded.companies, lead._embedded.tags]).toMatchObject([
      [{ id: both.contact_id, is_main: true }],
      [{ id: both.company_id }],
      [{ name: 'site' }],
    ])
    const person = (await browser.get(`/web/v4/contacts/${both.contact_id}`)).body
    expect([person.name, person._embedded.companies[0].id]).toEqual(['Eve Fox', both.company_id])
  })

  onEmbedded('an invalid related record is named, and nothing is stored', async () => {
    const { browser, ctx } = await cards()
    const before = await traces(ctx)
    const bad = { custom_fields_values: [{ field_id: 999, values: [{ value: 'x' }] }] }
    const answer = await browser.post('/web/v4/leads/complex', [
      { name: 'Good', _embedded: { companies: [{ name: 'New Ltd' }] } },
      { name: 'Bad', request_id: 'b', _embedded: { contacts: [bad] } },
    ])
    expect([answer.status, answer.body['validation-errors']]).toEqual([
      400,
      [
        {
          request_id: 'b',
          errors: [
            {
              code: 'NotSupportedChoice',
              path: '_embedded.contacts.0.custom_fields_values.0.field_id',
              detail: expect.any(String),
            },
          ],
        },
      ],
    ])
    expect(await traces(ctx)).toEqual(before)
  })

  test.each([
    ['51 leads', Array(51).fill({})],
    ['two contacts', [{ _embedded: { contacts: [{}, {}] } }]],
    ['41 values', [{ custom_fields_values: Array(41).fill({ field_id: 1, values: [] }) }]],
  ])('%s are too many', async (_what, body) => {
    const { browser } = await cards()
    const answer = await browser.post('/web/v4/leads/complex', body)
    expect([answer.status, answer.body['validation-errors'][0].errors[0].code]).toEqual([400, 'TooMany'])
  })
})
