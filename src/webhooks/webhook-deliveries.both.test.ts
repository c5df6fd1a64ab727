import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { queue } from '../../test/fixtures/deliveries.ts'
import { connect, consent, register } from '../../test/fixtures/integrations.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { itemsOf, subscribed } from '../../test/fixtures/webhooks.ts'
import { type World, world } from '../../test/world.ts'

const SETTINGS = '/web/webhooks'

const read = async ({ admin }: World, id: number) => (await admin.browser.get(`${SETTINGS}/${id}`)).body
const deliveries = async ({ admin }: World, id: number, query = '') =>
  (await admin.browser.get(`${SETTINGS}/${id}/deliveries${query}`)).body.deliveries

/** Attempts of one delivery to a receiver that always answers so, as seconds after the first one. */
async function attempts(place: World, status: number): Promise<number[]> {
  const hook = await subscribed(place, ['add_lead'], () => status)
  const start = place.clock.now()
  await add(place.admin.browser, 'leads', { name: 'Roof' })
  const times: number[] = []
  for (let second = 0; second < 40; second++) {
    for (const _ of await hook.arrived()) times.push(place.clock.now() - start)
    place.clock.advance(300)
  }
  return times
}

describe('The plan of the platform', () => {
  onEmbedded.each([
    [500, [0, 300, 1200, 2100, 5700]],
    [499, [0, 300, 1200, 2100, 5700]],
    [404, [0, 300, 1200]],
    [302, [0, 300, 1200]],
    [410, [0, 300, 1200]],
    [204, [0]],
  ])('after %s, attempts are made after %s seconds', async (status, times) => {
    const place = await world({ ownServer: true })
    expect((await place.admin.browser.put(`${SETTINGS}/plan`, { plan: 'platform' })).status).toBe(204)
    expect(await attempts(place, status)).toEqual(times)
  })

  onEmbedded(
    'disables a webhook after more than a hundred failures in two hours, until a person enables it',
    async () => {
      const place = await world({ ownServer: true })
      const { browser } = place.admin
      await browser.put(`${SETTINGS}/plan`, { plan: 'platform' })
      let status = 404
      const hook = await subscribed(place, ['add_lead'], () => status)
      const addLeads = async (count: number) => {
        for (let i = 0; i < count; i++) await add(browser, 'leads', { name: `Lead ${i}` })
        return (await hook.arrived()).length
      }
      expect(await addLeads(60)).toBe(60)
      place.clock.advance(7_201)
      // These and the second attempts of the first ones fail; those of two hours ago do not count.
      expect(await addLeads(20)).toBe(80)
      expect(await read(place, hook.id)).toMatchObject({ disabled: false })
      await addLeads(25)
      const disabled = await read(place, hook.id)
      expect(disabled).toMatchObject({
        disabled: true,
        disable_reason: 'failures',
        disabled_at: place.clock.now(),
      })
      expect(disabled.health.waiting).toBe(0)
      const [entry] = (await browser.get('/web/audit')).body.entries
      expect(entry).toMatchObject({
        action: 'webhook.disabled',
        details: { id: hook.id, reason: 'failures' },
      })
      expect(await addLeads(1)).toBe(0)
      status = 200
      expect((await browser.patch(`${SETTINGS}/${hook.id}`, { disabled: false })).body.disabled).toBe(false)
      expect(await addLeads(1)).toBe(1)
    },
  )
})

describe('The patient plan', () => {
  onEmbedded('opens a circuit for the failing webhook only, and resumes when it answers', async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    let status = 500
    const failing = await subscribed(place, ['add_lead'], () => status)
    const working = await subscribed(place, ['add_lead'])
    for (let i = 0; i < 20; i++) await add(browser, 'leads', { name: `Lead ${i}` })
    expect((await working.arrived()).length).toBe(20)
    const before = await read(place, failing.id)
    const failing_since = place.clock.now()
    expect(before).toMatchObject({ disabled: false, health: { state: 'open', waiting: 20, failing_since } })
    expect(failing.hits.length).toBeLessThan(20)
    status = 200
    place.clock.set(before.health.next_probe_at)
    await failing.arrived()
    // The first failures wait for their own second attempts.
    place.clock.advance(60)
    await failing.arrived()
    expect(await read(place, failing.id)).toMatchObject({
      health: { state: 'closed', waiting: 0, failing_since: null },
    })
  })

  onEmbedded('shows that a request is repeated, also if the endpoint answers', async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    let status = 200
    const hook = await subscribed(place, ['add_lead'], () => status)
    const arrived = async (name: string) => {
      await add(browser, 'leads', { name })
      await hook.arrived()
      return (await read(place, hook.id)).health
    }
    expect(await arrived('A')).toMatchObject({ failures: 0, is_retrying: false })
    status = 404
    expect(await arrived('B')).toMatchObject({ state: 'closed', failures: 0, is_retrying: true })
  })

  test('delivers to nine receivers while a tenth does not answer', async () => {
    const place = await world({ ownServer: true })
    const slow = await subscribed(place, ['add_lead'], () => 'hang')
    const fast = await Promise.all(Array.from({ length: 9 }, () => subscribed(place, ['add_lead'])))
    const drafts = Array.from({ length: 30 }, (_, i) => ({ name: `Lead ${i}` }))
    for (const draft of drafts) await add(place.admin.browser, 'leads', draft)
    const sent = place.app.deliveries.runDue()
    await expect.poll(() => fast.map(({ hits }) => hits.length)).toEqual(fast.map(() => 30))
    // A few requests to the slow one are in flight, and have no answer yet.
    expect(slow.hits.length).toBeLessThan(10)
    const names = fast.map(({ hits }) => hits.flatMap(itemsOf).map(({ name }) => name))
    for (const received of names)
      expect(received.toSorted()).toEqual(drafts.map(({ name }) => name).toSorted())
    for (let answered = 0; answered < 30; answered = slow.hits.length) {
      slow.release(200)
      await sleep(20)
    }
    slow.release(200)
    await sent
    expect(slow.hits.flatMap(itemsOf)).toHaveLength(30)
  })

  onEmbedded('disables a webhook that answers 410', async () => {
    const place = await world({ ownServer: true })
    const hook = await subscribed(place, ['add_lead'], () => 410)
    for (let i = 0; i < 6; i++) {
      await add(place.admin.browser, 'leads', { name: `Lead ${i}` })
      await hook.arrived()
      place.clock.advance(700)
    }
    expect(await read(place, hook.id)).toMatchObject({ disabled: true, disable_reason: 'gone' })
  })
})

describe('Deliveries', () => {
  test('are listed with their attempts, and sent again one by one or since a time', async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    let status = 410
    const hook = await subscribed(place, ['add_lead'], () => ({ status, body: 'no' }) as const)
    const first = await add(browser, 'leads', { name: 'First' })
    await hook.arrived()
    await browser.patch(`${SETTINGS}/${hook.id}`, { disabled: false })
    const [listed] = await deliveries(place, hook.id, '?state=failed')
    expect(listed).toMatchObject({ state: 'failed', subject: 'leads[add]', attempts: 1, last_status: 410 })
    const details = (await browser.get(`${SETTINGS}/${hook.id}/deliveries/${listed.id}`)).body
    expect(details).toMatchObject({
      url: hook.destination,
      tries: [{ attempt: 1, status: 410, answer: 'no' }],
    })
    expect(itemsOf(details)).toMatchObject([{ id: String(first) }])
    status = 200
    place.clock.advance(60)
    const since = place.clock.now()
    await addAll(browser, 'leads', [{ name: 'Second' }])
    await addAll(browser, 'leads', [{ name: 'Third' }])
    expect((await hook.arrived()).length).toBe(2)
    const replayed = async (draft: object) => {
      const answer = await browser.post(`${SETTINGS}/${hook.id}/replay`, draft)
      expect(answer.status).toBe(200)
      // Requests about different records have no order.
      const names = (await hook.arrived()).flatMap(itemsOf).map(({ name }) => name)
      return [answer.body, names.sort()]
    }
    expect(await replayed({ ids: [listed.id] })).toMatchObject([{ replayed: 1, next: null }, ['First']])
    expect(await replayed({ from: since, to: since, state: 'delivered' })).toMatchObject([
      { replayed: 3, next: null },
      ['First', 'Second', 'Third'],
    ])
    expect(await replayed({ from: since + 1 })).toMatchObject([{ replayed: 0, next: null }, []])
    for (const draft of [{}, { to: since }, { ids: [] }, { ids: Array(501).fill(1) }, { from: 'x' }])
      expect((await browser.post(`${SETTINGS}/${hook.id}/replay`, draft)).status).toBe(400)
    await browser.patch(`${SETTINGS}/${hook.id}`, { disabled: true })
    expect((await browser.post(`${SETTINGS}/${hook.id}/replay`, { from: 0 })).status).toBe(409)
  })

  test('of a period are sent again once, however many portions there are and however soon they arrive', async () => {
    const place = await world({ ownServer: true })
    const hook = await subscribed(place, ['add_lead'])
    const drafts = Array.from({ length: 510 }, (_, i) => ({
      ...{ kind: 'webhook', subject: String(hook.id), circuit: `webhook:${hook.id}` },
      ...{ url: hook.destination, body: `n=${i}` },
    }))
    await queue(place, drafts)
    await hook.arrived()
    const replay = async (draft: object) =>
      (await place.admin.browser.post(`${SETTINGS}/${hook.id}/replay`, draft)).body
    const from = place.clock.now()
    const first = await replay({ from })
    expect(first).toEqual({ replayed: 500, next: expect.any(Number), up_to: expect.any(Number) })
    // The clock stands still: what was sent again is of the same second.
    expect(await hook.arrived()).toHaveLength(500)
    const { next: after, up_to } = first
    expect(await replay({ from, after, up_to })).toEqual({ replayed: 10, next: null, up_to })
    expect(await hook.arrived()).toHaveLength(10)
  })

  test('begin as soon as the change is committed', async () => {
    const place = await world({ ownServer: true })
    const hook = await subscribed(place, ['add_lead'])
    place.app.deliveries.start()
    const waits: number[] = []
    for (let i = 1; i <= 3; i++) {
      await add(place.admin.browser, 'leads', { name: `Lead ${i}` })
      const start = performance.now()
      await expect.poll(() => hook.hits, { interval: 10 }).toHaveLength(i)
      waits.push(performance.now() - start)
    }
    // Without a notification, each but the first waits until the queue is read again, after five seconds.
    expect(Math.min(...waits.slice(1))).toBeLessThan(3_000)
  })

  onEmbedded('are signed if the webhook has a secret', async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    const hook = await subscribed(place, ['add_lead'])
    // A session that began a while ago.
    place.clock.advance(3_600)
    expect((await browser.post(`${SETTINGS}/${hook.id}/secret`)).body.type).toMatch(/password_needed$/)
    const fresh = await place.signIn(place.admin)
    const { secret } = (await fresh.post(`${SETTINGS}/${hook.id}/secret`)).body
    expect(await read(place, hook.id)).toMatchObject({ is_signed: true })
    await add(browser, 'leads', { name: 'Roof' })
    const [hit] = await hook.arrived()
    const { headers, body } = hit as { headers: Record<string, string>; body: string }
    expect(headers['x-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(text).digest('base64')}`)
    expect((await browser.delete(`${SETTINGS}/${hook.id}/secret`)).status).toBe(204)
    await add(browser, 'leads', { name: 'Roof' })
    const [unsigned] = await hook.arrived()
    expect(unsigned?.headers['x-signature']).toBeUndefined()
  })

  test('are cancelled when the webhook is removed', async () => {
    const place = await world({ ownServer: true })
    const { browser } = place.admin
    const hook = await subscribed(place, ['add_lead'])
    await add(browser, 'leads', { name: 'Roof' })
    expect((await browser.delete(`${SETTINGS}/${hook.id}`)).status).toBe(204)
    expect(await hook.arrived()).toEqual([])
    expect((await browser.get(`${SETTINGS}/${hook.id}/deliveries`)).status).toBe(404)
  })

  onEmbedded('and settings are for administrators of the account', async () => {
    const place = await world()
    const hook = await subscribed(place, ['add_lead'])
    const ann = await place.addPerson()
    const other = await place.addPerson({ account: await place.addAccount('other'), is_admin: true })
    const requests = [
      ['get', ''],
      ['patch', ''],
      ['delete', ''],
      ['post', '/secret'],
      ['delete', '/secret'],
      ['get', '/deliveries'],
      ['get', '/deliveries/1'],
      ['post', '/replay'],
    ] as const
    for (const [method, path] of requests) {
      const ask = ({ browser }: typeof ann) =>
        method === 'patch' || method === 'post'
          ? browser[method](`${SETTINGS}/${hook.id}${path}`, {})
          : browser[method](`${SETTINGS}/${hook.id}${path}`)
      expect([method, path, (await ask(ann)).status]).toEqual([method, path, 403])
      expect([method, path, (await ask(other)).status]).toEqual([method, path, 404])
    }
    expect((await ann.browser.get(SETTINGS)).status).toBe(403)
    expect((await other.browser.get(SETTINGS)).body).toEqual({ webhooks: [] })
    expect((await ann.browser.put(`${SETTINGS}/plan`, { plan: 'platform' })).status).toBe(403)
    expect((await read(place, hook.id)).settings).toEqual(['add_lead'])
  })
})

test('two webhooks that get one address at once do not both keep it, and neither request fails by chance', async () => {
  const place = await world()
  const { browser } = place.admin
  const at = (name: string) => ({ destination: `https://hook.example/${name}`, settings: ['add_lead'] })
  const { id } = (await browser.post('/web/v4/webhooks', at('old'))).body
  const rounds = Array.from({ length: 8 }, (_, i) => at(`new-${i}`))
  for (const draft of rounds) {
    const [changed, added] = await Promise.all([
      browser.patch(`${SETTINGS}/${id}`, { destination: draft.destination }),
      browser.post('/web/v4/webhooks', draft),
    ])
    expect([`${changed.status} ${added.status}`]).toEqual([expect.stringMatching(/^(200 200|400 201)$/)])
  }
  const { webhooks } = (await browser.get(SETTINGS)).body
  const addresses = webhooks.map(({ destination }: { destination: string }) => destination)
  expect(new Set(addresses).size).toBe(addresses.length)
})

onEmbedded('the webhook of an integration names it without its id, and is disabled with it', async () => {
  const place = await world()
  const shop = await register(place.admin, { access: 'public' })
  const olga = await place.addPerson({ is_admin: true, account: await place.addAccount('other') })
  const { code } = await consent(olga, shop)
  const there = place.stranger.as({ host: 'other.localhost:8080' })
  const { access_token } = await connect(there, shop, code)
  const draft = { destination: 'https://hook.example/', settings: ['add_lead'] }
  expect((await there.as({ token: access_token }).post('/api/v4/webhooks', draft)).status).toBe(201)
  const { text, body } = await olga.browser.get(SETTINGS)
  expect(body.webhooks).toMatchObject([{ integration: { name: 'Shop' }, disabled: false }])
  expect(text).not.toContain(shop.client_id)
  const [{ id, integration }] = body.webhooks
  expect((await olga.browser.post(`/web/installations/${integration.id}/disable`)).status).toBe(204)
  const uninstalled = { disabled: true, disable_reason: 'uninstalled' }
  expect((await olga.browser.get(`${SETTINGS}/${id}`)).body).toMatchObject(uninstalled)
  // Another one subscribes the same address: now it belongs to that one.
  const next = await register(place.admin, { name: 'Next', access: 'public' })
  const pair = await connect(there, next, (await consent(olga, next)).code)
  expect((await there.as({ token: pair.access_token }).post('/api/v4/webhooks', draft)).status).toBe(200)
  const [again] = (await olga.browser.get(SETTINGS)).body.webhooks
  expect(again).toMatchObject({ id, integration: { name: 'Next' }, disabled: false })
  await olga.browser.post(`/web/installations/${again.integration.id}/disable`)
  expect((await olga.browser.get(`${SETTINGS}/${id}`)).body).toMatchObject(uninstalled)
})

test('a sample shows what a change of the latest record would announce', async () => {
  const place = await world()
  const { browser } = place.admin
  const sample = async (code: string) => (await browser.get(`${SETTINGS}/sample?code=${code}`)).body.body
  expect(await sample('add_lead')).toBeNull()
  const lead = await add(browser, 'leads', { name: 'Roof', tags_to_add: [{ name: 'big' }] })
  await browser.post(`/web/v4/leads/${lead}/notes`, [{ note_type: 'common', params: { text: 'Hi' } }])
  expect(itemsOf({ body: await sample('add_lead') })).toMatchObject([
    { id: String(lead), tags: [{ name: 'big' }] },
  ])
  expect(itemsOf({ body: await sample('note_lead') })).toMatchObject([{ note: { text: 'Hi' } }])
  expect(Object.keys(itemsOf({ body: await sample('delete_lead') })[0] as object)).toEqual([
    'id',
    'status_id',
    'pipeline_id',
  ])
  expect((await browser.get(`${SETTINGS}/sample?code=none`)).status).toBe(400)
})
