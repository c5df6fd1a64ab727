import { describe, expect, test } from 'vitest'
import { costOf } from '../../test/openapi/cost.ts'
import { newRequestId, spanIdOf, timeOfRequest, traceIdOf } from './request-ids.ts'
import { contextOf, readTraceContext, storedContext, traceparentOf } from './trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const PARENT = `00-${TRACE}-${SPAN}-01`

describe('traceparent', () => {
  test('a valid one is read, also of a later version', () => {
    const read = { trace_id: TRACE, span_id: SPAN, is_sampled: true, state: '' }
    expect(readTraceContext(PARENT)).toEqual(read)
    expect(readTraceContext(`cc-${TRACE}-${SPAN}-03-what-the-future-brings`)).toEqual(read)
    expect(readTraceContext(`00-${TRACE}-${SPAN}-02`)).toEqual({ ...read, is_sampled: false })
    expect(traceparentOf(read)).toBe(PARENT)
  })

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['more than version 00 has', `${PARENT}-more`],
    ['a later version without a separator', `cc-${TRACE}-${SPAN}-01.more`],
    ['capital letters', PARENT.toUpperCase()],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['no flags', `00-${TRACE}-${SPAN}`],
    ['two headers', `${PARENT}, ${PARENT}`],
    ['a space', ` ${PARENT}`],
    ['a text of a megabyte', `cc-${TRACE}-${SPAN}-01-${'a'.repeat(1_000_000)}`],
  ])('%s is ignored', (_, traceparent) => {
    expect(readTraceContext(traceparent)).toBeNull()
  })
})

describe('tracestate', () => {
  const stateOf = (tracestate: unknown) => readTraceContext(PARENT, tracestate)?.state
  const members = (count: number, value: string) => Array.from({ length: count }, (_, i) => `k${i}=${value}`)

  test('is passed on as it was, without spaces and empty members', () => {
    expect(stateOf('congo=t61rcWkgMzE,rojo=00f067aa0ba902b7')).toBe('congo=t61rcWkgMzE,rojo=00f067aa0ba902b7')
    expect(stateOf('congo=t61 ,, \trojo@vendor=1,1a@b=2')).toBe('congo=t61,rojo@vendor=1,1a@b=2')
  })

  test.each([
    ['a member without a value', 'congo'],
    ['a key in capital letters', 'Congo=1'],
    ['a value with an equals sign', 'congo=a=b'],
    ['a key twice', 'congo=1,rojo=2,congo=3'],
    ['33 members', members(33, '1').join()],
    ['a control character', 'congo=a\u0007b'],
    ['a long text', members(30, 'x'.repeat(255)).join().repeat(2)],
  ])('%s makes it invalid, and traceparent holds', (_, tracestate) => {
    expect(readTraceContext(PARENT, tracestate)).toMatchObject({ trace_id: TRACE, state: '' })
  })

  test('with thousands of spaces inside costs no more than another one', async () => {
    const { cpu } = await costOf(async () => {
      for (let i = 0; i < 10; i++) expect(stateOf(`congo=1${' '.repeat(8_000)}b`)).toBe('')
    })
    expect(cpu).toBeLessThan(200)
  })

  test('of more than 512 characters, long members are left out first, then the last ones', () => {
    const long = `long=${'x'.repeat(200)}`
    const short = members(20, 'y'.repeat(30))
    const state = stateOf([long, ...short].join()) as string
    expect(state.length).toBeLessThanOrEqual(512)
    expect(short.join().startsWith(state)).toBe(true)
    expect(stateOf([long, ...short.slice(0, 5)].join())).toContain(long)
  })
})

describe('What a request causes', () => {
  const clock = () => Date.UTC(2026, 2, 1, 12)

  test('has its time and its trace in its id', () => {
    const id = newRequestId({ clock })
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(timeOfRequest(id)).toBe(clock())
    expect(timeOfRequest('572a50df-0c1f-4e0e-9a51-0f6d1d9c1b42')).toBeNull()
    expect(newRequestId({ clock })).not.toBe(id)
    const context = contextOf({ request_id: id, trace_context: null }, null)
    expect(context).toEqual({ trace_id: traceIdOf(id), span_id: spanIdOf(id), is_sampled: false, state: '' })
    expect(readTraceContext(traceparentOf(context as NonNullable<typeof context>))).toEqual(context)
  })

  test('continues the stored trace of a caller, and that of nobody without one', () => {
    const context = { trace_id: TRACE, span_id: SPAN, is_sampled: true, state: 'congo=t61,rojo=a b' }
    const stored = { request_id: 'automation 5', trace_context: storedContext(context) }
    expect(contextOf(stored, null)).toEqual(context)
    expect(contextOf({ request_id: 'automation 5', trace_context: null }, null)).toBeNull()
    expect(spanIdOf('automation 5')).toMatch(/^[0-9a-f]{16}$/)
  })
})
