import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { queue } from '../../test/fixtures/deliveries.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { bodyOf, itemsOf, subjectOf, subscribed } from '../../test/fixtures/webhooks.ts'
import { BEGINNING, world } from '../../test/world.ts'
import { replaceOrders } from './queries.ts'
import { webhookCodeNames } from './webhook-types.ts'
import { fanOut } from './webhooks.ts'

const URL_OF = '/web/v4/webhooks'

describe('Subscriptions', () => {
  test('are added, changed by their address, listed and removed', async () => {
    const { admin } = await world()
    const { browser } = admin
    const destination = 'https://hook.example/in?a=1,2'
    expect(await browser.get(URL_OF)).toMatchObject({
      status: 200,
      body: { _total_items: 0, _embedded: { webhooks: [] } },
    })
    const settings = ['add_lead', 'status_lead']
    const added = await browser.post(URL_OF, { destination, settings, sort: 10 })
    const webhook = {
      id: added.body.id,
      destination,
      created_at: BEGINNING,
      updated_at: BEGINNING,
      account_id: 1,
      created_by: admin.id,
      sort: 1,
      disabled: false,
      settings,
    }
    expect([added.status, added.body]).toEqual([201, webhook])
    const changed = await browser.post(URL_OF, { destination, settings: ['add_task', 'add_task'] })
    expect([changed.status, changed.body]).toEqual([200, { ...webhook, settings: ['add_task'] }])
    await browser.post(URL_OF, { destination: `${destination}/`, settings })
    const found = await browser.get(`${URL_OF}?filter[destination]=${encodeURIComponent(destination)}`)
    expect(found.body).toEqual({ _total_items: 1, _embedded: { webhooks: [changed.body] } })
    expect((await browser.delete(URL_OF, { destination })).status).toBe(204)
    expect((await browser.delete(URL_OF, { destination })).status).toBe(404)
    expect((await browser.get(URL_OF)).body._total_items).toBe(1)
  })

  test('are added by pages for new addresses only: those of others keep their settings', async () => {
    const { admin } = await world()
    const { browser } = admin
    const destination = 'https://hook.example/in'
    const added = await browser.post('/web/webhooks', { destination, settings: ['add_lead'] })
    expect([added.status, added.body.destination, added.body.settings]).toEqual([
      201,
      destination,
      ['add_lead'],
    ])
    const again = await browser.post('/web/webhooks', { destination, settings: ['add_task'] })
    expect(faultsOf(again)).toEqual([400, '0 NotUnique destination'])
    const { webhooks } = (await browser.get(URL_OF)).body._embedded
    expect(webhooks.map((one: { settings: string[] }) => one.settings)).toEqual([['add_lead']])
  })

  onEmbedded('are for administrators, and refuse what they cannot send to', async () => {
    const { admin, addPerson, stranger, ctx } = await world()
    const ann = await addPerson()
    const valid = { destination: 'https://hook.example/', settings: ['add_lead'] }
    expect((await stranger.post(URL_OF, valid)).status).toBeOneOf([401, 403])
    const { browser } = ann
    const denied = [browser.get(URL_OF), browser.post(URL_OF, valid), browser.delete(URL_OF, valid)]
    for (const { status } of await Promise.all(denied)) expect(status).toBe(403)
    const refusals: [object, string][] = [
      [{ ...valid, destination: 'ftp://hook.example/' }, 'destination'],
      [{ ...valid, destination: 'hook' }, 'destination'],
      [{ ...valid, destination: 'https://хук.example/' }, 'destination'],
      [{ ...valid, destination: 'https://a:b@hook.example/' }, 'destination'],
      [{ ...valid, destination: `https://hook.example/${'a'.repeat(2_048)}` }, 'destination'],
      [{ ...valid, settings: [] }, 'settings'],
      [{ ...valid, settings: ['add_lead', 'add_moon'] }, 'settings.1'],
      [{ destination: valid.destination }, 'settings'],
      [{ settings: ['add_lead'] }, 'destination'],
    ]
    for (const [body, path] of refusals) {
      const { status, body: problem } = await admin.browser.post(URL_OF, body)
      expect([status, problem['validation-errors']?.[0].errors[0].path]).toEqual([400, path])
    }
    expect(await ctx.db.selectFrom('webhooks').select('id').execute()).toEqual([])
  })

  onEmbedded('are at most a hundred in an account', async () => {
    const { admin } = await world()
    const at = (i: number) => ({ destination: `https://hook.example/${i}`, settings: webhookCodeNames })
    for (let i = 0; i < 100; i++) expect((await admin.browser.post(URL_OF, at(i))).status).toBe(201)
    const { status, body } = await admin.browser.post(URL_OF, at(100))
    expect([status, body.detail]).toEqual([422, 'An account can have at most 100 webhooks.'])
    expect((await admin.browser.post(URL_OF, at(99))).status).toBe(200)
  })
})

describe('Changes of leads', () => {
  onEmbedded('are announced as the platform does, to the byte', async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    const hook = await subscribed(place, [
      'add_lead',
      'status_lead',
      'update_lead',
      'delete_lead',
      'restore_lead',
    ])
    const id = await add(browser, 'leads', { name: 'Roof & (attic) ~ ü', price: 900 })
    const [added] = await hook.arrived()
    const { status_id, pipeline_id } = (await browser.get(`/web/v4/leads/${id}`)).body
    const account =
      'account%5Bsubdomain%5D=demo&account%5Bid%5D=1&account%5B_links%5D%5Bself%5D=http%3A%2F%2Fdemo.localhost%3A8080'
    const of = (action: string, members: [string, unknown][]) =>
      members.map(([name, value]) => `&leads%5B${action}%5D%5B0%5D%5B${name}%5D=${value}`).join('')
    const rest: [string, unknown][] = [
      ['price', 900],
      ['responsible_user_id', place.admin.id],
      ['last_modified', BEGINNING],
      ['modified_user_id', place.admin.id],
      ['created_user_id', place.admin.id],
      ['date_create', BEGINNING],
      ['pipeline_id', pipeline_id],
      ['account_id', 1],
      ['created_at', BEGINNING],
      ['updated_at', BEGINNING],
    ]
    const name = 'Roof+%26+%28attic%29+%7E+%C3%BC'
    expect(added?.body).toBe(
      account + of('add', [['id', id], ['name', name], ['status_id', status_id], ...rest]),
    )
    expect(added?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'amoCRM-Webhooks/3.0',
    })
    await browser.patch(`/web/v4/leads/${id}`, { status_id: 142 })
    const moved = await hook.arrived()
    expect(moved.map(subjectOf)).toEqual(['leads[status]', 'leads[update]'])
    expect(moved.map((hit) => itemsOf(hit)[0])).toEqual(
      [0, 1].map(() => expect.objectContaining({ status_id: '142', old_status_id: String(status_id) })),
    )
    await browser.delete(`/web/v4/leads/${id}`)
    const [deleted] = await hook.arrived()
    expect(deleted?.body).toBe(
      account +
        of('delete', [
          ['id', id],
          ['status_id', 142],
          ['pipeline_id', pipeline_id],
        ]),
    )
    await browser.post(`/web/v4/leads/${id}/restore`)
    expect((await hook.arrived()).map(subjectOf)).toEqual(['leads[restore]'])
  })

  test('of a batch leave stored ordering keys only until they have arrived', async () => {
    const place = await world({ ownServer: true })
    const hook = await subscribed(place, ['add_lead'])
    const stored = async () =>
      (await place.ctx.db.selectFrom('webhook_orders').select('record').execute()).length
    const sweep = place.app.chores.find(({ name }) => name === 'ended orders of webhooks')
    await addAll(place.admin.browser, 'leads', [{ name: 'a' }, { name: 'b' }])
    await fanOut(place.ctx)()
    place.clock.advance(3_601)
    await sweep?.run()
    expect(await stored()).toBe(2)
    await hook.arrived()
    await sweep?.run()
    expect(await stored()).toBe(0)
  })

  test('of batches whose requests are still pending do not keep the stored keys of others', async () => {
    const place = await world({ ownServer: true })
    const { ctx, account, clock } = place
    const orderOf = (record: string, key: string) => ({
      ...{ account_id: account.id, record, created_at: clock.now() },
      ordering_keys: JSON.stringify({ 1: key }),
    })
    await queue(place, [{ url: 'http://hook.example/', ordering_key: 'pending' }])
    const waiting = Array.from({ length: 600 }, (_, i) => orderOf(`leads ${10_000 + i}`, 'pending'))
    const ended = Array.from({ length: 600 }, (_, i) => orderOf(`leads ${20_000 + i}`, 'ended'))
    await ctx.db.transaction().execute((tx) => replaceOrders(tx, [...waiting, ...ended]))
    clock.advance(3_601)
    await place.app.chores.find(({ name }) => name === 'ended orders of webhooks')?.run()
    const left = await ctx.db.selectFrom('webhook_orders').select('record').orderBy('record').execute()
    expect(left).toEqual(waiting.map(({ record }) => ({ record })))
  })

  test('of a batch are sent together, at most fifty, and follow each other', async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    const hook = await subscribed(place, ['add_lead', 'update_lead'])
    const ids = await addAll(
      browser,
      'leads',
      Array.from({ length: 120 }, (_, i) => ({ name: `no ${i}` })),
    )
    // Before the first requests are sent, one lead and then some of them change again.
    await browser.patch(`/web/v4/leads/${ids[60]}`, { name: 'once' })
    await browser.patch(
      '/web/v4/leads',
      ids.slice(55, 65).map((id) => ({ id, name: 'twice' })),
    )
    const hits = await hook.arrived()
    expect(hits.map((hit) => [subjectOf(hit), itemsOf(hit).length])).toEqual([
      ['leads[add]', 50],
      ['leads[add]', 50],
      ['leads[add]', 20],
      ['leads[update]', 1],
      ['leads[update]', 10],
    ])
    const names = hits.flatMap(itemsOf).filter(({ id }) => id === String(ids[60]))
    expect(names.map(({ name }) => name)).toEqual(['no 60', 'once', 'twice'])
    expect(bodyOf(hits[0] as { body: string }).account).toEqual({
      subdomain: 'demo',
      id: '1',
      _links: { self: 'http://demo.localhost:8080' },
    })
  })
})
