import { expect, test } from 'vitest'
import english from '../../../web/i18n/en/requests.json' with { type: 'json' }
import { notAChoice } from '../../errors.ts'
import { faultsIn } from '../bodies/validation.ts'
import { type FaultSentence, faultSentences, readSentence, sentenceOf } from './fault-types.ts'

const parameters = {
  limit: 12,
  type: 'int',
  name: 'colour',
  names: 'a, b',
  choices: 'x, y',
  choice: 'x',
  more: 3,
}

test('each sentence is read with its parameters', () => {
  for (const id of Object.keys(faultSentences) as FaultSentence[]) {
    const text = sentenceOf(id, { ...parameters, pattern: '^[a-z]{2}$' })
    const read = readSentence(text)
    expect([text, read?.id]).toEqual([text, id])
    expect(sentenceOf(id, read?.parameters)).toBe(text)
  }
})

/** A value that breaks a schema, and the sentence of its fault. */
const broken: [schema: object, value: unknown, expected: ReturnType<typeof readSentence>][] = [
  [{ required: ['a'] }, {}, { id: 'missing', parameters: {} }],
  [{ type: 'integer' }, 'x', { id: 'type', parameters: { type: 'int' } }],
  [{ type: 'null' }, 1, { id: 'null', parameters: {} }],
  [{ enum: ['a', 'b'] }, 'c', { id: 'choices', parameters: { choices: 'a, b' } }],
  [{ enum: ['a'] }, 'c', { id: 'choice', parameters: { choice: 'a' } }],
  [{ type: 'string', minLength: 1 }, '', { id: 'blank', parameters: {} }],
  [{ type: 'string', maxLength: 2 }, 'abc', { id: 'too_long', parameters: { limit: '2' } }],
  [{ type: 'array', maxItems: 1 }, [1, 2], { id: 'too_many', parameters: { limit: '1' } }],
  [{ type: 'string', format: 'web-address' }, 'x', { id: 'url', parameters: {} }],
  [{ type: 'number', minimum: 5 }, 1, { id: 'at_least', parameters: { limit: '5' } }],
  [{ type: 'string', pattern: '^[a-z]+$' }, '9', { id: 'pattern', parameters: { pattern: '^[a-z]+$' } }],
  [
    { type: 'object', properties: { a: {}, b: {} }, additionalProperties: false },
    { 'its "name". Its fields are: x': 1 },
    { id: 'unknown_field', parameters: { name: 'its "name". Its fields are: x', names: 'a, b' } },
  ],
]

test('what validation says is one of the sentences', () => {
  for (const [schema, value, expected] of broken) {
    const [fault] = faultsIn(schema, value, '0', '')
    expect(readSentence(fault?.detail ?? '')).toEqual(expected)
  }
  expect(readSentence(notAChoice([]))?.id).toBe('no_choices')
  const many = Array.from({ length: 25 }, (_, i) => `c${i}`)
  expect(readSentence(notAChoice(many))).toMatchObject({ id: 'more_choices', parameters: { more: '5' } })
})

test('another text is none of them, nor is a long one', () => {
  expect(readSentence('There is no such stage.')).toBeNull()
  expect(readSentence(sentenceOf('choices', { choices: 'x'.repeat(2_000) }))).toBeNull()
})

test('the application has the same sentences in English', () => {
  const inDoubleBraces = Object.entries(faultSentences).map(([id, text]) => [
    id,
    text.replaceAll('{', '{{').replaceAll('}', '}}'),
  ])
  expect(english.requests.fault).toEqual(Object.fromEntries(inDoubleBraces))
})
