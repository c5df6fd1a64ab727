import { type TSchema, Type } from 'typebox'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Fault, Refusal } from '../../errors.ts'
import { Paged } from '../queries/paging.ts'
import { validatorCompiler } from './validation.ts'

interface Result {
  value?: unknown
  error?: Refusal
}

/** The result of reading a part of a request, or its faults. */
async function read(schema: TSchema, value: unknown, httpPart = 'body') {
  const validate = validatorCompiler({ schema, httpPart, method: 'POST', url: '/' }) as (
    value: unknown,
  ) => Result | Promise<void>
  const copy = structuredClone(value)
  const validated = validate(copy)
  const result: Result =
    validated instanceof Promise
      ? await validated.then(
          () => ({ value: copy }),
          (error) => ({ error }),
        )
      : validated
  if (result.error && !(result.error instanceof Refusal)) throw result.error
  return result.error ? result.error.faults : result.value
}

const fault = (path: string, code: string, detail: string, request_id = '0') => ({
  request_id,
  code,
  path,
  detail,
})
const a = (schema: TSchema) => Type.Object({ a: schema })

describe('Validation faults', () => {
  const missing = 'This field is missing.'
  const notNull = 'This value should not be null.'
  const choice = 'The value you selected is not a valid choice. It should be one of: x, y.'
  test.each<[string, TSchema, unknown, [string, string, string][]]>([
    ['a missing member', a(Type.String()), {}, [['a', 'FieldMissing', missing]]],
    [
      'several faults, each with its path',
      Type.Object({ a: Type.String(), b: Type.Object({ c: Type.Integer(), d: Type.Boolean() }) }),
      { b: { d: 1 } },
      [
        ['a', 'FieldMissing', missing],
        ['b.c', 'FieldMissing', missing],
        ['b.d', 'InvalidType', 'This value should be of type bool.'],
      ],
    ],
    [
      'one of several members',
      a(
        Type.Object(
          { b: Type.Optional(Type.Integer()), c: Type.Optional(Type.Integer()) },
          { minProperties: 1 },
        ),
      ),
      { a: {} },
      [['a.b', 'FieldMissing', 'One or more of these fields are required: b, c.']],
    ],
    [
      'too many members',
      a(Type.Record(Type.String(), Type.Integer(), { maxProperties: 1 })),
      { a: { x: 1, y: 2 } },
      [['a', 'TooMany', 'This value should have 1 fields or less.']],
    ],
    ['a string', a(Type.String()), { a: 5 }, [['a', 'InvalidType', 'This value should be of type string.']]],
    [
      'an integer',
      a(Type.Integer()),
      { a: '5' },
      [['a', 'InvalidType', 'This value should be of type int.']],
    ],
    [
      'a fraction',
      a(Type.Integer()),
      { a: 1.5 },
      [['a', 'InvalidType', 'This value should be of type int.']],
    ],
    [
      'a number',
      a(Type.Number()),
      { a: '5' },
      [['a', 'InvalidType', 'This value should be of type number.']],
    ],
    [
      'an integer or null',
      a(Type.Unsafe({ type: ['integer', 'null'] })),
      { a: '5' },
      [['a', 'InvalidType', 'This value should be of type int.']],
    ],
    [
      'one of several types',
      a(Type.Unsafe({ type: ['integer', 'string', 'null'] })),
      { a: true },
      [['a', 'InvalidType', 'This value should be of type int or string.']],
    ],
    ['a boolean', a(Type.Boolean()), { a: 1 }, [['a', 'InvalidType', 'This value should be of type bool.']]],
    ['null', a(Type.Null()), { a: 1 }, [['a', 'InvalidType', 'This value should be null.']]],
    ['null where it is not allowed', a(Type.String()), { a: null }, [['a', 'NotNullable', notNull]]],
    [
      'null where one of several types is required',
      a(Type.Union([Type.String(), Type.Integer()])),
      { a: null },
      [['a', 'NotNullable', notNull]],
    ],
    ['null as a choice', a(Type.Enum(['x', 'y'])), { a: null }, [['a', 'NotNullable', notNull]]],
    [
      'null as one of several literals',
      a(Type.Union([Type.Literal('x'), Type.Literal('y')])),
      { a: null },
      [['a', 'NotNullable', notNull]],
    ],
    [
      'null as a list item',
      a(Type.Array(Type.Integer())),
      { a: [1, null] },
      [['a.1', 'NotNullable', notNull]],
    ],
    [
      'a list',
      a(Type.Array(Type.String())),
      { a: {} },
      [['a', 'InvalidType', 'This value should be of type array.']],
    ],
    [
      'an object',
      a(Type.Object({})),
      { a: [] },
      [['a', 'InvalidType', 'This value should be of type object.']],
    ],
    [
      'a list item',
      a(Type.Array(Type.Integer())),
      { a: [1, 'x'] },
      [['a.1', 'InvalidType', 'This value should be of type int.']],
    ],
    [
      'a name with a slash and a tilde',
      Type.Object({ 'b/c~d': Type.String() }),
      { 'b/c~d': 1 },
      [['b/c~d', 'InvalidType', 'This value should be of type string.']],
    ],
    ['a choice', a(Type.Enum(['x', 'y'])), { a: 'z' }, [['a', 'NotSupportedChoice', choice]]],
    [
      'one of several literals, reported once',
      a(Type.Union([Type.Literal('x'), Type.Literal('y')])),
      { a: 'z' },
      [['a', 'NotSupportedChoice', choice]],
    ],
    [
      'a blank text',
      a(Type.String({ minLength: 1 })),
      { a: '' },
      [['a', 'NotBlank', 'This value should not be blank.']],
    ],
    [
      'a short text',
      a(Type.String({ minLength: 3 })),
      { a: 'ab' },
      [['a', 'TooShort', 'This value is too short. It should have 3 characters or more.']],
    ],
    [
      'a long text',
      a(Type.String({ maxLength: 2 })),
      { a: 'abc' },
      [['a', 'TooLong', 'This value is too long. It should have 2 characters or less.']],
    ],
    [
      'few items',
      a(Type.Array(Type.Integer(), { minItems: 2 })),
      { a: [1] },
      [['a', 'TooFew', 'This collection should contain 2 elements or more.']],
    ],
    [
      'many items',
      a(Type.Array(Type.Integer(), { maxItems: 1 })),
      { a: [1, 2] },
      [['a', 'TooMany', 'This collection should contain 1 elements or less.']],
    ],
    [
      'items twice',
      a(Type.Array(Type.Integer(), { uniqueItems: true })),
      { a: [1, 1] },
      [['a', 'NotUnique', 'This collection should contain only unique elements.']],
    ],
    [
      'a small number',
      a(Type.Integer({ minimum: 5 })),
      { a: 4 },
      [['a', 'OutOfRange', 'This value should be 5 or more.']],
    ],
    [
      'a large number',
      a(Type.Integer({ maximum: 5 })),
      { a: 6 },
      [['a', 'OutOfRange', 'This value should be 5 or less.']],
    ],
    [
      'a pattern',
      a(Type.String({ pattern: '^x$' })),
      { a: 'y' },
      [['a', 'InvalidFormat', 'This value should match ^x$.']],
    ],
  ])('%s', async (_name, schema, value, faults) => {
    expect(await read(schema, value)).toEqual(faults.map(([path, code, detail]) => fault(path, code, detail)))
  })

  test.each([[a(Type.String())], [Type.Array(Type.String())]])(
    'name no member if there is no body',
    (schema) => {
      const validate = validatorCompiler({ schema, httpPart: 'body', method: 'POST', url: '/' })
      const refusal = new Refusal('invalid', 'Request data can not be empty')
      expect(validate(null)).toEqual({ error: refusal })
    },
  )

  test('do not include the choice itself if its alternatives have faults', async () => {
    const shape = (kind: string) => Type.Object({ kind: Type.Literal(kind), n: Type.Integer() })
    expect(await read(a(Type.Union([shape('x'), shape('y')])), { a: { kind: 'x' } })).toEqual([
      fault('a.n', 'FieldMissing', 'This field is missing.'),
      fault('a.kind', 'NotSupportedChoice', 'The value you selected is not a valid choice. It should be y.'),
    ])
  })

  test('count characters as people do, not surrogates', async () => {
    expect(await read(a(Type.String({ maxLength: 2 })), { a: '😀😀' })).toEqual({ a: '😀😀' })
  })

  test('name a batch item by its request_id or position, and only list its faults (V5)', async () => {
    const batch = Type.Array(Type.Object({ name: Type.String(), tag: Type.Optional(Type.String()) }))
    const sent = [{ name: 'A' }, { request_id: 'mine' }, { name: 5, tag: 6 }, { request_id: 7 }, null]
    expect(await read(batch, sent)).toEqual([
      fault('name', 'FieldMissing', missing, 'mine'),
      fault('name', 'InvalidType', 'This value should be of type string.', '2'),
      fault('tag', 'InvalidType', 'This value should be of type string.', '2'),
      fault('name', 'FieldMissing', missing, '7'),
      fault('', 'NotNullable', notNull, '4'),
    ])
  })

  test('are about the batch itself if it is not a list or too long (V3)', async () => {
    const batch = Type.Array(Type.Integer(), { maxItems: 2 })
    expect(await read(batch, {})).toEqual([fault('', 'InvalidType', 'This value should be of type array.')])
    expect(await read(batch, [1, 2, 3])).toEqual([
      fault('', 'TooMany', 'This collection should contain 2 elements or less.'),
    ])
  })

  test('cover the first twenty items and at most a hundred in total', async () => {
    const batch = Array.from({ length: 1_000 }, (_, i) => (i % 2 === 0 ? i : 'x'))
    const faults = (await read(Type.Array(Type.Integer()), batch)) as Fault[]
    expect(faults.map(({ request_id }) => request_id)).toEqual(
      Array.from({ length: 20 }, (_, i) => `${2 * i + 1}`),
    )

    const item = Type.Object(
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`m${i}`, Type.Integer()])),
    )
    expect(((await read(Type.Array(item), [{}, {}, {}])) as Fault[]).length).toBe(100)
  })

  test('list only the first fault of a large value', async () => {
    const list = a(Type.Array(Type.Integer()))
    const faults = (length: number) => read(list, { a: Array(length).fill('x') }) as Promise<Fault[]>
    expect((await faults(90)).length).toBe(90)
    expect(await faults(1_000)).toEqual([fault('a.0', 'InvalidType', 'This value should be of type int.')])
  })

  test('of a list that is too long are reported before its items are validated', async () => {
    const list = Type.Array(Type.Integer(), { maxItems: 2_000 })
    const tooMany = 'This collection should contain 2000 elements or less.'
    const sent = Array(2_001).fill('x')
    expect(await read(list, sent)).toEqual([fault('', 'TooMany', tooMany)])
    expect(await read(a(list), { a: sent })).toEqual([fault('a', 'TooMany', tooMany)])
    expect(await read(Type.Array(a(list)), [{ a: sent }])).toEqual([fault('a', 'TooMany', tooMany)])
  })

  test('of a large batch are found without blocking other work', async () => {
    const batch = Array.from({ length: 1_000 }, () => ({ a: [1, 2, 3] }))
    let millis = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => millis++)
    onTestFinished(() => void vi.restoreAllMocks())
    let turns = 0
    const count = () => {
      turns++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    const valid = await read(Type.Array(a(Type.Array(Type.Integer()))), batch)
    clearImmediate(counting)
    expect(valid).toHaveLength(1_000)
    expect(turns).toBeGreaterThan(10)
  })
})

describe('Bodies are strict, and values in addresses are coerced (V2)', () => {
  test.each<[TSchema, unknown]>([
    [Type.Integer(), '5'],
    [Type.Integer(), true],
    [Type.Boolean(), 'true'],
    [Type.String(), 5],
    [Type.Array(Type.Integer()), 5],
  ])('%j rejects %j in a body', async (schema, value) => {
    expect(await read(a(schema), { a: value })).toEqual([
      expect.objectContaining({ code: 'InvalidType', path: 'a' }),
    ])
  })

  test('unknown members are kept and missing ones get their defaults', async () => {
    const schema = Type.Object({ a: Type.Integer({ default: 3 }) })
    expect(await read(schema, { other: 1 })).toEqual({ a: 3, other: 1 })
  })

  test.each<[TSchema, unknown, unknown]>([
    [Type.Integer(), '5', 5],
    [Type.Integer(), '-5', -5],
    [Type.Boolean(), 'true', true],
    [Type.Array(Type.Integer()), '5', [5]],
    [Type.Array(Type.Integer()), ['5', '6'], [5, 6]],
  ])('%j reads %j in an address as %j', async (schema, value, expected) => {
    expect(await read(a(schema), { a: value }, 'querystring')).toEqual({ a: expected })
  })

  test.each(['x', '1.5', '', '0x', '1,2', ['1', '2'], { b: '1' }])(
    '%j is not an integer in an address',
    async (value) => {
      expect(await read(a(Type.Integer()), { a: value }, 'querystring')).toEqual([
        fault('a', 'InvalidType', 'This value should be of type int.'),
      ])
    },
  )

  test.each<[Record<string, string>, unknown]>([
    [{}, { page: 1, limit: 50 }],
    [
      { page: '0', limit: '250' },
      { page: 0, limit: 250 },
    ],
    [{ limit: '251' }, [fault('limit', 'OutOfRange', 'This value should be 250 or less.')]],
    [{ limit: '0' }, [fault('limit', 'OutOfRange', 'This value should be 1 or more.')]],
    [{ page: '-1' }, [fault('page', 'OutOfRange', 'This value should be 0 or more.')]],
  ])('page and limit %j are %j (V3)', async (query, expected) => {
    expect(await read(Paged, query, 'querystring')).toEqual(expected)
  })
})
