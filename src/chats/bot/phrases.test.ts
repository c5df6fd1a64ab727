import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChatIntentRow } from '../../db/tables.ts'
import { findIntent, hasWords, wordsOf } from './phrases.ts'

const intent = (id: number, ...phrases: string[]): ChatIntentRow => ({
  account_id: 1,
  id,
  name: `Intent ${id}`,
  phrases: JSON.stringify(phrases),
  answer: 'Yes',
  created_at: 0,
  created_by: 0,
  updated_at: 0,
  updated_by: 0,
})

const hears = (phrase: string, text: string): boolean => findIntent([intent(1, phrase)], text) !== undefined

describe('A phrase matches', () => {
  test.each([
    ['delivery', 'delivery'],
    ['delivery', 'Hello, is DELIVERY free?'],
    ['Delivery', 'delivery!'],
    ['how much', 'So, how much is it'],
    ['how much', 'how\n\t much'],
    ['how much', 'how—much'],
    ['  how   much ', 'how much'],
    ['opening hours', '«Opening,hours»?'],
    ['сколько стоит', 'А сколько   стоит доставка?'],
    ['ещё', 'Что еще?'],
    ['еще', 'Что ЕЩЁ?'],
    ['café', 'Un CAFE, por favor'],
    ['cafe\u0301', 'un café'],
    ['horário', 'Qual o horario?'],
    ['Straße', 'in welcher STRASSE'],
    ['STRAẞE', 'in welcher Straße'],
    ['ᾠδή', 'ΩΙΔΗ'],
    ['ΟΔΟΣ', "στην οδος'α"],
    ['24/7', 'open 24 7'],
    ['size 42', 'Size 42, please'],
    ['ﬁne', 'fine'],
    ['שָׁלוֹם', 'שלום'],
    ['हिन्दी', 'क्या हिन्दी में?'],
    ['営業時間', '営業時間 を教えて'],
  ])('%j in %j', (phrase, text) => {
    expect(hears(phrase, text)).toBe(true)
  })

  test.each([
    ['price', 'enterprise prices'],
    ['price', 'pricelist'],
    ['how much', 'much how'],
    ['how much', 'how very much'],
    ['how much', 'how'],
    ['42', '421'],
    ['42', '4 2'],
    ['да', 'дата'],
    ['की', 'कि'],
    ['hello', ''],
    ['hello', '!?'],
  ])('and %j not in %j', (phrase, text) => {
    expect(hears(phrase, text)).toBe(false)
  })

  test('anywhere in a text as whole words', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 })
    const between = fc.constantFrom(' ', '\n', ', ', '!', '\u00a0', ' — ', '"')
    fc.assert(
      fc.property(
        text,
        text,
        text.filter(hasWords),
        between,
        between,
        (before, after, phrase, left, right) => {
          expect(hears(phrase, `${before}${left}${phrase}${right}${after}`)).toBe(true)
          expect(hears(phrase, phrase.toUpperCase())).toBe(true)
          expect(hears(phrase, phrase.normalize('NFD'))).toBe(true)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('but not as a part of a longer word', () => {
    const word = fc.stringMatching(/^[a-zа-я0-9]{1,12}$/)
    fc.assert(
      fc.property(word, fc.constantFrom('x', 'ы', '7'), (phrase, letter) => {
        expect(hears(phrase, `${letter}${phrase}`)).toBe(false)
        // Without other words, which the phrase could be.
        expect(hears(phrase, `«${phrase}${letter}»!`)).toBe(false)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('With several intents', () => {
  test('the one with the longest matching phrase wins', () => {
    const intents = [intent(1, 'price'), intent(2, 'nothing', 'price of delivery'), intent(3, 'of delivery')]
    expect(findIntent(intents, 'The price of delivery?')?.id).toBe(2)
    expect(findIntent(intents, 'The price?')?.id).toBe(1)
    expect(findIntent(intents, 'cost of delivery')?.id).toBe(3)
  })

  test('and the older one of two phrases of equal length', () => {
    expect(findIntent([intent(1, 'red'), intent(2, 'sea')], 'sea, red sea')?.id).toBe(1)
    expect(findIntent([intent(1, 'sea'), intent(2, 'red')], 'sea, red sea')?.id).toBe(1)
  })

  test('no intent matches without its phrase, and none without intents', () => {
    expect(findIntent([intent(1, 'red')], 'blue')).toBeUndefined()
    expect(findIntent([], 'blue')).toBeUndefined()
  })

  test('nothing matches after ten thousand characters, nor in a word that is cut there', () => {
    const long = 'blue '.repeat(1_999)
    expect(findIntent([intent(1, 'red')], `${long}red`)?.id).toBe(1)
    expect(findIntent([intent(1, 'red')], `${long}redder`)).toBeUndefined()
    expect(findIntent([intent(1, 'red')], `${long}blue blue red`)).toBeUndefined()
  })

  test('a changed phrase matches in its new form', () => {
    expect(findIntent([intent(1, 'before')], 'before')?.id).toBe(1)
    expect(findIntent([intent(1, 'after')], 'before')).toBeUndefined()
  })
})

test.each([
  ['', ' '.repeat(2)],
  ['?!', ' '.repeat(2)],
  ['One, two', ' ONE TWO '],
])('the words of %j are %j', (text, words) => {
  expect(wordsOf(text)).toBe(words)
})
