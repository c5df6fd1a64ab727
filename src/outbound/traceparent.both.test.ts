import { describe, expect, test } from 'vitest'
import { automated } from '../../test/fixtures/automation.ts'
import { connected } from '../../test/fixtures/chats.ts'
import { textOf } from '../../test/fixtures/conversations.ts'
import { lastExchange } from '../../test/fixtures/request-log.ts'
import { idOf, traceOf } from '../../test/fixtures/traces.ts'
import { subscribed } from '../../test/fixtures/webhooks.ts'
import { receiver } from '../../test/programs/receiver.ts'
import { world } from '../../test/world.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const sent = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'congo=t61,rojo=1' }

/** The parts of a `traceparent`. */
const partsOf = (header: unknown) => String(header).split('-')

describe('The trace of the caller', () => {
  test('is sent on with each attempt of a webhook, each with a span of its own', async () => {
    const here = await world()
    const there = await subscribed(here, ['add_lead'], (_hit, n) => (n === 1 ? 500 : 200))
    const answer = await here.admin.browser.post('/web/v4/leads', [{ name: 'A' }], sent)
    await there.arrived()
    here.clock.advance(3_600)
    await there.arrived()
    const [first, second] = there.hits.map(({ headers }) => headers)
    expect(partsOf(first?.traceparent)).toEqual(['00', TRACE, expect.stringMatching(/^[0-9a-f]{16}$/), '01'])
    expect(partsOf(second?.traceparent).slice(0, 2)).toEqual(['00', TRACE])
    const spans = [SPAN, partsOf(first?.traceparent)[2], partsOf(second?.traceparent)[2]]
    expect(new Set(spans).size).toBe(3)
    expect([first?.tracestate, second?.tracestate]).toEqual([sent.tracestate, sent.tracestate])
    // Another server could send it: the trace is stored with the delivery.
    const { trace_id } = await traceOf(here, idOf(answer))
    expect(trace_id).toBe(TRACE)
    const { request } = await lastExchange(here, 'direction=out')
    expect(request.headers).toMatchObject({ traceparent: second?.traceparent, tracestate: sent.tracestate })
  })

  test('goes with a callback of a chat channel', async () => {
    const here = await world()
    const there = await receiver()
    const line = await connected(here, { callback_url: `${there.url}/callback` })
    await line.push(textOf(here, 'Bob'))
    const [chat] = (await here.admin.browser.get('/web/v4/chats')).body._embedded.chats
    await here.admin.browser.post(`/web/v4/chats/${chat.id}/messages`, { text: 'Hello' }, sent)
    await here.app.deliveries.runDue()
    expect(partsOf(there.received.at(-1)?.headers.traceparent)).toMatchObject({ 1: TRACE, 3: '01' })
  })

  test('goes with the calls of automation, and with what automation changes a day later', async () => {
    const here = await world()
    const { rule, lead, run, stages } = await automated(here)
    const [from, to, end] = stages as [number, number, number]
    const there = await subscribed(here, ['status_lead'])
    const called = await receiver()
    await rule(
      { status_id: to, delay: 86_400, action: { type: 'change_stage', status_id: end } },
      { status_id: end, action: { type: 'call_url', url: `${called.url}/stage` } },
    )
    const id = await lead(from)
    await here.admin.browser.patch(`/web/v4/leads/${id}`, { status_id: to }, sent)
    await there.arrived()
    here.clock.advance(86_400)
    await run()
    await run()
    const [moved] = await there.arrived()
    expect(partsOf(moved?.headers.traceparent)[1]).toBe(TRACE)
    expect(moved?.headers.tracestate).toBe(sent.tracestate)
    expect(partsOf(called.received[0]?.headers.traceparent)[1]).toBe(TRACE)
  })

  test('is nobody else’s: the next request begins its own', async () => {
    const here = await world()
    const there = await subscribed(here, ['add_lead'])
    await here.admin.browser.post('/web/v4/leads', [{ name: 'A' }], sent)
    const next = await here.admin.browser.post('/web/v4/leads', [{ name: 'B' }])
    await there.arrived()
    // Those of two records are sent at the same time.
    const [a, b] = ['A', 'B'].map((name) => there.hits.find(({ body }) => body.includes(`name%5D=${name}&`)))
    expect(partsOf(a?.headers.traceparent)[1]).toBe(TRACE)
    expect(partsOf(b?.headers.traceparent)[1]).toBe(idOf(next).replaceAll('-', ''))
    expect([a?.headers.tracestate, b?.headers.tracestate]).toEqual([sent.tracestate, undefined])
    const rows = await here.ctx.db.selectFrom('deliveries').select('trace_context').orderBy('id').execute()
    expect(rows.map(({ trace_context }) => trace_context === null)).toEqual([false, true])
  })
})

test('Without a valid traceparent, attempts have the trace that follows from the id of the request', async () => {
  const here = await world()
  const there = await subscribed(here, ['add_lead'])
  const invalid = { traceparent: `ff-${TRACE}-${SPAN}-01`, tracestate: 'congo=t61' }
  const answer = await here.admin.browser.post('/web/v4/leads', [{ name: 'A' }], invalid)
  await there.arrived()
  const [, trace, span, flags] = partsOf(there.hits[0]?.headers.traceparent)
  expect(trace).toBe(idOf(answer).replaceAll('-', ''))
  expect(span).not.toBe(SPAN)
  expect(flags).toBe('00')
  expect(there.hits[0]?.headers.tracestate).toBeUndefined()
})
