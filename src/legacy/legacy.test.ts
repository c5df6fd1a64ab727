import { describe, expect, test } from 'vitest'
import { register } from '../../test/fixtures/integrations.ts'
import { legacyClient } from '../../test/fixtures/legacy.ts'
import { BEGINNING, world } from '../../test/world.ts'

const everything = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' }

describe('accounts/current', () => {
  test('has what old clients look up by id', async () => {
    const place = await world()
    const api = await legacyClient(place)
    const { status, body } = await api.get('accounts/current')
    const { account } = body.response
    expect([status, body.response.server_time]).toEqual([200, BEGINNING])
    expect(account).toMatchObject({
      id: String(place.account.id),
      name: place.account.name,
      subdomain: 'demo',
      currency: 'USD',
      language: 'en',
      current_user: place.admin.id,
      timezoneoffset: '+00:00',
    })
    expect(account.users).toEqual([
      expect.objectContaining({
        id: String(place.admin.id),
        login: place.admin.email,
        is_admin: 'Y',
        rights_lead_view: 'A',
        rights_company_delete: 'A',
      }),
    ])
    const phone = account.custom_fields.contacts.find(({ code }: { code: string }) => code === 'PHONE')
    expect(phone).toMatchObject({ name: 'Phone', multiple: 'Y', type_id: '8', disabled: '0' })
    expect(Object.values(phone.enums)).toContain('WORK')
    const [pipeline] = Object.values(account.pipelines) as { id: number; statuses: object }[]
    expect(account.leads_statuses.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      Object.keys(pipeline?.statuses ?? {}).toSorted(),
    )
    expect(account.note_types).toContainEqual({ id: 4, name: '', code: 'COMMON', editable: 'Y' })
    expect(account.task_types).toContainEqual({ id: 1, name: 'Follow-up', code: 'FOLLOW_UP' })
  })

  test('shows a person without administration no addresses and rights of others', async () => {
    const place = await world()
    const ann = await place.addPerson({ name: 'Ann', rights: { leads: everything } as never })
    const api = await legacyClient(place, ann)
    const { users } = (await api.get('accounts/current')).body.response.account
    expect(users).toEqual([
      { id: String(place.admin.id), name: place.admin.name, last_name: null, group_id: 0 },
      { id: String(ann.id), name: 'Ann', last_name: null, group_id: 0 },
    ])
  })
})

describe('webhooks', () => {
  const url = 'https://hook.example/in'

  test('are subscribed, extended, reduced and removed', async () => {
    const api = await legacyClient(await world())
    const change = (action: string, events: unknown) =>
      api.set(`webhooks/${action}`, { webhooks: { [action]: [{ url, events }] } })
    const listed = async () => (await api.get('webhooks/list')).body.response.webhooks
    const answer = await change('subscribe', ['add_lead'])
    expect([answer.status, answer.body.response.webhooks]).toEqual([
      200,
      { subscribe: [{ url, events: ['add_lead'], result: true }] },
    ])
    await change('subscribe', 'status_lead')
    expect(await listed()).toEqual([{ url, events: ['add_lead', 'status_lead'], disabled: false }])
    await change('unsubscribe', ['add_lead'])
    expect(await listed()).toEqual([{ url, events: ['status_lead'], disabled: false }])
    await change('unsubscribe', ['add_lead', 'status_lead'])
    expect(await listed()).toEqual([])
    const unknown = await change('unsubscribe', ['add_lead'])
    expect(unknown.body.response.error).toBe(
      'request.webhooks.unsubscribe.0.url: This URL is not subscribed.',
    )
    const wrong = await change('subscribe', ['add_leads'])
    expect(wrong.body.response.error).toContain('request.webhooks.subscribe.0.events.0: ')
  })

  test('are all subscribed or removed, or none of them', async () => {
    const api = await legacyClient(await world())
    const events = ['add_lead']
    const change = async (action: string, ...urls: string[]) => {
      const items = urls.map((one) => ({ url: one, events }))
      const { status, body } = await api.set(`webhooks/${action}`, { webhooks: { [action]: items } })
      return [status, body.response.error]
    }
    const listed = async () =>
      (await api.get('webhooks/list')).body.response.webhooks.map((one: { url: string }) => one.url)
    expect(await change('subscribe', url, 'ftp://hook.example')).toEqual([
      400,
      expect.stringMatching(/^request\.webhooks\.subscribe\.1\.url: Invalid URL\./),
    ])
    expect(await listed()).toEqual([])
    expect(await change('subscribe', url, `${url}/2`)).toEqual([200, undefined])
    expect(await change('unsubscribe', url, `${url}/3`)).toEqual([
      400,
      'request.webhooks.unsubscribe.1.url: This URL is not subscribed.',
    ])
    expect(await listed()).toEqual([url, `${url}/2`])
    expect(await change('unsubscribe', url, `${url}/2`)).toEqual([200, undefined])
    expect(await listed()).toEqual([])
  })

  test('stay disabled when events are taken from them', async () => {
    const place = await world()
    const api = await legacyClient(place)
    const change = (action: string, events: unknown) =>
      api.set(`webhooks/${action}`, { webhooks: { [action]: [{ url, events }] } })
    const listed = async () => (await api.get('webhooks/list')).body.response.webhooks
    await change('subscribe', ['add_lead', 'status_lead'])
    const [{ id }] = (await place.admin.browser.get('/web/webhooks')).body.webhooks
    await place.admin.browser.patch(`/web/webhooks/${id}`, { disabled: true })
    await change('unsubscribe', ['add_lead'])
    expect(await listed()).toEqual([{ url, events: ['status_lead'], disabled: true }])
    await change('subscribe', ['add_lead'])
    expect(await listed()).toEqual([{ url, events: ['status_lead', 'add_lead'], disabled: false }])
  })
})

describe('A caller of the legacy API', () => {
  test('needs a token, or the login with a long-lived token as hash', async () => {
    const place = await world()
    const path = '/private/api/v2/json/accounts/current'
    expect((await place.stranger.get(path)).body.response.error_code).toBe(110)
    const { client_id } = await register(place.admin)
    const made = await place.admin.browser.post(`/web/installations/${client_id}/long-lived-tokens`, {
      name: 'old',
      days: 1,
    })
    const query = new URLSearchParams({ USER_LOGIN: place.admin.email, USER_HASH: made.body.access_token })
    const { status, body } = await place.stranger.get(`${path}?${query}`)
    expect([status, body.response.account.subdomain]).toEqual([200, 'demo'])
  })

  test('sends JSON or a form', async () => {
    const place = await world()
    const { v4, get, set } = await legacyClient(place)
    const form =
      'request[leads][add][0][name]=Roof+repair&request[leads][add][0][price]=900&request[leads][add][0][tags]=a,b'
    const answer = await v4.post('/private/api/v2/json/leads/set', form, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect([answer.status, answer.body.response.leads.add.length]).toEqual([200, 1])
    const [lead] = (await get('leads/list')).body.response.leads
    expect([lead.name, lead.price, lead.tags.length]).toEqual(['Roof repair', 900, 2])
    // A number is the name of a tag, not its id.
    await set('leads/set', { leads: { update: [{ id: lead.id, tags: [2024] }] } })
    const [{ tags }] = (await get('leads/list')).body.response.leads
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(['2024'])
  })

  test('sends JSON with the type that an HTTP library gives a text, or with none', async () => {
    const { v4 } = await legacyClient(await world())
    const add = [{ name: 'Roof repair' }]
    const field = { name: 'Area', type: 2, element_type: 2, origin: 'area-app' }
    const fields = JSON.stringify({ request: { fields: { add: [field] } } })
    for (const type of ['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', '']) {
      const headers = { 'content-type': type }
      const first = await v4.post(
        '/private/api/v2/json/leads/set',
        ` ${JSON.stringify({ request: { leads: { add } } })}`,
        headers,
      )
      expect([type, first.status, first.body.response.leads?.add.length]).toEqual([type, 200, 1])
      const second = await v4.post('/api/v2/leads', JSON.stringify({ add }), headers)
      expect([type, second.status]).toEqual([type, 200])
      expect([type, (await v4.post('/api/v2/leads', '{"add":', headers)).status]).toEqual([type, 400])
      const third = await v4.post('/private/api/v2/json/fields/set', fields, headers)
      expect([type, third.status]).toEqual([type, 200])
    }
  })

  test('sees and changes only what their rights allow', async () => {
    const place = await world()
    const admin = await legacyClient(place)
    const { id } = (await admin.set('leads/set', { leads: { add: [{ name: 'A' }] } })).body.response.leads
      .add[0]
    const ann = await legacyClient(place, await place.addPerson({ name: 'Ann' }))
    expect((await ann.get('leads/list')).status).toBe(204)
    for (const leads of [{ add: [{ name: 'B' }] }, { update: [{ id, name: 'B' }] }]) {
      const answer = await ann.set('leads/set', { leads })
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
    const { browser } = await place.addPerson({
      account: await place.addAccount('other'),
      name: 'Olga',
      is_admin: true,
    })
    expect((await browser.get(`/web/v4/leads/${id}`)).status).toBe(204)
    expect(
      (await admin.get('leads/list')).body.response.leads.map(({ name }: { name: string }) => name),
    ).toEqual(['A'])
  })

  test.each([
    ['nothing', {}, 'request.leads: '],
    ['no items', { leads: {} }, 'The request contains no add and no update items of leads.'],
    ['too many', { leads: { add: Array.from({ length: 251 }, () => ({})) } }, 'request.leads.add: '],
    ['a text', { leads: { add: 'all' } }, 'request.leads.add: '],
    ['an item that is no object', { leads: { add: [1] } }, 'request.leads.add.0: '],
    [
      'fields without a list',
      { leads: { add: [{ custom_fields: 'x' }] } },
      'request.leads.add.0.custom_fields: ',
    ],
    [
      'an unknown field',
      { leads: { add: [{ custom_fields: [{ id: 9, values: [null, 1, {}] }] }] } },
      'request.leads.add.0.',
    ],
    ['odd values', { leads: { add: [{ tags: [{}], linked_company_id: {} }] } }, 'request.leads.add.0.'],
  ])('gets a reason for %s', async (_what, body, error) => {
    const api = await legacyClient(await world())
    const answer = await api.set('leads/set', body)
    expect([answer.status, answer.body.response.error]).toEqual([400, expect.stringContaining(error)])
  })
})
