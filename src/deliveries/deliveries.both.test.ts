import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { answering, queue, stateOf } from '../../test/fixtures/deliveries.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { add } from '../../test/fixtures/records.ts'
import { helper } from '../../test/fixtures/request-log.ts'
import { subscribed } from '../../test/fixtures/webhooks.ts'
import { type World, world } from '../../test/world.ts'
import { isPostgres } from '../db/dialect.ts'
import { type DeliverySource, selectOfSources } from '../outbound/history-queries.ts'
import type { Delivery } from './schemas.ts'

const AT = '/web/deliveries'
const URL = 'http://receiver.example/hook'

const list = async (here: World, query = ''): Promise<Delivery[]> => {
  const { status, body, text } = await here.admin.browser.get(`${AT}${query && `?${query}`}`)
  if (status !== 200) throw new Error(text)
  return body.deliveries
}

/** An integration with a disable hook that has been called. */
async function disabledIntegration(here: World) {
  const receiver = await answering()
  const integration = await register(here.admin, { disable_hook_url: `${receiver.url}/disabled?mine=1` })
  await connect(here.stranger, integration)
  await here.admin.browser.post(`/web/installations/${integration.client_id}/disable`)
  await here.app.deliveries.runDue()
  return { receiver, integration, receiver_name: `integration:${integration.client_id}` }
}

/** One delivery of each kind, in this order. */
const queueEach = (here: World) =>
  queue(here, [
    { url: URL, kind: 'webhook', subject: '12', circuit: 'webhook:12' },
    { url: URL, kind: 'chat_message', subject: 'm1', circuit: 'channel:c-1' },
    { url: URL, kind: 'automation', subject: '5', circuit: 'automation:3' },
    { url: URL, kind: 'disable_hook', subject: 'i-1', method: 'GET' },
    { url: URL, kind: 'webhook', subject: '13', circuit: 'webhook:13' },
  ])

const change = (here: World, id: number, columns: Record<string, unknown>) =>
  here.ctx.db
    .transaction()
    .execute((tx) => tx.updateTable('deliveries').set(columns).where('id', '=', id).execute())

describe('What the account sends', () => {
  test('is listed with its receiver, its state and its last answer', async () => {
    const here = await world()
    const hook = await subscribed(here, ['add_lead'], () => ({ status: 200, body: 'thanks' }))
    await add(here.admin.browser, 'leads')
    await hook.arrived()
    const { integration, receiver_name } = await disabledIntegration(here)
    const [called, sent] = await list(here)
    expect(sent).toMatchObject({
      kind: 'webhook',
      event: 'leads[add]',
      receiver: `webhook:${hook.id}`,
      receiver_name: hook.destination,
      integration_id: null,
      state: 'delivered',
      attempts: 1,
      last_status: 200,
      last_error: null,
    })
    expect(called).toMatchObject({
      kind: 'disable_hook',
      event: null,
      method: 'GET',
      receiver: receiver_name,
      receiver_name: expect.stringMatching(/./),
      integration_id: integration.client_id,
    })
    const one = await here.admin.browser.get(`${AT}/${sent?.id}`)
    expect(one.body).toMatchObject({
      can_be_sent_again: true,
      body: expect.stringContaining('leads'),
      tries: [{ attempt: 1, status: 200, answer: 'thanks' }],
    })
  })

  test('does not show the signature of a disable hook', async () => {
    const here = await world()
    const { receiver } = await disabledIntegration(here)
    const [hit] = receiver.hits
    const [, signature = ''] = /signature=([0-9a-f]{64})/.exec(hit?.path ?? '') ?? []
    expect(signature).toHaveLength(64)
    const [called] = await list(here)
    expect(called?.url).toContain(`signature=[signature ...${signature.slice(-4)}]`)
    const texts = [
      (await here.admin.browser.get(AT)).text,
      (await here.admin.browser.get(`${AT}/${called?.id}`)).text,
      (await helper(here).get('/test_helpers/deliveries')).text,
    ]
    for (const text of texts) expect(text).not.toContain(signature)
  })

  test('names the rules that call by the URL that they call', async () => {
    const here = await world()
    const { body } = await here.admin.browser.get('/web/v4/leads/pipelines')
    const { id } = body._embedded.pipelines[0]
    const at = `/web/v4/leads/pipelines/${id}/automations`
    const rules = await here.admin.browser.post(at, [
      { status_id: 142, action: { type: 'create_task', text: 'Call' } },
      { status_id: 142, action: { type: 'call_url', url: URL } },
    ])
    const receiver = `automation:${rules.body._embedded.automations[1].id}`
    const { receivers } = (await here.admin.browser.get(`${AT}/receivers`)).body
    expect(receivers).toEqual([{ receiver, name: URL, integration_id: null }])
    await queue(here, [{ url: URL, kind: 'automation', subject: '1', circuit: receiver }])
    expect(await list(here)).toMatchObject([{ receiver, receiver_name: URL }])
  })

  test('can be filtered by kind, receiver, integration and state', async () => {
    const here = await world()
    const { integration } = await disabledIntegration(here)
    const [first] = await list(here)
    const [webhook = 0, message = 0, call = 0, hook = 0, other = 0] = await queueEach(here)
    await change(here, webhook, { state: 'delivered', ended_at: 1 })
    await change(here, message, { state: 'failed', ended_at: 1 })
    const cases: [query: string, ids: (number | undefined)[]][] = [
      ['', [other, hook, call, message, webhook, first?.id]],
      ['kind=webhook', [other, webhook]],
      ['kind=disable_hook', [hook, first?.id]],
      ['receiver=webhook:12', [webhook]],
      ['receiver=webhook:99', []],
      ['receiver=channel:c-1', [message]],
      ['receiver=automation:3', [call]],
      ['receiver=channel:c-1&kind=webhook', []],
      [`integration=${integration.client_id}`, [first?.id]],
      [`integration=${integration.client_id}&kind=webhook`, []],
      ['integration=nobody', []],
      ['state=failed', [message]],
      ['state=delivered', [webhook, first?.id]],
      ['state=pending', [other, hook, call]],
      ['state=pending&kind=automation', [call]],
      ['state=failed&receiver=channel:c-1', [message]],
    ]
    for (const [query, ids] of cases)
      expect([query, (await list(here, query)).map(({ id }) => id)]).toEqual([query, ids])
    const helped = await helper(here).get('/test_helpers/deliveries?kind=webhook')
    expect(helped.body.deliveries.map(({ id }: Delivery) => id)).toEqual([other, webhook])
    expect((await helper(here).get(`/test_helpers/deliveries/${other}`)).body).toMatchObject({ id: other })
  })

  test('has pages of all sources together, without gaps', async () => {
    const here = await world()
    const ids: number[] = []
    for (let i = 0; i < 5; i++) ids.push(...(await queueEach(here)))
    const read: number[] = []
    for (let before: number | null = null, first = true; first || before; first = false) {
      const { body } = await here.admin.browser.get(`${AT}?limit=4${before ? `&before=${before}` : ''}`)
      read.push(...body.deliveries.map(({ id }: Delivery) => id))
      before = body.next
    }
    expect(read).toEqual(ids.toReversed())
  })

  onEmbedded('is for administrators of its account', async () => {
    const here = await world()
    await here.addAccount('acme')
    const [id] = await queueEach(here)
    const person = await here.addPerson({ is_admin: false })
    const other = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
    for (const path of [AT, `${AT}/receivers`, `${AT}/${id}`]) {
      expect([path, (await here.stranger.get(path)).status]).toEqual([path, 401])
      expect([path, (await person.browser.get(path)).status]).toEqual([path, 403])
    }
    const writes = [`${AT}/${id}/send`, `${AT}/replay`]
    for (const path of writes) {
      const body = path.endsWith('replay') ? { receiver: 'webhook:12', from: 0 } : undefined
      expect([path, (await here.stranger.post(path, body)).status]).toEqual([path, 401])
      expect([path, (await person.browser.post(path, body)).status]).toEqual([path, 403])
    }
    expect((await other.browser.get(AT)).body).toEqual({ deliveries: [], next: null })
    expect((await other.browser.get(`${AT}/${id}`)).status).toBe(404)
    expect((await other.browser.post(`${AT}/${id}/send`)).status).toBe(404)
    expect((await here.stranger.get('/test_helpers/deliveries')).status).toBe(401)
    expect(
      (await helper(here).as({ host: 'acme.localhost:8080' }).get(`/test_helpers/deliveries/${id}`)).status,
    ).toBe(404)
  })

  onEmbedded('refuses wrong filters and names the member', async () => {
    const here = await world()
    const wrong: [query: string, path: string][] = [
      ['kind=letter', 'kind'],
      ['receiver=nobody', 'receiver'],
      [`receiver=webhook:${'1'.repeat(100)}`, 'receiver'],
      ['state=lost', 'state'],
      ['before=0', 'before'],
      ['before=1e30', 'before'],
      ['limit=251', 'limit'],
      [`integration=${'x'.repeat(65)}`, 'integration'],
    ]
    for (const [query, path] of wrong) {
      const { status, body } = await here.admin.browser.get(`${AT}?${query}`)
      const found = body['validation-errors']?.[0].errors[0].path ?? body.detail
      expect([query, status, found]).toEqual([query, 400, path])
    }
    for (const id of ['0', 'x', '9'.repeat(30)])
      expect((await here.admin.browser.get(`${AT}/${id}`)).status).toBe(404)
  })
})

describe('Sending again', () => {
  test('queues the same request to a webhook or a hook as a new delivery', async () => {
    const here = await world()
    const hook = await subscribed(here, ['add_lead'])
    await add(here.admin.browser, 'leads')
    await hook.arrived()
    const { receiver } = await disabledIntegration(here)
    for (const { id } of await list(here))
      expect((await here.admin.browser.post(`${AT}/${id}/send`)).status).toBe(204)
    await here.app.deliveries.runDue()
    expect(hook.hits.map(({ body }) => body)).toEqual([hook.hits[0]?.body, hook.hits[0]?.body])
    expect(receiver.paths()).toEqual([receiver.paths()[0], receiver.paths()[0]])
    expect((await list(here)).map(({ state }) => state)).toEqual(Array(4).fill('delivered'))
    const { body } = await here.admin.browser.get('/web/audit')
    const actions = body.entries.map(({ action }: { action: string }) => action)
    expect(actions.slice(0, 2).sort()).toEqual(['delivery.sent_again', 'webhook.replayed'])
  })

  onEmbedded(
    'is refused while a delivery is pending, after a message was delivered, and to a removed webhook',
    async () => {
      const here = await world()
      const [webhook = 0, message = 0] = await queueEach(here)
      const refused = async (id: number) => {
        const { status, body } = await here.admin.browser.post(`${AT}/${id}/send`)
        return [status, body?.detail]
      }
      expect(await refused(webhook)).toEqual([
        409,
        'The delivery has not ended. It is attempted again by itself.',
      ])
      await change(here, webhook, { state: 'failed', ended_at: 1 })
      expect((await refused(webhook))[0]).toBe(404)
      await change(here, message, { state: 'delivered', ended_at: 1 })
      expect((await refused(message))[0]).toBe(409)
      expect([await stateOf(here, webhook), await stateOf(here, message)]).toEqual(['failed', 'delivered'])
      expect(await list(here)).toHaveLength(5)
    },
  )

  test('does not know receivers that cannot exist, nor what was only streamed', async () => {
    const here = await world()
    for (const receiver of ['webhook:x', 'webhook:0', 'automation:x', `webhook:${'9'.repeat(20)}`]) {
      const { status, body } = await here.admin.browser.post(`${AT}/replay`, { receiver, from: 0 })
      expect([receiver, status, body['validation-errors']?.[0].errors[0].path]).toEqual([
        receiver,
        400,
        'receiver',
      ])
    }
    expect((await here.admin.browser.post(`${AT}/replay`, { receiver: 'webhook:999', from: 0 })).status).toBe(
      404,
    )
    await helper(here).get('/test_helpers/listen?session=session-of-a-test')
    await add(here.admin.browser, 'leads')
    await here.app.deliveries.runDue()
    const streamed = await here.ctx.db.selectFrom('deliveries').select(['id', 'kind']).execute()
    expect(streamed.map(({ kind }) => kind)).toEqual(['webhook_listener'])
    for (const { id } of streamed) {
      expect((await here.admin.browser.get(`${AT}/${id}`)).status).toBe(404)
      expect((await here.admin.browser.post(`${AT}/${id}/send`)).status).toBe(404)
    }
  })

  test('of all that a receiver got since a time goes in portions, the oldest first', async () => {
    const here = await world()
    const { receiver, receiver_name } = await disabledIntegration(here)
    const [first] = await list(here)
    const id = receiver_name.split(':')[1] as string
    here.clock.advance(100)
    const since = here.clock.now()
    const later = await queue(
      here,
      [1, 2, 3].map((n) => ({
        url: `${receiver.url}/${n}`,
        kind: 'disable_hook',
        subject: id,
        method: 'GET',
      })),
    )
    await here.app.deliveries.runDue()
    const send = (draft: object) =>
      here.admin.browser.post(`${AT}/replay`, { receiver: receiver_name, ...draft })
    expect((await send({ from: since })).body).toMatchObject({ replayed: 3, next: null })
    await here.app.deliveries.runDue()
    expect(receiver.paths().slice(-3)).toEqual(['/1', '/2', '/3'])
    expect((await send({ from: since, state: 'failed' })).body).toMatchObject({ replayed: 0, next: null })
    expect((await send({ from: since, to: since - 1 })).body).toMatchObject({ replayed: 0, next: null })
    expect((await send({ from: since, after: later[2] })).body).toMatchObject({ replayed: 3, next: null })
    expect(first?.created_at).toBeLessThan(since)
    const channel = await here.admin.browser.post(`${AT}/replay`, { receiver: 'channel:c-1', from: 0 })
    expect(channel.status).toBe(409)
    expect((await send({})).status).toBe(400)
    const misspelt = await send({ from: since, states: 'failed' })
    expect(faultsOf(misspelt)).toEqual([400, '0 NotSupportedChoice '])
    expect((await here.admin.browser.post(`${AT}/replay`, { receiver: 'x', from: 0 })).status).toBe(400)
  })
})

describe('The statements of the list', () => {
  /** PostgreSQL finds what is frequent in the primary key as well. */
  const frequent = /deliveries_pkey/
  const plans: [what: string, sources: DeliverySource[], range: object, index: string, RegExp?][] = [
    ['a kind', [{ kind: 'webhook' }], {}, 'deliveries_by_kind', frequent],
    ['a rare kind', [{ kind: 'chat_message' }], {}, 'deliveries_by_kind'],
    ['the next page of a kind', [{ kind: 'webhook' }], { before: 100 }, 'deliveries_by_kind', frequent],
    ['a webhook', [{ kind: 'webhook', subject: '3' }], {}, 'deliveries_by_subject', frequent],
    ['a channel', [{ kind: 'chat_message', circuit: 'channel:1' }], {}, 'deliveries_of_circuit'],
    ['pending ones', [{ kind: 'webhook' }], { state: 'pending' }, 'deliveries_pending'],
    ['failed ones', [{ kind: 'webhook' }], { state: 'failed' }, 'deliveries_failed_of_kind'],
  ]

  /** Many deliveries of webhooks, most of them delivered, and few of a channel. */
  async function manyDeliveries(here: World) {
    const template = { url: URL, ordering_key: null }
    for (let part = 0; part < 10; part++)
      await queue(
        here,
        Array.from({ length: 1_000 }, (_, i) =>
          i % 500 === 7
            ? { ...template, kind: 'chat_message', subject: `m${part}${i}`, circuit: 'channel:1' }
            : { ...template, kind: 'webhook', subject: String(i % 5), circuit: `webhook:${i % 5}` },
        ),
      )
    const { db } = here.ctx
    await db.transaction().execute(async (tx) => {
      const ended = tx.updateTable('deliveries').where('id', '>', 100)
      await ended.set({ state: 'delivered', ended_at: 1 }).execute()
      await tx.updateTable('deliveries').where('id', '<', 40).set({ state: 'failed', ended_at: 1 }).execute()
    })
    if (isPostgres(db)) await db.executeQuery(CompiledQuery.raw('analyze deliveries'))
  }

  test('read ranges of indexes at any size, without sorting more than the pages of their sources', async () => {
    const here = await world()
    await manyDeliveries(here)
    const { db } = here.ctx
    const found: unknown[] = []
    for (const [what, sources, range, index, other] of plans) {
      const text = await planOf(here, sources, range)
      const isFound = text.includes(index) || (isPostgres(db) && other?.test(text) === true)
      found.push([what, isFound, /SCAN deliveries|Seq Scan on deliveries/.test(text)])
      const ids = await selectOfSources(db, 1, sources, range, 'desc', 3)
      expect([what, ids]).toEqual([what, ids.toSorted((a, b) => b - a)])
      expect([what, ids.length]).toEqual([what, 3])
    }
    expect(found).toEqual(plans.map(([what]) => [what, true, false]))
  })

  async function planOf({ ctx: { db } }: World, sources: DeliverySource[], range: object): Promise<string> {
    const statements: CompiledQuery[] = []
    const watched = db.withPlugin({
      transformQuery: ({ node, queryId: _ }) => {
        statements.push(db.getExecutor().compileQuery(node, { queryId: '' } as never))
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await selectOfSources(watched, 1, sources, range, 'desc', 51)
    const [{ sql, parameters }] = statements as [CompiledQuery]
    const explain = isPostgres(db) ? 'explain' : 'explain query plan'
    const { rows } = await db.executeQuery(CompiledQuery.raw(`${explain} ${sql}`, [...parameters]))
    return JSON.stringify(rows)
  }
})
