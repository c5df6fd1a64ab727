import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine, delimiters, escapedFormula, unescapedFormula } from './csv.ts'

/** Texts of formula characters, separators, quotes and letters. */
const text = fc.string({
  unit: fc.constantFrom(...'=+-@＝＋－＠;,|\t\r\n"\' \u00a0\u3000\u2028\u0085\v\fa1.'.split('')),
  maxLength: 24,
})

/** The cells that a program reads if it splits at this character and trims only white space. */
const piecesOf = (line: string, separator: string): string[] =>
  line
    .split(new RegExp(`[${separator}\\r\\n]`))
    .map((piece) => piece.replace(/^["\s\u200b-\u200d\ufeff]+/, ''))

const isFormula = (piece: string): boolean =>
  /^[=+\-@＝＋－＠]/.test(piece) && !/^[+-]?\d+([.,]\d+)?"?$/.test(piece)

describe('A CSV cell', () => {
  test.each(['comma', 'semicolon'] as const)('reads back unchanged, with any content and a %s', (named) => {
    const delimiter = delimiters[named]
    fc.assert(
      fc.property(text, (cell) => {
        const [[read] = []] = parse(csvLine([cell, 'x'], named), { delimiter }) as string[][]
        expect(unescapedFormula(read as string, named)).toBe(cell)
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    ['comma', ';'],
    ['comma', '\t'],
    ['comma', '|'],
    ['semicolon', ','],
    ['semicolon', '\t'],
    ['semicolon', '|'],
  ] as const)('after a %s starts no formula for a program that splits by %j', (named, separator) => {
    const delimiter = delimiters[named]
    fc.assert(
      fc.property(text, text, (one, two) => {
        const pieces = piecesOf(csvLine([1, one, two], named), separator)
        expect(pieces.filter(isFormula)).toEqual([])
        const cells = (parse(csvLine([one, two], named), { delimiter }) as string[][]).flat()
        expect(cells.map((cell) => cell.trim()).filter(isFormula)).toEqual([])
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    [";=cmd|' /C calc'!A0", ";'=cmd|' /C calc'!A0"],
    ['x;=1+1', "x;'=1+1"],
    ['\n=1+1', "\n'=1+1"],
    ['"\n"=1', `"\n'"=1`],
    ['＝1+1', "'＝1+1"],
    ['  @x', "'  @x"],
    ["'=1", "''=1"],
    ['-5', '-5'],
    ['+15550101', '+15550101'],
    ['a - b, -c', 'a - b, -c'],
  ])('%j is written as %j', (cell, written) => {
    expect(escapedFormula(cell)).toBe(written)
  })

  test('is quoted if it is a text, and not if it is a number', () => {
    expect(csvLine(['a', 5, '5', 'say "x"'])).toBe('"a",5,"5","say ""x"""\r\n')
    expect(csvLine(['a;b', 5.5, '5.5'], 'semicolon')).toBe('"a;b";5,5;"5.5"\r\n')
  })
})
