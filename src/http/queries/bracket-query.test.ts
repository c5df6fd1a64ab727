import { describe, expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { createServer } from '../server.ts'
import { listOf, parseQuery, type QueryValue, UNREADABLE, withNames } from './bracket-query.ts'

/** A plain copy: query maps have no prototype, and toEqual ignores that. */
const read = (text: string) => JSON.parse(JSON.stringify(parseQuery(text)))

describe('Bracket queries (V2)', () => {
  test.each<[string, unknown]>([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', {}],
    ['&&a=1&', { a: '1' }],
    ['a+b=c+d%20e', { 'a b': 'c d e' }],
    ['a=1=2', { a: '1=2' }],
    ['a.b=1', { 'a.b': '1' }],
    ['a;b=1', { 'a;b': '1' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['page=1&limit=5&page=2&limit=9', { page: '2', limit: '9' }],
    ['page=&limit&query=&position=&a=', { query: '', a: '' }],
    ['query[]=a&query[]=b', { query: 'b' }],
    ['limit[from]=1', { limit: { from: '1' } }],
    ['limit=1&limit[from]=1', {}],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[]=1&a[]=1', { a: ['1', '1'] }],
    ['a=1&b=2&a=1', { a: '1', b: '2' }],
    ['a[b]=1&a[c]=2&a[b]=1&a[c]=2', { a: { b: '1', c: '2' } }],
    ['a[0]=1&a[1]=1&a[0]=1&a[1]=1', { a: ['1', '1'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a%5B%5D=1', { a: ['1'] }],
    ['a=1&a[]=2', { a: ['1', '2'] }],
    ['a[b]=1&a[c]=2', { a: { b: '1', c: '2' } }],
    ['a[]=1&a[b]=2', { a: { 0: '1', b: '2' } }],
    ['a[0]=1&a[b]=2', { a: { 0: '1', b: '2' } }],
    ['a=1&a[b]=2', { a: ['1', { b: '2' }] }],
    ['a[0][b]=1&a[0][c]=2&a[1][b]=3', { a: [{ b: '1', c: '2' }, { b: '3' }] }],
    ['a[b][c][d][e][f]=1', { a: { b: { c: { d: { e: { f: '1' } } } } } }],
    ['a[b=1', { a: { '[b': '1' } }],
    ['a]=1', { 'a]': '1' }],
    ['a[[b]]=1', { a: { '[b]': '1' } }],
    ['a[-1]=1', { a: { '-1': '1' } }],
    ['a[1e3]=1', { a: { '1e3': '1' } }],
    ['a[255]=1', { a: ['1'] }],
    ['a[999999999]=1', { a: { 999999999: '1' } }],
    ['a[4294967296]=1&a[0]=2', { a: { 0: '2', 4294967296: '1' } }],
    ['toString=1&a[hasOwnProperty]=2', { toString: '1', a: { hasOwnProperty: '2' } }],
    ['constructor[prototype][x]=1', { constructor: { prototype: { x: '1' } } }],
    ['__proto__[x]=1', {}],
    ['__proto__=1', {}],
    ['a[__proto__][x]=1', { a: {} }],
    ['a=%zz', { a: '%zz' }],
    ['a=%e2%9c%93', { a: '✓' }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each([
    ['deeper than five', 'a[b][c][d][e][f][g]=1'],
    ['two thousand deep', `a${'[b]'.repeat(2_000)}=1`],
    ['257 pairs', Array(257).fill('a=1').join('&')],
    ['100,000 keys', Array.from({ length: 100_000 }, (_, i) => `k${i}=1`).join('&')],
    ['257 empty pairs', '&'.repeat(256)],
  ])('%s is unreadable', (_name, text) => {
    expect(parseQuery(text)).toBe(UNREADABLE)
  })

  test('256 pairs are read, in any order of their labels', () => {
    const labels = Array.from({ length: 256 }, (_, i) => (i * 7_919) % 1_000_003)
    const query = parseQuery(labels.map((label) => `a[${label}]=${label}`).join('&'))
    expect(listOf(query.a).sort()).toEqual(labels.map(String).sort())
  })

  test('cannot reach a prototype', () => {
    for (const text of [
      '__proto__[x]=1',
      'a[__proto__][x]=1',
      'constructor[prototype][x]=1',
      'a[]=1&a[__proto__]=2',
    ])
      parseQuery(text)
    expect(({} as { x?: unknown }).x).toBeUndefined()
    const query = parseQuery('a[b]=1')
    expect([Object.getPrototypeOf(query), Object.getPrototypeOf(query.a)]).toEqual([null, null])
  })

  test('no query that fits an address takes more than a few milliseconds', () => {
    const shapes = [
      `a${'['.repeat(8_000)}`,
      `a${'[]'.repeat(4_000)}=1`,
      `a=${'%'.repeat(8_000)}`,
      `${'%5B'.repeat(2_600)}=1`,
      Array(256).fill('a[]=1').join('&'),
      Array.from({ length: 256 }, (_, i) => `a[${10 ** 9 - i}]=1`).join('&'),
      Array(256).fill('a[b][c][d][e]=1').join('&'),
      `a=${Array(4_000).fill('1').join(',')}`,
    ]
    for (const text of shapes) {
      parseQuery(text)
      const before = performance.now()
      for (let i = 0; i < 5; i++) parseQuery(text)
      // 5 ms when idle. Other tests use this machine too.
      expect([text.slice(0, 20), (performance.now() - before) / 5 < 25]).toEqual([text.slice(0, 20), true])
    }
  })
})

describe('Lists in queries (V2)', () => {
  test.each<[QueryValue | undefined, string[]]>([
    [undefined, []],
    ['', []],
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    [' a , ,b ', ['a', 'b']],
    [
      ['a', 'b,c'],
      ['a', 'b', 'c'],
    ],
    [{ 0: 'a', 7: 'b' }, ['a', 'b']],
    [{ x: ['a', { y: 'b' }] }, ['a', 'b']],
  ])('%j is %j', (value, expected) => {
    expect(listOf(value)).toEqual(expected)
  })

  test('known names are returned once each', () => {
    expect([...withNames('users,unknown,groups,users', ['groups', 'users', 'rights'])]).toEqual([
      'groups',
      'users',
    ])
  })
})

describe('Over HTTP', () => {
  test.each([
    ['a[b][c][d][e][f][g]=1', 'The query is too deep or too long.'],
    [Array(257).fill('a').join('&'), 'The query is too deep or too long.'],
    ['a=%00', 'The address contains NUL.'],
  ])('%s is refused before the database is queried', async (query, detail) => {
    const { stranger } = await world()
    for (const path of ['/healthz', '/api/v4/account', '/nothing']) {
      const { status, body } = await stranger.get(`${path}?${query}`)
      expect([status, body.detail]).toEqual([400, detail])
    }
  })

  test('NUL in the path is refused', async () => {
    const { admin, stranger } = await world()
    expect((await admin.browser.get('/web/integrations/%00')).status).toBe(400)
    expect((await stranger.get('/nothing/%00')).status).toBe(400)
  })

  test('the router and the handler read the same query', async () => {
    const { ctx } = await world()
    const http = createServer(ctx)
    http.get('/echo', async ({ query }) => query)
    const answer = await http.inject({
      url: '/echo?filter[type][]=a&filter[type][]=b&page=2',
      headers: { host: 'localhost' },
    })
    expect(answer.json()).toEqual({ filter: { type: ['a', 'b'] }, page: '2' })
  })
})
