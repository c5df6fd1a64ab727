import { expect, test } from 'vitest'
import { onOneLine, printable } from './printable.ts'

test('control characters are printed in the notation of JSON, and lines stay lines', () => {
  const text = 'a\u001b[31mred\u0007\n\tb\r\nc\rd\u009be\u007f\0'
  expect(printable(text)).toBe('a\\u001b[31mred\\u0007\n\tb\r\nc\\u000dd\\u009be\\u007f\\u0000')
  expect(onOneLine('a\r\n4000 200 GET\tb')).toBe('a\\u000d\\u000a4000 200 GET\\u0009b')
})

test('a JSON text keeps its value', () => {
  const value = { name: 'a\u009b31m\u007f' }
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value)
})
