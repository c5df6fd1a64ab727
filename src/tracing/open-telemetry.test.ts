import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { automated } from '../../test/fixtures/automation.ts'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { imported } from '../../test/fixtures/jobs.ts'
import { idOf } from '../../test/fixtures/traces.ts'
import { subscribed } from '../../test/fixtures/webhooks.ts'
import { collector, type ExportedSpan } from '../../test/programs/collector.ts'
import { receiver } from '../../test/programs/receiver.ts'
import { world } from '../../test/world.ts'
import { freePort } from '../commands/ports.ts'
import { traceIdOf } from './request-ids.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

/** A world that exports its spans to a collector. */
async function exporting(more: Record<string, string> = {}) {
  const there = await collector()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: there.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    ...more,
  }
  // The library reads the environment of the process.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const here = await world({ env })
  const exported = async (): Promise<ExportedSpan[]> => {
    await here.ctx.telemetry?.close()
    return there.spans
  }
  return { here, there, exported }
}

const named = (spans: ExportedSpan[], name: string) => spans.filter((span) => span.name === name)
const one = (spans: ExportedSpan[], name: string): ExportedSpan => {
  const [span, ...others] = named(spans, name)
  expect([name, others.length, span !== undefined]).toEqual([name, 0, true])
  return span as ExportedSpan
}

describe('Spans are exported to the collector of the operator', () => {
  test('one for each request, and one below it for each attempt', async () => {
    const { here, there, exported } = await exporting()
    const hook = await subscribed(here, ['add_lead'], (_hit, n) => (n === 1 ? 503 : 200))
    const answer = await here.admin.browser.post('/web/v4/leads', [{ name: 'A' }])
    await hook.arrived()
    here.clock.advance(3_600)
    await hook.arrived()
    const spans = await exported()
    const request = one(spans, 'POST /web/v4/leads')
    expect(request).toMatchObject({
      traceId: traceIdOf(idOf(answer)),
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/web/v4/leads',
        'http.response.status_code': 200,
        'url.path': '/web/v4/leads',
        'url.scheme': 'http',
        'patchbay.request_id': idOf(answer),
        'patchbay.account_id': here.account.id,
        'patchbay.operation': 'leads.create',
      },
      resource: {
        'service.name': 'patchbay',
        'deployment.environment.name': 'test',
        'process.pid': process.pid,
      },
    })
    expect(request.parentSpanId ?? '').toBe('')
    const attempts = named(spans, 'POST')
    expect(attempts.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([503, 200])
    for (const [i, attempt] of attempts.entries()) {
      expect(attempt).toMatchObject({ traceId: request.traceId, parentSpanId: request.spanId, kind: 3 })
      const sent = `00-${request.traceId}-${attempt.spanId}-01`
      expect(hook.hits[i]?.headers.traceparent).toBe(sent)
    }
    expect(attempts.map(({ status }) => status.code ?? 0)).toEqual([2, 0])
    expect(attempts[1]?.attributes['http.request.resend_count']).toBe(1)
    expect(there.posts.every(({ path }) => path === '/v1/traces')).toBe(true)
  })

  test('the trace of a caller continues, through automation and jobs', async () => {
    const { here, exported } = await exporting()
    const { rule, lead, run, stages } = await automated(here)
    const [from, to] = stages as [number, number]
    const called = await receiver()
    await rule({ status_id: to, action: { type: 'call_url', url: `${called.url}/stage` } })
    const id = await lead(from)
    const sent = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'congo=t61' }
    await here.admin.browser.patch(`/web/v4/leads/${id}`, { status_id: to }, sent)
    await run()
    await here.app.deliveries.runDue()
    await imported(here, here.admin.browser, 'leads', 'Name\nA\nB', {
      mapping: [{ column: 0, target: 'name' }],
    })
    const spans = await exported()
    const request = one(spans, 'PATCH /web/v4/leads/:id')
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, traceState: 'congo=t61' })
    const acted = one(spans, 'automation call_url')
    expect(acted).toMatchObject({ traceId: TRACE, parentSpanId: request.spanId, kind: 1 })
    const call = one(spans, 'POST')
    expect(call).toMatchObject({ traceId: TRACE, parentSpanId: acted.spanId, kind: 3 })
    expect(called.received[0]?.headers.traceparent).toBe(`00-${TRACE}-${call.spanId}-01`)
    const job = one(spans, 'import')
    const start = one(spans, 'POST /web/v4/jobs/:id/start')
    expect(job).toMatchObject({ traceId: start.traceId, parentSpanId: start.spanId })
    expect(Number(job.attributes['patchbay.rows'])).toBe(2)
  })

  test('without secrets: neither those of an address nor those of a receiver', async () => {
    const { here, there, exported } = await exporting()
    const receiving = await receiver()
    const integration = await register(here.admin, {
      redirect_uri: `${receiving.url}/oauth`,
      disable_hook_url: `${receiving.url}/disabled?key=key-of-the-receiver`,
    })
    const tokens = await connect(here.stranger, integration)
    const client = here.stranger.as({ token: tokens.access_token })
    await client.get(`/api/v4/leads?access_token=${tokens.access_token}&page=2`)
    await client.get(`/api/v4/account?client_secret=${integration.client_secret}&x=${tokens.refresh_token}`)
    await here.admin.browser.post(`/web/installations/${integration.client_id}/disable`)
    await here.app.deliveries.runDue()
    const spans = await exported()
    expect(one(spans, 'GET /api/v4/leads').attributes['url.query']).toContain('page=2')
    const call = spans.find(({ attributes }) => attributes['patchbay.kind'] === 'disable_hook')
    expect(call?.attributes['url.full']).toBe(receiving.url)
    const secrets = [
      tokens.access_token,
      tokens.refresh_token,
      integration.client_secret,
      'key-of-the-receiver',
      ...(here.admin.browser.identity.cookie ?? '').split('=').slice(1),
    ]
    expect(secrets.filter((secret) => there.text().includes(secret))).toEqual([])
  })

  test('in protobuf by default, with the headers of the operator', async () => {
    const { here, there, exported } = await exporting({
      OTEL_EXPORTER_OTLP_PROTOCOL: '',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=of-the-collector',
      OTEL_SERVICE_NAME: 'crm of the shop',
    })
    const answer = await here.admin.browser.get('/web/v4/leads')
    await exported()
    const [post] = there.posts
    expect(post?.headers).toMatchObject({
      'content-type': 'application/x-protobuf',
      'x-api-key': 'of-the-collector',
    })
    expect(post?.body.includes(Buffer.from(traceIdOf(idOf(answer)), 'hex'))).toBe(true)
    expect(post?.body.includes('crm of the shop')).toBe(true)
    expect(here.logged()).not.toContain('of-the-collector')
  })

  test('as the sampler says, and receivers learn its decision', async () => {
    const { here, there, exported } = await exporting({
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    })
    const hook = await subscribed(here, ['add_lead'])
    const sampled = { traceparent: `00-${TRACE}-${SPAN}-01` }
    await here.admin.browser.post('/web/v4/leads', [{ name: 'A' }], sampled)
    await here.admin.browser.post('/web/v4/leads', [{ name: 'B' }])
    await hook.arrived()
    const spans = await exported()
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]))
    // Deliveries of two leads have no order.
    expect(hook.hits.map(({ headers }) => String(headers.traceparent).slice(-2)).sort()).toEqual(['00', '01'])
    expect(there.spans).toHaveLength(2)
  })

  test('a collector that does not answer costs a warning', async () => {
    const { here, exported } = await exporting({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      OTEL_BSP_SCHEDULE_DELAY: '20',
    })
    expect((await here.admin.browser.get('/web/v4/leads')).status).toBeLessThan(300)
    await exported()
    expect(here.logged()).toMatch(/spans were not exported|"msg":"OpenTelemetry"/)
  })
})

describe('The program', () => {
  test('loads the library only when it opens the export', () => {
    const built = new URL('../../dist/server/assets/', import.meta.url)
    const files = readdirSync(built).filter((file) => file.endsWith('.js'))
    const own = files.filter((file) => file.startsWith('open-telemetry'))
    expect(own).toHaveLength(1)
    const texts = files.map((file) => readFileSync(new URL(file, built), 'utf8'))
    expect(texts.filter((text) => /\bimport\(\s*["']\.\/open-telemetry/.test(text))).toHaveLength(1)
    expect(texts.filter((text) => /\bfrom\s*["']\.\/open-telemetry/.test(text))).toEqual([])
  })
})
