import { parse as parseForm } from 'qs'
import { describe, expect } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { automated } from '../../test/fixtures/automation.ts'
import { answering } from '../../test/fixtures/deliveries.ts'
import { type Registered, register } from '../../test/fixtures/integrations.ts'
import { lastExchange } from '../../test/fixtures/request-log.ts'
import { type Person, type World, world } from '../../test/world.ts'

const LOOPBACK = { env: { OUTBOUND_ALLOW: '127.0.0.0/8' }, ownServer: true }
const PASSWORD = 'blue otter & sings 9'
const AT = '/web/v4/widgets/demo_pbx'

const setting = (key: string, type: string) => ({ key, name: key, type, is_required: false })
const settings_template = [
  setting('login', 'text'),
  setting('password', 'pass'),
  setting('lines', 'users_lp'),
]

async function describeWidget(person: Person, { client_id }: Registered, more: object) {
  const manifest = { code: 'demo_pbx', version: '1.0.0', settings_template, ...more }
  return person.browser.put(`/web/integrations/${client_id}/widget`, manifest)
}

/** A pipeline, and an installed widget that a receiver answers for. */
async function withWidget(w: World, answer: () => number = () => 200) {
  const { url, hits } = await answering(answer)
  const integration = await register(w.admin, { name: 'PBX of Acme' })
  const described = await describeWidget(w.admin, integration, { webhook_url: `${url}/hook?key=1` })
  const lines = { [w.admin.id]: { login: 'a', password: PASSWORD } }
  const installed = await w.admin.browser.post(AT, { login: 'acme', password: PASSWORD, lines })
  expect([described.status, installed.status]).toEqual([200, 200])
  return { ...(await automated(w)), url, hits, integration }
}

const parse = (body: string) => parseForm(body, { depth: 9, parseArrays: false })

const action = { type: 'call_widget', code: 'demo_pbx' } as const
const stored = async ({ ctx }: World) => {
  const deliveries = await ctx.db.selectFrom('deliveries').selectAll().execute()
  const bodies = await ctx.db.selectFrom('delivery_bodies').selectAll().execute()
  const runs = await ctx.db.selectFrom('automation_runs').selectAll().execute()
  return decodeURIComponent(JSON.stringify([deliveries, bodies, runs]).replaceAll('+', ' '))
}

describe('a rule calls a widget', () => {
  onEmbedded('with the settings of the account, which are not stored with the call', async () => {
    const w = await world(LOOPBACK)
    const { stages, rule, lead, move, run, runs, pipeline, at, hits } = await withWidget(w)
    const [from, to] = stages as [number, number]
    const { browser } = w.admin
    expect((await browser.get('/web/widgets/callable')).body).toEqual({
      widgets: [{ code: 'demo_pbx', name: 'PBX of Acme' }],
    })
    const [id] = await rule({ status_id: to, action: { ...action, url: 'x' } as typeof action })
    const shown = (await browser.get(`${at}/${id}`)).body
    expect([shown.action, shown.problem]).toEqual([action, null])
    const moved = await lead(from)
    const entered = w.clock.now()
    await move(moved, to)
    const created = await lead(to)
    await run()
    expect((await runs()).map(({ state }) => state)).toEqual(['sending', 'sending'])
    expect(await stored(w)).not.toContain(PASSWORD)
    w.clock.advance(5)
    await w.app.deliveries.runDue()
    const sent = hits.map(({ body }) => parse(body)).sort((a, b) => bodyId(a) - bodyId(b))
    const bodyOf = (lead_id: number, type: string, type_code: string) => ({
      event: {
        type,
        type_code,
        data: {
          id: String(lead_id),
          element_type: '2',
          status_id: String(to),
          pipeline_id: String(pipeline.id),
          direction_of_movement: 'went_in_trigger',
        },
        time: String(entered),
      },
      action: {
        settings: {
          widget: {
            settings: {
              login: 'acme',
              password: PASSWORD,
              lines: { [w.admin.id]: { login: 'a', password: PASSWORD } },
            },
          },
        },
      },
      subdomain: 'demo',
      account_id: String(w.account.id),
    })
    expect(sent).toEqual([bodyOf(moved, '14', 'lead_status_changed'), bodyOf(created, '1', 'lead_added')])
    const [{ body, path, headers }] = hits as [(typeof hits)[number]]
    expect(Object.keys(parse(body))).toEqual(['event', 'action', 'subdomain', 'account_id'])
    expect([path, headers['content-type'], headers['user-agent']]).toEqual([
      '/hook?key=1',
      'application/x-www-form-urlencoded',
      'amoCRM-Webhooks/3.0',
    ])
    const recorded = await lastExchange(w, 'direction=out')
    expect(recorded).toMatchObject({ operation: 'automation', request: { body: null } })
    expect(recorded.request.size).toBe(String(hits.at(-1)?.body).length)
    const listed = await browser.get(`${at}/runs`)
    expect(listed.body._embedded.runs[1]).toEqual({
      id: expect.any(Number),
      automation_id: id,
      action: 'call_widget',
      lead_id: moved,
      lead_name: 'Deal',
      pipeline_id: pipeline.id,
      status_id: to,
      state: 'done',
      reason: null,
      detail: null,
      created_at: entered,
      planned_at: entered,
      ended_at: w.clock.now(),
      task_id: null,
      message_id: null,
      call: { attempts: 1, next_attempt_at: null, last_status: 200, last_error: null },
    })
    const audit = await browser.get('/web/audit')
    expect([await stored(w), listed.text, audit.text].join()).not.toContain(PASSWORD)
  })

  onEmbedded('again after a failure, with what the widget has then', async () => {
    const w = await world(LOOPBACK)
    let status = 500
    const { stages, rule, lead, run, outcomes, hits } = await withWidget(w, () => status)
    const [status_id] = stages as [number]
    await rule({ status_id, action })
    await lead(status_id)
    await run()
    await w.app.deliveries.runDue()
    status = 200
    await w.admin.browser.post(AT, { login: 'other' })
    w.clock.advance(600)
    await w.app.deliveries.runDue()
    const logins = hits.map(({ body }) =>
      new URLSearchParams(body).get('action[settings][widget][settings][login]'),
    )
    expect(logins).toEqual(['acme', 'other'])
    expect(await outcomes()).toEqual(['call_widget done'])
  })
})

describe('nothing is sent', () => {
  onEmbedded('before the run acts, if the widget lost its address, or was uninstalled', async () => {
    const w = await world(LOOPBACK)
    const { stages, rule, lead, run, outcomes, hits, at, integration, url } = await withWidget(w)
    const [status_id] = stages as [number]
    const [id] = await rule({ status_id, action })
    await lead(status_id)
    await describeWidget(w.admin, integration, {})
    await run()
    await describeWidget(w.admin, integration, { webhook_url: url })
    await lead(status_id)
    await w.admin.browser.delete(AT)
    await run()
    await w.app.deliveries.runDue()
    expect(await outcomes()).toEqual([
      'call_widget failed widget_missing',
      'call_widget failed widget_missing',
    ])
    expect((await w.admin.browser.get(`${at}/${id}`)).body.problem).toBe('widget_missing')
    expect((await w.admin.browser.get('/web/widgets/callable')).body).toEqual({ widgets: [] })
    expect(hits).toEqual([])
  })

  onEmbedded(
    'after the run has queued it, if the widget was uninstalled or its integration disabled',
    async () => {
      const w = await world(LOOPBACK)
      const { stages, rule, lead, run, runs, outcomes, hits, integration } = await withWidget(w)
      const [status_id] = stages as [number]
      await rule({ status_id, action })
      await lead(status_id)
      await run()
      await w.admin.browser.post(`/web/installations/${integration.client_id}/disable`)
      await w.app.deliveries.runDue()
      expect(await outcomes()).toEqual(['call_widget failed widget_missing'])
      expect((await runs())[0]?.call).toMatchObject({ attempts: 1, next_attempt_at: null })
      expect(hits).toEqual([])
    },
  )
})

onEmbedded(
  'a rule names a widget that is installed and takes calls, otherwise the choices are listed',
  async () => {
    const w = await world(LOOPBACK)
    const { stages, at, integration, url } = await withWidget(w)
    const { browser } = w.admin
    const ask = async (more: object) =>
      browser.post(at, [{ status_id: stages[0], action: { type: 'call_widget', ...more } }])
    const second = await register(w.admin)
    await describeWidget(w.admin, second, { code: 'silent', settings_template: [] })
    await browser.post('/web/v4/widgets/silent', {})
    const third = await register(w.admin)
    await describeWidget(w.admin, third, { code: 'absent', settings_template: [], webhook_url: url })
    const silent = await ask({ code: 'silent' })
    expect(silent.body['validation-errors'][0].errors).toEqual([
      {
        code: 'NotSupportedChoice',
        path: 'action.code',
        detail: 'The value you selected is not a valid choice. It should be demo_pbx.',
      },
    ])
    expect([
      faultsOf(silent),
      faultsOf(await ask({ code: 'absent' })),
      faultsOf(await ask({ code: 'none' })),
      faultsOf(await ask({})),
    ]).toEqual([
      [400, '0 NotSupportedChoice action.code'],
      [400, '0 NotSupportedChoice action.code'],
      [400, '0 NotSupportedChoice action.code'],
      [400, '0 FieldMissing action.code'],
    ])
    expect((await browser.get(at)).status).toBe(204)
    const other = await w.addPerson({ account: await w.addAccount('other'), is_admin: true })
    expect((await other.browser.get('/web/widgets/callable')).body).toEqual({ widgets: [] })
    const bob = await w.addPerson()
    expect((await bob.browser.get('/web/widgets/callable')).status).toBe(403)
    for (const webhook_url of [
      'ftp://x',
      'https://user:pass@hook.example/',
      'https://hook.example:22/',
      'no',
    ])
      expect(faultsOf(await describeWidget(w.admin, integration, { webhook_url }))).toEqual([
        400,
        '0 InvalidFormat webhook_url',
      ])
  },
)

const bodyId = (body: ReturnType<typeof parse>): number =>
  Number((body as { event: { data: { id: string } } }).event.data.id)
