import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../test/client.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'
import type { Actor } from '../accounts/accounts.ts'
import { completeRights } from '../accounts/members/rights.ts'
import { parseQuery } from '../http/queries/bracket-query.ts'
import { eventTypes, languages } from './event-types.ts'
import { readEventFilter } from './filters.ts'
import { bySelectiveFilter, type Scan } from './list-queries.ts'
import { BOUNDS, readSlice } from './reading.ts'

const EVENTS = '/web/v4/events'
// biome-ignore lint/suspicious/noExplicitAny: events of every type.
const eventsOf = ({ body }: Answer): any[] => body._embedded.events
const idsOf = (answer: Answer): string[] => eventsOf(answer).map(({ id }) => id)

async function followed(caller: Client, first: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let url: string | undefined = first; url; ) {
    const answer = await caller.get(url)
    pages.push(idsOf(answer))
    url = answer.body._links.next?.href
  }
  return pages
}

/** A lead whose name and price changed, and an integration's token. */
async function office() {
  const all = await world()
  const { admin, clock } = all
  const token = (await connect(all.stranger, await register(admin))).access_token
  const lead = await add(admin.browser, 'leads', { name: 'Roof', price: 100 })
  clock.advance(60)
  await admin.browser.patch(`/web/v4/leads/${lead}`, { name: 'Wall' })
  return { ...all, lead, api: all.stranger.as({ token }) }
}

describe('The list of events', () => {
  test('is newest first, with links to each event and its record', async () => {
    const { api, lead, admin, account, ctx } = await office()
    const answer = await api.get('/api/v4/events')
    const [{ id: changed }, { id: added }] = eventsOf(answer)
    const at = `http://demo.localhost:8080/api/v4`
    const entity = { id: lead, _links: { self: { href: `${at}/leads/${lead}` } } }
    const note = await ctx.db.selectFrom('notes').select('id').executeTakeFirstOrThrow()
    const about = { entity_id: lead, entity_type: 'lead', created_by: admin.id }
    expect(answer.headers['content-type']).toBe('application/hal+json')
    expect(answer.body).toEqual({
      _page: 1,
      _links: { self: { href: `${at}/events?page=1&limit=50` } },
      _embedded: {
        events: [
          {
            id: changed,
            type: 'name_field_changed',
            ...about,
            created_at: BEGINNING + 60,
            value_after: [{ name_field_value: { name: 'Wall' } }],
            value_before: [{ name_field_value: { name: 'Roof' } }],
            account_id: account.id,
            _links: { self: { href: `${at}/events/${changed}` } },
            _embedded: { entity },
          },
          {
            id: added,
            type: 'lead_added',
            ...about,
            created_at: BEGINNING,
            value_after: [{ note: { id: note.id } }],
            value_before: [],
            account_id: account.id,
            _links: { self: { href: `${at}/events/${added}` } },
            _embedded: { entity },
          },
        ],
      },
    })
    expect(changed).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
    expect(changed > added).toBe(true)
  })

  test('is empty in a new account', async () => {
    const { admin } = await world()
    const answer = await admin.browser.get(EVENTS)
    expect([answer.status, answer.body._embedded, answer.body._links.next]).toEqual([
      200,
      { events: [] },
      undefined,
    ])
  })

  test('returns at most 250 events per page, and 50 by default', async () => {
    const { admin } = await world()
    await addAll(
      admin.browser,
      'leads',
      Array.from({ length: 250 }, () => ({})),
    )
    await add(admin.browser, 'leads')
    const shown = async (query: string) => {
      const answer = await admin.browser.get(`${EVENTS}${query}`)
      return answer.status === 200 ? eventsOf(answer).length : answer.body['validation-errors'][0].errors
    }
    expect(await shown('')).toBe(50)
    expect(await shown('?limit=250')).toBe(250)
    expect(await shown('?limit=251')).toEqual([
      { code: 'OutOfRange', path: 'limit', detail: 'This value should be 250 or less.' },
    ])
    expect(await shown('?limit=0')).toEqual([
      { code: 'OutOfRange', path: 'limit', detail: 'This value should be 1 or more.' },
    ])
    expect(await shown('?page=2&limit=250')).toBe(1)
  })

  test('requires a caller and shows nothing of another account', async () => {
    const { stranger, addAccount, addPerson, api } = await office()
    const elsewhere = await addPerson({ account: await addAccount('other'), is_admin: true })
    const [one] = idsOf(await api.get('/api/v4/events'))
    expect((await stranger.get('/api/v4/events')).status).toBe(401)
    expect((await stranger.get(EVENTS)).status).toBe(401)
    expect(eventsOf(await elsewhere.browser.get(EVENTS))).toEqual([])
    expect((await elsewhere.browser.get(`${EVENTS}/${one}`)).status).toBe(404)
    expect(eventsOf(await elsewhere.browser.get(`${EVENTS}?filter[id]=${one}`))).toEqual([])
  })

  test('is unavailable in an unpaid account', async () => {
    const { api, ctx } = await office()
    const [one] = idsOf(await api.get('/api/v4/events'))
    await ctx.db
      .transaction()
      .execute((tx) => tx.updateTable('accounts').set({ paid_until: BEGINNING }).execute())
    for (const path of ['', `/${one}`, '/types']) {
      const { status, body } = await api.get(`/api/v4/events${path}`)
      expect([path, status, body.title]).toEqual([path, 402, 'Payment Required'])
    }
  })
})

describe('Paging through the log', () => {
  test('with `next` returns every event once while others are added', async () => {
    const { admin } = await world()
    const { browser } = admin
    await addAll(
      browser,
      'leads',
      Array.from({ length: 30 }, () => ({})),
    )
    const before = idsOf(await browser.get(`${EVENTS}?limit=250`))
    const seen: string[] = []
    for (let url: string | undefined = `${EVENTS}?limit=7`; url; ) {
      const answer: Answer = await browser.get(url)
      seen.push(...idsOf(answer))
      url = answer.body._links.next?.href
      await addAll(browser, 'leads', [{}, {}, {}])
    }
    expect(seen).toEqual(before)
  })

  test('with page numbers works in both directions', async () => {
    const { admin } = await world()
    await addAll(
      admin.browser,
      'leads',
      Array.from({ length: 10 }, () => ({})),
    )
    const pages = await followed(admin.browser, `${EVENTS}?limit=4&filter[type]=lead_added`)
    expect(pages.map((page) => page.length)).toEqual([4, 4, 2])
    for (const [i, page] of pages.entries()) {
      const url = `${EVENTS}?limit=4&filter[type]=lead_added&page=${i + 1}`
      expect(idsOf(await admin.browser.get(url))).toEqual(page)
    }
    const last = await admin.browser.get(`${EVENTS}?limit=4&page=3&filter[type]=lead_added`)
    expect(idsOf(await admin.browser.get(last.body._links.prev.href))).toEqual(pages[1])
    expect(last.body._links.next).toBeUndefined()
  })

  test('keeps filters in its links and ignores a position of another page', async () => {
    const { admin } = await world()
    await addAll(
      admin.browser,
      'leads',
      Array.from({ length: 5 }, () => ({})),
    )
    const first = await admin.browser.get(
      `${EVENTS}?limit=2&filter[type][]=lead_added&filter[type][]=lead_deleted`,
    )
    const { href } = first.body._links.next
    expect(decodeURIComponent(href)).toBe(
      'http://demo.localhost:8080/web/v4/events?limit=2&filter[type][0]=lead_added&filter[type][1]=lead_deleted' +
        `&page=2&position=2.${idsOf(first)[1]}`,
    )
    const third = await admin.browser.get(href.replace('page=2&', 'page=3&'))
    expect(idsOf(third)).toEqual(
      idsOf(await admin.browser.get(`${EVENTS}?limit=2&page=3&filter[type]=lead_added`)),
    )
    for (const position of ['2.x', '2.', 'x', '2.%00', ''])
      expect((await admin.browser.get(`${EVENTS}?limit=2&page=2&position=${position}`)).status).toBeLessThan(
        401,
      )
  })
})

describe('One event', () => {
  test('has the form that it has in the list', async () => {
    const { api } = await office()
    const [event] = eventsOf(await api.get('/api/v4/events'))
    const answer = await api.get(`/api/v4/events/${event.id}`)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/hal+json'])
    expect(answer.body).toEqual(event)
    expect((await api.get(`/api/v4/events/${event.id.toUpperCase()}`)).body).toEqual(event)
  })

  test('names the request that caused it, with `with`', async () => {
    const { admin, lead, api } = await office()
    const { headers } = await admin.browser.patch(`/web/v4/leads/${lead}`, { price: 200 })
    const [event] = eventsOf(await api.get('/api/v4/events?limit=1&with=request_id'))
    expect(event).not.toHaveProperty('request_id')
    const { body } = await api.get(`/api/v4/events/${event.id}?with=request_id,lead_name`)
    expect(body).toMatchObject({
      id: event.id,
      type: 'sale_field_changed',
      request_id: headers['x-request-id'],
    })
    expect(body._embedded.entity.name).toBe('Wall')
  })

  test.each(['01pz58t6p04ymgsgfbmfyfy1mf', '1', 'x'.repeat(64), "'", '~', '%25'])(
    '%s is not found',
    async (id) => {
      const { api } = await office()
      const { status, headers, body } = await api.get(`/api/v4/events/${id}`)
      expect([status, headers['content-type'], body.detail]).toEqual([
        404,
        'application/problem+json',
        'Entity not found',
      ])
    },
  )
})

describe('with', () => {
  const names = [
    'lead_name',
    'contact_name',
    'company_name',
    'customer_name',
    'catalog_element_name',
    'catalog_name',
  ]
  const entityOf = async (caller: Client, filter: string, name: string) => {
    const [event] = eventsOf(await caller.get(`${EVENTS}?limit=1&filter[entity]=${filter}&with=${name}`))
    const { id: _, _links, ...entity } = event._embedded.entity
    return entity
  }

  test.each([
    ['leads', 'lead'],
    ['contacts', 'contact'],
    ['companies', 'company'],
    ['customers', 'customer'],
  ])('adds names for %s only on request', async (type, kind) => {
    const { admin } = await world()
    const id = await add(admin.browser, type, { name: 'A "quoted"\nname' })
    expect(await entityOf(admin.browser, kind, '')).toEqual({})
    expect(
      await entityOf(admin.browser, kind, names.filter((name) => name !== `${kind}_name`).join()),
    ).toEqual({})
    expect(await entityOf(admin.browser, kind, `nonsense,${kind}_name`)).toEqual({ name: 'A "quoted"\nname' })
    await admin.browser.delete(`/web/v4/${type}/${id}`)
    expect(await entityOf(admin.browser, kind, names.join())).toEqual({ name: 'A "quoted"\nname' })
    const [{ id: event }] = eventsOf(await admin.browser.get(`${EVENTS}?limit=1`))
    const one = await admin.browser.get(`${EVENTS}/${event}?with[]=${kind}_name`)
    expect(one.body._embedded.entity.name).toBe('A "quoted"\nname')
  })

  test('names elements and their lists', async () => {
    const { admin } = await world()
    const list = await add(admin.browser, 'catalogs', { name: 'Goods' })
    const element = await add(admin.browser, `catalogs/${list}/elements`, { name: 'Nail' })
    await admin.browser.patch(`/web/v4/catalogs/${list}/elements`, [{ id: element, name: 'Screw' }])
    const shown = (name: string) => entityOf(admin.browser, `catalog_${list}`, name)
    expect(await shown('catalog_element_name')).toEqual({ name: 'Screw' })
    expect(await shown('catalog_name')).toEqual({ catalog_name: 'Goods' })
    expect(await shown(names.join())).toEqual({ name: 'Screw', catalog_name: 'Goods' })
    const [{ _embedded }] = eventsOf(await admin.browser.get(`${EVENTS}?limit=1`))
    expect(_embedded.entity._links.self.href).toBe(
      `http://demo.localhost:8080/web/v4/catalogs/${list}/elements/${element}`,
    )
  })
})

describe('Event types', () => {
  const typesOf = async ({ admin }: Pick<World, 'admin'>, query = '') =>
    (await admin.browser.get(`${EVENTS}/types${query}`)).body

  test('are listed first, then one entry per custom field', async () => {
    const all = await world()
    const text = { name: 'Colour', type: 'text' }
    const field = await add(all.admin.browser, 'leads/custom_fields', text)
    const body = await typesOf(all)
    const entries = body._embedded.events_types
    const keysOf = (some: { key: string }[]) => some.map(({ key }) => key)
    const own = entries.filter(
      ({ key }: { key: string }) => key.startsWith('custom_field_') && /\d/.test(key),
    )
    expect(body._total_items).toBe(entries.length)
    expect(body._links).toEqual({ self: { href: 'http://demo.localhost:8080/web/v4/events/types' } })
    expect(keysOf(entries.slice(0, -own.length))).toEqual(Object.keys(eventTypes))
    expect(entries[0]).toEqual({ key: 'lead_added', type: 1, lang: 'New lead' })
    expect(own.at(-1)).toEqual({
      key: `custom_field_${field}_value_changed`,
      type: 24,
      lang: 'Field “Colour” changed',
    })
    expect(entries.slice(-own.length)).toEqual(own)
  })

  test('have names in four languages, by default in the reader’s own', async () => {
    const all = await world()
    const first = async (query: string) => (await typesOf(all, query))._embedded.events_types[0].lang
    const shown = await Promise.all(languages.map((code) => first(`?language_code=${code}`)))
    expect(shown).toEqual(['New lead', 'Nuevo lead', 'Новая сделка', 'Novo lead'])
    const ru = await all.addPerson({ name: 'Rita', lang: 'ru' })
    for (const query of ['', '?language_code='])
      expect((await typesOf({ admin: ru }, query))._embedded.events_types[0].lang).toBe('Новая сделка')
    expect(await typesOf(all, '?language_code=de')).toMatchObject({
      status: 400,
      'validation-errors': [{ errors: [{ code: 'NotSupportedChoice', path: 'language_code' }] }],
    })
  })
})

test('several filters find the same events, however many rows the event loop reads for them', async () => {
  const { ctx, account, admin, lead } = await office()
  const changes = Array.from({ length: 12 }, (_, n) => (n % 4 === 0 ? { name: `Wall ${n}` } : { price: n }))
  for (const change of changes) await admin.browser.patch(`/web/v4/leads/${lead}`, change)
  const reader = { actor: { account_id: account.id } as Actor, visibilities: null }
  for (const query of [
    `filter[created_by]=${admin.id}&filter[type]=name_field_changed`,
    'filter[created_by]=0,1,2,3&filter[type]=name_field_changed,lead_added',
    'filter[entity]=lead&filter[type]=name_field_changed',
    `filter[entity]=lead&filter[entity_id]=${lead}&filter[created_by]=${admin.id}`,
    `filter[entity]=lead&filter[type]=sale_field_changed&filter[value_after][value]=2`,
  ])
    for (const direction of ['older', 'newer'] as const)
      for (const slice of [{ limit: 2 }, { limit: 2, offset: 1 }, { limit: 50 }]) {
        const filter = await readEventFilter(ctx, parseQuery(query).filter)
        const read = (few: number, first: number) =>
          readSlice(ctx.db, reader, { filter, direction, from: null }, slice, { ...BOUNDS, few, first })
        const whole = await read(0, 1_000)
        if (!slice.offset) expect(whole.length, query).toBeGreaterThan(0)
        for (const few of [0, 4, 1_000])
          for (const first of [1, 3]) expect(await read(few, first), query).toEqual(whole)
      }
})

test.runIf(process.env.TEST_DATABASE === 'sqlite')(
  'the first filter that few events meet selects the index',
  async () => {
    const { ctx, account, admin, lead } = await office()
    for (const price of [1, 2, 3]) await admin.browser.patch(`/web/v4/leads/${lead}`, { price })
    const leading = async (query: string) => {
      const filter = await readEventFilter(ctx, parseQuery(query).filter)
      const scan: Scan = { account_id: account.id, filter, direction: 'older', from: null }
      return (await bySelectiveFilter(ctx.db, scan, 3)).leading
    }
    const many = `filter[created_by]=${admin.id}`
    expect(await leading(`${many}&filter[type]=sale_field_changed`)).toBeUndefined()
    expect(await leading(`${many}&filter[type]=name_field_changed`)).toBe(1)
    expect(await leading(`${many}&filter[type]=sale_field_changed&filter[entity]=contact`)).toBe(2)
    expect(await leading('filter[created_by]=7&filter[type]=name_field_changed')).toBe(0)
    expect(await leading('filter[type]=name_field_changed')).toBeUndefined()
  },
)

test('several filters find the visible events of a person with limited rights', async () => {
  const { admin, addPerson, lead } = await office()
  const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'D' } as const
  const everything = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' } as const
  const rights = completeRights({ leads: own, contacts: everything, companies: everything })
  const person = await addPerson({ rights })
  const given = await add(admin.browser, 'leads', { name: 'Door', responsible_user_id: person.id })
  await add(admin.browser, 'contacts', { name: 'Ada' })
  for (const id of [lead, given]) await admin.browser.patch(`/web/v4/leads/${id}`, { name: `New ${id}` })
  const asked = `${EVENTS}?filter[created_by]=${admin.id}&filter[type]=name_field_changed,lead_added,contact_added`
  const read = async (caller: Client, url: string) =>
    eventsOf(await caller.get(url)).map(({ type, entity_id }) => `${type} ${entity_id}`)
  const all = await read(admin.browser, asked)
  const visible = all.filter((event) => !event.endsWith(` ${lead}`))
  expect(visible).toHaveLength(3)
  expect(all.length).toBeGreaterThan(visible.length)
  expect(await read(person.browser, asked)).toEqual(visible)
  expect(await read(person.browser, `${asked}&limit=1&page=2`)).toEqual(visible.slice(1, 2))
})
