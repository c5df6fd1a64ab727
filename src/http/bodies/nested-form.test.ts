import { expect, test } from 'vitest'
import { parseNestedForm } from './nested-form.ts'

const DEPTH = 5
const parsed = (form: string) => parseNestedForm(Buffer.from(form), DEPTH)

test.each([
  ['a=1&b=two+words&c=%D1%8F', { a: '1', b: 'two words', c: 'я' }],
  ['a', { a: '' }],
  ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
  ['a%5Bb%5D=1', { a: { b: '1' } }],
  ['a[0][n]=1&a[1][n]=2', { a: [{ n: '1' }, { n: '2' }] }],
  ['a[1]=y&a[0]=x', { a: ['x', 'y'] }],
  ['a[]=x&a[]=y', { a: ['x', 'y'] }],
  ['a[][n]=1&a[][n]=2', { a: [{ n: '1' }, { n: '2' }] }],
  ['a[0]=x&a[2]=y&a[]=z', { a: { 0: 'x', 2: 'y', 3: 'z' } }],
  ['a[1001][407]=5', { a: { 1001: { 407: '5' } } }],
  ['a=x&a=y', { a: 'y' }],
  ['a=x&a[b]=y', { a: { b: 'y' } }],
  ['a[b]=y&a=x', { a: 'x' }],
  ['a[b=1&c]=2&[d]=3', { 'a[b': '1', 'c]': '2', '[d]': '3' }],
  ['a=b=c&=d&&e=%zz', { a: 'b=c', e: '%zz' }],
  ['__proto__[x]=1&a[constructor]=2&toString=3&b=4', { b: '4' }],
])('reads %s as PHP does', (form, expected) => {
  expect(parsed(form)).toEqual(expected)
})

test('refuses a form that is too long or too deep', () => {
  const pairs = (count: number) => Array.from({ length: count }, (_, i) => `a[${i}]=1`).join('&')
  expect(parsed(pairs(10_000))).toMatchObject({ a: { length: 10_000 } })
  expect(() => parsed(pairs(10_001))).toThrow('more than 10000 members')
  expect(parsed('a[b][c][d][e][f]=1')).toEqual({ a: { b: { c: { d: { e: { f: '1' } } } } } })
  expect(() => parsed('a[b][c][d][e][f][g]=1')).toThrow('nested too deeply')
})

test('reads large numbers as names in linear time', () => {
  const form = Array.from({ length: 10_000 }, (_, i) => `a[${i}][9999]=1`).join('&')
  const start = process.cpuUsage()
  expect(parsed(form)).toMatchObject({ a: { length: 10_000, 0: { 9999: '1' } } })
  const { user } = process.cpuUsage(start)
  expect(user / 1_000).toBeLessThan(2_000)
})
