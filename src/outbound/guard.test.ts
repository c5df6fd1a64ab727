import { createServer, get, globalAgent, type IncomingMessage, type RequestOptions } from 'node:http'
import type { LookupFunction } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Resolve } from './egress-policy.ts'
import { judgeAddress, parseRanges } from './egress-policy.ts'
import { createOutbound, OutboundError } from './http-client.ts'

/** A forbidden server on loopback, which counts requests. */
async function canary() {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end('you should not be here')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { hits, port }
}

function outbound(options: { allow?: string[]; resolve?: Resolve } = {}) {
  const out = createOutbound({ allow: options.allow ?? [], resolve: options.resolve ?? nobody })
  onTestFinished(() => out.close())
  return out
}

const nobody: Resolve = async (hostname) => {
  throw new Error(`no such name: ${hostname}`)
}

const reasonOf = (error: unknown) =>
  error instanceof OutboundError ? error.reason : `not ours: ${String(error)}`

/** Spellings of loopback and of other forbidden hosts. PORT is the canary's port. */
const spellings = [
  ...[
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '127.000.000.001',
    '127.1.',
    '0177.0.0.1.',
    '0177.0.0.1',
  ],
  ...[
    '0177.0.0.01',
    '0x7f.0.0.1',
    '0x7F.0.0.1',
    '0x7f.1',
    '0x7f000001',
    '0X7F000001',
    '2130706433',
    '017700000001',
  ],
  ...[
    '0x7f.0x0.0x0.0x1',
    '0x7f.0.1',
    '0177.1',
    '127.0.0.01',
    '127.0.0.0x1',
    '127.0x1',
    '127.0.0.1%2e',
    '%31%32%37.0.0.1',
  ],
  ...[
    '①②⑦.⓪.⓪.①',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '０ｘ７ｆ.1',
    '127.0.0.1\u00ad',
    '1\u200b27.0.0.1',
  ],
  ...['0', '0.0.0.0', '0x0', '00', '0.0', '127.0.0.2', '127.255.255.254', '127.127', '0.0.0.1'],
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::0001]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::]',
    '[0::0]',
  ],
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:0001]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
  ],
  ...[
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::1]',
  ],
  ...['[fe80::1]', '[fe80::1%25lo]', '[::1%25lo]', '[fec0::1]', '[ff02::1]', '[fc00::1]', '[::ffff:0.0.0.0]'],
  ...[
    'localhost',
    'LOCALHOST',
    'LocalHost',
    'localhost.',
    'loc%61lhost',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'local\thost',
    'local\u00adhost',
  ],
  ...[
    'demo.localhost',
    'a.b.localhost.',
    'localhost..',
    '10.0.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '192.168.0.1',
  ],
]

const wholeUrls = [
  ...[
    'http:127.0.0.1:PORT/',
    'http:/127.0.0.1:PORT/',
    'http:///127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT\\x',
  ],
  ...[
    'http://\\127.0.0.1:PORT/',
    'HTTP://127.0.0.1:PORT/',
    ' http://127.0.0.1:PORT/ ',
    'ht\ntp://127.0.0.1:PORT/',
  ],
  ...[
    'http://127.0.0.1:PORT#@example.com/',
    'http://127.0.0.1:PORT\\@example.com/',
    'http://127.0.0.1:PORT?@example.com',
  ],
  ...[
    'http://example.com@127.0.0.1:PORT/',
    'http://example.com:80@127.0.0.1:PORT/',
    'http://@127.0.0.1:PORT/',
  ],
  ...[
    'http://:@127.0.0.1:PORT/',
    'http://example.com%40127.0.0.1:PORT/',
    'http://127.0.0.1:0PORT/',
    'http://127.0.0.1:PORT:80/',
  ],
  ...['https://127.0.0.1:PORT/', 'https://localhost:PORT/', '//127.0.0.1:PORT/', 'http://127.0.0.1\n:PORT/'],
  ...[
    'http://a\r\nHost: b@127.0.0.1:PORT/',
    'http://127.0.0.1:PORT/\r\nX: y',
    'http://[::1]:PORT#',
    'http://[::1]]:PORT/',
  ],
]

describe('spellings of forbidden addresses', () => {
  test('none of them reaches loopback', async () => {
    const { hits, port } = await canary()
    const out = createOutbound({ allow: [] })
    onTestFinished(() => out.close())
    const urls = [...spellings.map((host) => `http://${host}:PORT/`), ...wholeUrls]
    expect(urls.length).toBeGreaterThanOrEqual(100)
    const wrong: string[] = []
    for (const url of urls.map((text) => text.replace('PORT', String(port)))) {
      const reason = await out
        .request({ method: 'GET', url })
        .then((answer) => `answered ${answer.status}`, reasonOf)
      if (reason !== 'forbidden_address' && reason !== 'bad_url')
        wrong.push(`${JSON.stringify(url)} ${reason}`)
    }
    expect(wrong).toEqual([])
    expect(hits).toEqual([])
  })

  test('they reach loopback when the operator allows it, so the test is not blind', async () => {
    const { hits, port } = await canary()
    const out = createOutbound({ allow: ['127.0.0.0/8'] })
    onTestFinished(() => out.close())
    for (const host of [
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '①②⑦.⓪.⓪.①',
      'localhost',
      'x.localhost.',
    ])
      expect((await out.request({ method: 'GET', url: `http://${host}:${port}/?${host}` })).status).toBe(200)
    expect(hits).toHaveLength(7)
  })
})

describe('URLs that are refused for every address', () => {
  test.each([
    ...[
      'ftp://127.0.0.1/',
      'file:///etc/passwd',
      'gopher://127.0.0.1:70/_x',
      'data:text/plain,x',
      'ws://127.0.0.1/',
    ],
    ...[
      'wss://127.0.0.1/',
      'javascript:alert(1)',
      'unix:/var/run/docker.sock',
      'about:blank',
      'blob:http://x/y',
    ],
    ...['', 'x', '/path', '//host/path', 'http://', 'https://', 'http:///', 'http://:80/', 'http://./'],
    ...[
      'http://user@127.0.0.1/',
      'http://user:pass@127.0.0.1/',
      'http://:pass@127.0.0.1/',
      'http://a%40b@127.0.0.1/',
    ],
    ...['http://127.0.0.1:0/', 'http://127.0.0.1:1/', 'http://127.0.0.1:22/', 'http://127.0.0.1:25/'],
    ...['http://127.0.0.1:81/', 'http://127.0.0.1:442/', 'http://127.0.0.1:445/', 'http://127.0.0.1:1023/'],
    ...['http://127.0.0.1:65536/', 'http://127.0.0.1:-1/', 'http://127.0.0.1:x/', 'http://256.0.0.1/'],
    `http://127.0.0.1/${'x'.repeat(8192)}`,
  ])('%s', async (url) => {
    const error = await outbound({ allow: ['0.0.0.0/0'] })
      .request({ method: 'GET', url })
      .catch(reasonOf)
    expect(error).toBe('bad_url')
  })

  test('a port of a database or the like is used only at an address that the operator allowed', async () => {
    const resolve: Resolve = async () => ['8.8.8.8']
    for (const port of [1433, 2375, 2379, 3306, 5432, 6379, 6443, 9200, 10250, 11211, 27017]) {
      const url = `http://receiver.example:${port}/`
      const reason = await outbound({ resolve }).request({ method: 'GET', url }).catch(reasonOf)
      expect([port, reason]).toEqual([port, 'forbidden_address'])
    }
    const allowed = outbound({ allow: ['127.0.0.1/32'] }).request({
      method: 'GET',
      url: 'http://127.0.0.1:11211/',
    })
    expect(await allowed.catch(reasonOf)).not.toBe('forbidden_address')
  })
})

/** A guarded client. Only the server that it reaches counts. */
type Caller = (url: string) => Promise<unknown>

/** 127.0.0.2 acts as a public address. Nothing listens there. */
const PUBLIC = '127.0.0.2'
const LOOPBACK = '127.0.0.1'
const allow = [`${PUBLIC}/32`]
const passes = (address: string) => judgeAddress(address, parseRanges(allow)) !== 'forbidden'

const send = (url: string, options: RequestOptions): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const request = get(url, options, (response: IncomingMessage) => response.resume().on('end', resolve))
    request.on('error', reject)
  })

const asLookup =
  (resolve: Resolve, check: (address: string) => boolean): LookupFunction =>
  (hostname, _options, done) => {
    resolve(hostname).then(
      (addresses) => {
        if (addresses.every(check))
          done(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          )
        else done(new Error('forbidden'), [])
      },
      (error) => done(error, []),
    )
  }

/** Guards that look right and are wrong. */
const wrongGuards: Record<string, (resolve: Resolve) => Caller> = {
  'a check, then a connection that resolves again': (resolve) => async (url) => {
    const addresses = await resolve(new URL(url).hostname)
    if (!addresses.every(passes)) throw new Error('forbidden')
    return send(url, { agent: false, lookup: asLookup(resolve, () => true) })
  },
  'a look-up hook on the shared agent': (resolve) => (url) =>
    send(url, { agent: globalAgent, lookup: asLookup(resolve, passes) }),
  'a look-up hook alone': (resolve) => (url) =>
    send(url, { agent: false, lookup: asLookup(resolve, passes) }),
}

const ours = (resolve: Resolve): Caller => {
  const out = outbound({ allow, resolve })
  return (url) => out.request({ method: 'GET', url })
}

/** Each attack returns the number of requests that reached the canary. */
const attacks: Record<string, (guard: (resolve: Resolve) => Caller) => Promise<number>> = {
  'a name that is public when asked first and loopback afterwards': async (guard) => {
    const { hits, port } = await canary()
    let asked = 0
    const call = guard(async () => [asked++ === 0 ? PUBLIC : LOOPBACK])
    for (let i = 0; i < 3; i++) await call(`http://rebind.example:${port}/`).catch(() => {})
    return hits.length
  },
  'a connection that is kept open from an unguarded request': async (guard) => {
    const { hits, port } = await canary()
    const url = `http://shared.example:${port}/`
    await send(url, {
      agent: globalAgent,
      lookup: asLookup(
        async () => [LOOPBACK],
        () => true,
      ),
    })
    onTestFinished(() => globalAgent.destroy())
    await guard(async () => [LOOPBACK])(url).catch(() => {})
    return hits.length - 1
  },
  'a literal address': async (guard) => {
    const { hits, port } = await canary()
    await guard(async () => [PUBLIC])(`http://127.0.0.1:${port}/`).catch(() => {})
    return hits.length
  },
}

describe('names that change their address', () => {
  test.each(Object.keys(attacks))('%s does not reach loopback', async (attack) => {
    expect(await attacks[attack]?.(ours)).toBe(0)
  })

  test.each([
    [
      'a check, then a connection that resolves again',
      'a name that is public when asked first and loopback afterwards',
    ],
    ['a look-up hook on the shared agent', 'a connection that is kept open from an unguarded request'],
    ['a look-up hook alone', 'a literal address'],
  ])('control: %s is caught by %s', async (guard, attack) => {
    expect(await attacks[attack]?.(wrongGuards[guard] as never)).toBeGreaterThan(0)
  })

  test('only the allowed addresses of a mixed answer are connected to', async () => {
    const { hits, port } = await canary()
    for (const addresses of [
      [PUBLIC, LOOPBACK],
      [LOOPBACK, PUBLIC],
      [PUBLIC, '::ffff:127.0.0.1', '::1'],
    ]) {
      const call = outbound({ allow, resolve: async () => addresses })
      const url = `http://mixed.example:${port}/`
      expect(await call.request({ method: 'GET', url, timeout_ms: 1000 }).catch(reasonOf)).toMatch(
        /connect|timeout/,
      )
    }
    expect(hits).toEqual([])
  })

  test('a name with only forbidden addresses is forbidden, and a name without addresses does not resolve', async () => {
    const answers: Record<string, string[]> = { 'in.example': ['10.0.0.1', '::1'], 'none.example': [] }
    const out = outbound({ resolve: async (name) => answers[name] ?? nobody(name) })
    expect(await out.request({ method: 'GET', url: 'http://in.example/' }).catch(reasonOf)).toBe(
      'forbidden_address',
    )
    expect(await out.request({ method: 'GET', url: 'http://none.example/' }).catch(reasonOf)).toBe('dns')
    expect(await out.request({ method: 'GET', url: 'http://unknown.example/' }).catch(reasonOf)).toBe('dns')
  })

  test('the next address is tried when the first one does not answer, under the same Host', async () => {
    const { hits, port } = await canary()
    const resolve: Resolve = async () => [PUBLIC, LOOPBACK]
    const out = outbound({ allow: ['127.0.0.0/8'], resolve })
    const answer = await out.request({ method: 'GET', url: `http://two.example:${port}/x?y=1` })
    expect([answer.status, hits]).toEqual([200, ['/x?y=1']])
  })
})
