import { describe, expect, test } from 'vitest'
import { readAmount, readNumber, writeNumber } from '../../web/parts/texts/numbers.ts'

const everywhere = ['en', 'es', 'ru', 'pt']

describe('A typed number', () => {
  test.each([
    ['1234', '1234'],
    ['1234.5', '1234.5'],
    ['1234,5', '1234.5'],
    ['1 234,50', '1234.5'],
    ['1 234 567', '1234567'],
    ["1'234.50", '1234.5'],
    ['1,234.50', '1234.5'],
    ['1.234,50', '1234.5'],
    ['1,234,567.8', '1234567.8'],
    ['1.234.567', '1234567'],
    ['0,125', '0.125'],
    ['-1,5', '-1.5'],
    ['-0.00', '0'],
    ['007', '7'],
  ])('%s is %s in every language', (typed, number) => {
    expect(everywhere.map((locale) => readNumber(typed, locale))).toEqual(everywhere.map(() => number))
  })

  test.each([
    ['1,234', ['1234', '1.234', '1.234', '1.234']],
    ['1.234', ['1.234', '1234', '1.234', '1234']],
    ['-1,234', ['-1234', '-1.234', '-1.234', '-1.234']],
  ])('%s depends on the decimal mark of the language', (typed, numbers) => {
    expect(everywhere.map((locale) => readNumber(typed, locale))).toEqual(numbers)
  })

  test.each([
    '',
    '.',
    'abc',
    '12a',
    '1,2,3',
    '1.2.3,4',
    '1,23.45',
    '12..5',
    '1e5',
    '$12',
    '1234567890123456',
  ])('"%s" is rejected in every language', (typed) => {
    expect(everywhere.map((locale) => readNumber(typed, locale))).toEqual(everywhere.map(() => null))
  })

  test('is an amount if it has at most two decimals and is not negative', () => {
    const typed = ['1 234', '1,234', '1234.00', '1234.50', '0,99', '1.234', '-5', '0', '1234567890123456']
    const amounts = [1234, 1234, 1234, 1234.5, 0.99, null, null, 0, null]
    expect(typed.map((text) => readAmount(text, 'en'))).toEqual(amounts)
  })

  test.each(everywhere)('is parsed from the form in which it is offered for editing (%s)', (locale) => {
    const numbers = ['1.234', '1234.5', '-0.125', '123456', '1000']
    expect(numbers.map((number) => readNumber(writeNumber(number, locale), locale))).toEqual(numbers)
  })
})
