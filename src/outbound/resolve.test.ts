import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createResolve, DNS_RETRIES, type Resolve } from './egress-policy.ts'
import { createOutbound, OutboundError, TIME_LIMITS } from './http-client.ts'

/** Shorter timeouts than those of the program. */
const RETRIES = { timeout: 100, tries: 2 }
const A = 1
const AAAA = 28
type Zone = (name: string, type: number) => string[] | 'silence' | 'no such name'

/** A DNS server on loopback, and a resolver that uses it. */
async function dns(zone: Zone): Promise<{ resolve: Resolve; asked: string[] }> {
  const asked: string[] = []
  const server = createSocket('udp4', (query, from) => {
    const { name, type, end } = readQuestion(query)
    asked.push(`${type === A ? 'A' : 'AAAA'} ${name}`)
    const answer = zone(name, type)
    if (answer !== 'silence') server.send(reply(query, end, type, answer), from.port, from.address)
  })
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const resolver = new Resolver(RETRIES)
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  return { resolve: createResolve(resolver), asked }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function reply(query: Buffer, end: number, type: number, answer: string[] | 'no such name'): Buffer {
  const records = typeof answer === 'string' ? [] : answer
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(typeof answer === 'string' ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  const bytes = records.map((text) =>
    type === A
      ? Buffer.from(text.split('.').map(Number))
      : Buffer.from(
          text
            .split(':')
            .map((part) => part.padStart(4, '0'))
            .join(''),
          'hex',
        ),
  )
  const data = bytes.flatMap((rdata) => {
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(rdata.length, 10)
    return [record, rdata]
  })
  return Buffer.concat([head, query.subarray(12, end), ...data])
}

describe('resolving names', () => {
  test('both families are queried, and IPv4 comes first', async () => {
    const { resolve, asked } = await dns((_, type) =>
      type === A ? ['10.0.0.1', '10.0.0.2'] : ['0:0:0:0:0:0:0:1'],
    )
    expect(await resolve('both.example')).toEqual(['10.0.0.1', '10.0.0.2', '::1'])
    expect(asked.sort()).toEqual(['A both.example', 'AAAA both.example'])
  })

  test('one family is enough', async () => {
    const { resolve } = await dns((_, type) => (type === AAAA ? ['2001:db8:0:0:0:0:0:7'] : []))
    expect(await resolve('six.example')).toEqual(['2001:db8::7'])
  })

  test('one family is enough, within 2 s, when the other gets no answer', async () => {
    const { resolve } = await dns((_, type) => (type === A ? ['10.0.0.1'] : 'silence'))
    const started = performance.now()
    expect(await resolve('half.example')).toEqual(['10.0.0.1'])
    expect(performance.now() - started).toBeLessThan(2000)
    // The second attempt waits twice as long.
    expect(3 * DNS_RETRIES.timeout).toBeLessThan(TIME_LIMITS.dns)
  })

  test('a name that does not exist and a name without an answer do not resolve', async () => {
    const { resolve } = await dns((name) => (name.startsWith('no.') ? 'no such name' : 'silence'))
    const out = createOutbound({ allow: [], resolve })
    onTestFinished(() => out.close())
    for (const name of ['no.example', 'silent.example']) {
      const error = await out.request({ method: 'GET', url: `http://${name}/` }).catch((e) => e)
      expect(error instanceof OutboundError && error.reason).toBe('dns')
      expect(error.duration_ms).toBeLessThan(2300)
    }
  })

  test('localhost is loopback without a query', async () => {
    const { resolve, asked } = await dns(() => ['8.8.8.8'])
    for (const name of ['localhost', 'LocalHost', 'demo.localhost'])
      expect(await resolve(name)).toEqual(['127.0.0.1', '::1'])
    expect(asked).toEqual([])
  })

  test('every answer of a DNS server is judged', async () => {
    let answers = 0
    const { resolve } = await dns((_, type) =>
      type === A ? [answers++ === 0 ? '127.0.0.2' : '127.0.0.1'] : [],
    )
    const out = createOutbound({ allow: ['127.0.0.2/32'], resolve })
    onTestFinished(() => out.close())
    const reasons: string[] = []
    for (let i = 0; i < 2; i++) {
      const error = await out.request({ method: 'GET', url: 'http://rebind.example:4999/' }).catch((e) => e)
      reasons.push(error.reason)
    }
    expect(reasons).toEqual(['connect', 'forbidden_address'])
  })
})
