import { expect, test } from 'vitest'
import { formatIn } from '../../web/parts/texts/format.ts'
import { delimiterIn, readNumber } from '../../web/parts/texts/numbers.ts'
import { withRegion } from '../../web/parts/texts/region.ts'

test('a language has the region of the browser, if the browser accepts it with one', () => {
  expect(withRegion('es', ['es', 'es-MX', 'en-US'])).toBe('es-MX')
  expect(withRegion('en', ['ru-RU', 'en-GB', 'en-US'])).toBe('en-GB')
  expect(withRegion('ru', ['en-US', 'ru'])).toBe('ru')
  expect(withRegion('pt', [])).toBe('pt')
})

test('an amount is shown and read with the decimal mark of the country', () => {
  const amount = (region: string) => formatIn(withRegion('es', [region])).decimal(12_345.6)
  expect([amount('es-MX'), amount('es-AR')]).toEqual(['12,345.6', '12.345,6'])
  expect(readNumber('1,234', withRegion('es', ['es-MX']))).toBe('1234')
  expect(readNumber('1.234', withRegion('es', ['es-AR']))).toBe('1234')
})

test('a date has the order of the country', () => {
  const at = Date.UTC(2026, 10, 5, 12) / 1000
  const date = (region: string) => formatIn(withRegion('en', [region])).date(at)
  expect([date('en-US'), date('en-GB')]).toEqual(['Nov 5, 2026', '5 Nov 2026'])
})

test('a table is split as the spreadsheets of the country expect', () => {
  expect(['es-MX', 'es-ES', 'ru', 'pt-BR', 'en-GB'].map(delimiterIn)).toEqual([
    'comma',
    'semicolon',
    'semicolon',
    'semicolon',
    'comma',
  ])
})
