import { describe, expect, test } from 'vitest'
import { connected } from '../../../test/fixtures/chats.ts'
import { chatTraces, customer, storedMessages, textPush } from '../../../test/fixtures/pushes.ts'
import { world } from '../../../test/world.ts'
import { kindsIn } from './message-kinds.ts'

/** The value of each member, and values that it must not have: every type of JSON but its own. */
const text = { good: 'Words', bad: [5, true, null, {}, []] }
const address = { good: 'https://cdn.example/a.bin', bad: [5, true, null, {}, []] }
const whole = { good: 1_200, bad: ['5', 1.5, true, null, {}, []] }
const object = (good: object) => ({ good, bad: ['x', 5, true, null, []] })

const members: Record<string, { good: unknown; bad: unknown[] }> = {
  text,
  media: address,
  file_name: { ...text, good: 'a.bin' },
  file_size: whole,
  location: object({ lon: 13.4, lat: 52.5 }),
  contact: object({ name: 'Bob', phone: '+44 20 7946 0000' }),
}

/** The specification's table of messages: which members are required when. */
const table: [type: string, required: string[]][] = [
  ['text', ['text']],
  ['picture', ['media', 'file_name', 'file_size']],
  ['video', ['media', 'file_name', 'file_size']],
  ['file', ['media', 'file_name', 'file_size']],
  ['sticker', ['media']],
  ['location', ['location']],
  ['contact', ['contact']],
]
/** The members that the live service requires of each type. */
const liveTable: [type: string, required: string[]][] = [
  ['text', ['text']],
  ...['picture', 'video', 'file', 'sticker', 'voice', 'audio'].map((type): [string, string[]] => [
    type,
    ['media'],
  ]),
  ['location', ['location']],
  ['contact', ['contact']],
]

const messageOf = (type: string, required: string[]): Record<string, unknown> => ({
  type,
  ...Object.fromEntries(required.map((name) => [name, members[name]?.good])),
})

const without = (of: object, name: string) =>
  Object.fromEntries(Object.entries(of).filter(([key]) => key !== name))

const missing = (path: string) => ({ path, code: 'FieldMissing', detail: 'This field is missing.' })
const wrongType = (path: string, value?: unknown) =>
  value === null
    ? { path, code: 'NotNullable', detail: 'This value should not be null.' }
    : { path, code: 'InvalidType', detail: expect.stringMatching(/^This value should be of type /) }
const refusal = (...errors: object[]) => ({
  status: 0,
  error_code: 400,
  error_type: 'INVALID',
  error_description: expect.stringMatching(/^Request validation failed/),
  errors,
})

/** Pushes each, expects the errors it comes with, and that nothing is left behind. */
async function refusesAll(protocol: 'spec' | 'live', cases: [payload: object, ...errors: object[]][]) {
  const here = await world()
  const { push } = await connected(here, { protocol })
  const before = await chatTraces(here.ctx)
  for (const [payload, ...errors] of cases) {
    const { status, body } = await push(payload)
    expect({ status, body, of: payload }).toEqual({ status: 400, body: refusal(...errors), of: payload })
  }
  expect(await chatTraces(here.ctx)).toEqual(before)
}

const stored = { media: null, file_name: null, file_size: null, text: '' }

describe.each([
  ['spec', table],
  ['live', liveTable],
] as const)('The protocol %s knows these kinds of messages', (protocol, kinds) => {
  test('and no others', async () => {
    expect(
      kindsIn(protocol)
        .map(([type]) => type)
        .sort(),
    ).toEqual(kinds.map(([type]) => type).sort())
    const others = ['', 'Text', 'voice', 'audio', 'poll', '__proto__', 'toString']
    await refusesAll(
      protocol,
      others
        .filter((type) => !kinds.some(([known]) => known === type))
        .map((type) => [
          textPush('m', { message: { type, text: 'Hi', media: address.good } }),
          {
            path: 'payload.message.type',
            code: 'NotSupportedChoice',
            detail: `The value you selected is not a valid choice. It should be one of: ${kindsIn(protocol)
              .map(([type]) => type)
              .join(', ')}.`,
          },
        ]),
    )
  })

  test.each(kinds)('%s with %j', async (type, required) => {
    const here = await world()
    const { push } = await connected(here, { protocol })
    const message = messageOf(type, required)
    expect((await push(textPush('m', { message }))).status).toBe(200)
    const [row] = await storedMessages(here.ctx)
    const { location, contact, ...columns } = message
    expect(row).toMatchObject({
      ...stored,
      ...columns,
      state: 'received',
      direction: 'in',
      sent_at: 1_772_366_000,
    })
    expect(JSON.parse(row?.content as string)).toEqual({
      ...(location ? { location } : {}),
      ...(contact ? { contact } : {}),
    })
  })

  test.each(kinds)('%s without one of %j is refused, with its name', async (type, required) => {
    const message = messageOf(type, required)
    const alone = required.map((name): [object, object] => [
      textPush('m', { message: without(message, name) }),
      missing(`payload.message.${name}`),
    ])
    const all: [object, ...object[]] = [
      textPush('m', { message: { type } }),
      ...required.map((name) => missing(`payload.message.${name}`)),
    ]
    await refusesAll(protocol, [...alone, all])
  })

  test.each(kinds)('%s with a member of another type is refused, with its name', async (type, required) => {
    const message = messageOf(type, required)
    // The live service's clients write null for what they do not have.
    const isLoose = (value: unknown, name: string) =>
      protocol === 'live' && value === null && !required.includes(name)
    await refusesAll(
      protocol,
      Object.entries(members).flatMap(([name, { bad }]) =>
        bad
          .filter((value) => !isLoose(value, name))
          .map((value): [object, object] => [
            textPush('m', { message: { ...message, [name]: value } }),
            wrongType(`payload.message.${name}`, value),
          ]),
      ),
    )
  })

  test.each(kinds.filter(([, required]) => required[0] !== 'location' && required[0] !== 'contact'))(
    '%s with nothing in its first member is refused',
    async (type, required) => {
      const message = { ...messageOf(type, required), [required[0] as string]: '' }
      const blank = { code: 'NotBlank', detail: 'This value should not be blank.' }
      await refusesAll(protocol, [
        [textPush('m', { message }), { path: `payload.message.${required[0]}`, ...blank }],
      ])
    },
  )
})

describe('A push of any kind in the protocol spec', () => {
  const whole_payload = textPush('m', {
    sender: customer({
      profile_link: 'https://x.example/sue',
      profile: { phone: 79_123_456_789, email: 's@x.example' },
    }),
  })

  test('requires each member that the description requires', async () => {
    const sender = without(whole_payload, '').sender as object
    await refusesAll('spec', [
      ...['timestamp', 'msgid', 'conversation_id', 'sender', 'message'].map((name): [object, object] => [
        without(whole_payload, name),
        missing(`payload.${name}`),
      ]),
      ...['id', 'avatar', 'name'].map((name): [object, object] => [
        { ...whole_payload, sender: without(sender, name) },
        missing(`payload.sender.${name}`),
      ]),
      [{ ...whole_payload, message: { text: 'Hi' } }, missing('payload.message.type')],
      [
        { ...whole_payload, message: { type: 'location', location: {} } },
        missing('payload.message.location.lon'),
        missing('payload.message.location.lat'),
      ],
      [
        { ...whole_payload, message: { type: 'contact', contact: {} } },
        missing('payload.message.contact.name'),
        missing('payload.message.contact.phone'),
      ],
      [
        {},
        ...['timestamp', 'msgid', 'conversation_id', 'sender', 'message'].map((name) =>
          missing(`payload.${name}`),
        ),
      ],
    ])
  })

  test('is strict about the type of every member', async () => {
    const { sender, message } = whole_payload as { sender: object; message: object }
    const notText = [5, true, null, {}, []]
    const notWhole = ['5', 1.5, true, null, {}, []]
    const notObject = ['x', 5, true, null, []]
    const cases = (name: string, bad: unknown[], put: (value: unknown) => object) =>
      bad.map((value): [object, object] => [put(value), wrongType(`payload.${name}`, value)])
    const ofSender = (name: string, bad: unknown[]) =>
      cases(`sender.${name}`, bad, (value) => ({ ...whole_payload, sender: { ...sender, [name]: value } }))
    await refusesAll('spec', [
      ...cases('timestamp', notWhole, (timestamp) => ({ ...whole_payload, timestamp })),
      ...cases('msgid', notText, (msgid) => ({ ...whole_payload, msgid })),
      ...cases('conversation_id', notText, (conversation_id) => ({ ...whole_payload, conversation_id })),
      ...cases('sender', notObject, (sender) => ({ ...whole_payload, sender })),
      ...cases('message', notObject, (message) => ({ ...whole_payload, message })),
      ...['id', 'name', 'avatar', 'profile_link'].flatMap((name) => ofSender(name, notText)),
      ...ofSender('profile', notObject),
      ...cases('sender.profile.phone', ['+79123456789', 1.5, true, null], (phone) => ({
        ...whole_payload,
        sender: { ...sender, profile: { phone } },
      })),
      ...cases('sender.profile.email', notText, (email) => ({
        ...whole_payload,
        sender: { ...sender, profile: { email } },
      })),
      ...cases('message.type', [5, true, null, {}, []], (type) => ({
        ...whole_payload,
        message: { ...message, type },
      })),
      ...cases('message.location.lon', ['1', null, true], (lon) => ({
        ...whole_payload,
        message: { type: 'location', location: { lon, lat: 1 } },
      })),
      ...cases('message.contact.phone', notText, (phone) => ({
        ...whole_payload,
        message: { type: 'contact', contact: { name: 'B', phone } },
      })),
    ])
  })

  test('accepts only web addresses, and limits what it stores', async () => {
    const picture = (media: string) =>
      textPush('m', { message: { type: 'picture', media, file_name: 'a', file_size: 1 } })
    const wrong = [
      'ftp://x.example/a',
      'javascript:alert(1)',
      'data:text/html,x',
      '//x.example/a',
      'x',
      'https://',
      'http:///a',
      'https://[',
      'file:///etc/passwd',
    ]
    const notUrl = { code: 'InvalidFormat', detail: 'This value is not a valid URL.' }
    const tooLong = (most: number) => ({
      code: 'TooLong',
      detail: `This value is too long. It should have ${most} characters or less.`,
    })
    const outside = (limit: number, side: string) => ({
      code: 'OutOfRange',
      detail: `This value should be ${limit} or ${side}.`,
    })
    await refusesAll('spec', [
      ...wrong.map((media): [object, object] => [
        picture(media),
        { path: 'payload.message.media', ...notUrl },
      ]),
      ...wrong.map((avatar): [object, object] => [
        textPush('m', { sender: customer({ avatar }) }),
        { path: 'payload.sender.avatar', ...notUrl },
      ]),
      ...wrong.map((profile_link): [object, object] => [
        textPush('m', { sender: customer({ profile_link }) }),
        { path: 'payload.sender.profile_link', ...notUrl },
      ]),
      [
        picture(`https://x.example/${'a'.repeat(2_048)}`),
        { path: 'payload.message.media', ...tooLong(2_048) },
      ],
      [textPush('x'.repeat(256)), { path: 'payload.msgid', ...tooLong(255) }],
      [
        textPush('m', { conversation_id: 'x'.repeat(256) }),
        { path: 'payload.conversation_id', ...tooLong(255) },
      ],
      [
        textPush('m', { message: { type: 'text', text: 'x'.repeat(65_001) } }),
        { path: 'payload.message.text', ...tooLong(65_000) },
      ],
      [textPush('m', { timestamp: -1 }), { path: 'payload.timestamp', ...outside(0, 'more') }],
      [
        textPush('m', { timestamp: 253_402_300_800 }),
        { path: 'payload.timestamp', ...outside(253_402_300_799, 'less') },
      ],
      [
        textPush('m', { message: { type: 'location', location: { lon: 181, lat: -91 } } }),
        { path: 'payload.message.location.lon', ...outside(180, 'less') },
        { path: 'payload.message.location.lat', ...outside(-90, 'more') },
      ],
    ])
  })

  test('reports all faults at once', async () => {
    await refusesAll('spec', [
      [
        {
          timestamp: '5',
          conversation_id: 5,
          sender: { name: 5, profile: { phone: '1' } },
          message: { type: 'picture', file_size: -1 },
        },
        missing('payload.msgid'),
        wrongType('payload.timestamp'),
        wrongType('payload.conversation_id'),
        missing('payload.sender.id'),
        missing('payload.sender.avatar'),
        wrongType('payload.sender.name'),
        wrongType('payload.sender.profile.phone'),
        { path: 'payload.message.file_size', code: 'OutOfRange', detail: 'This value should be 0 or more.' },
        missing('payload.message.media'),
        missing('payload.message.file_name'),
      ],
    ])
  })

  test('ignores unknown members, and those of the live protocol', async () => {
    const here = await world()
    const { push } = await connected(here)
    const odd = {
      source: 5,
      silent: 'yes',
      receiver: [],
      reply_to: 'x',
      msec_timestamp: 'y',
      anything: { at: 'all' },
    }
    const message = { type: 'text', text: 'Hi', sticker_id: 5, delivery_status: 'x' }
    const answer = await push(textPush('m', { ...odd, sender: customer({ ref_id: 5 }), message }))
    expect(answer.status).toBe(200)
    const [row] = await storedMessages(here.ctx)
    expect(row).toMatchObject({ direction: 'in', text: 'Hi', content: '{}' })
    expect((await push({ ...textPush('m2'), sender: customer({ avatar: null }) })).body.errors).toEqual([
      wrongType('payload.sender.avatar', null),
    ])
  })
})

describe('A push in the live protocol', () => {
  test('needs no avatar, accepts phones in both forms, and null for absent members', async () => {
    const here = await world()
    const { push } = await connected(here, { protocol: 'live' })
    const senders = [
      { id: 's', name: 'Sue' },
      { id: 's', name: '', avatar: '', profile_link: null, profile: null, ref_id: null },
      { id: 's', name: 'Sue', profile: { phone: '+1400000000', email: null } },
      { id: 's', name: 'Sue', profile: { phone: 1_400_000_000 } },
    ]
    for (const [i, sender] of senders.entries())
      expect((await push(textPush(`m${i}`, { sender }))).status).toBe(200)
    expect(
      await here.ctx.db.selectFrom('chat_senders').select(['name', 'phone', 'avatar']).execute(),
    ).toEqual([{ name: 'Sue', phone: '1400000000', avatar: null }])
  })

  test('stores the additional members of the live service', async () => {
    const here = await world()
    const { push } = await connected(here, { protocol: 'live' })
    const message = {
      ...{
        type: 'voice',
        media: 'https://cdn.example/v.ogg',
        file_name: 'v.ogg',
        file_size: 5,
        media_duration: 3,
      },
      ...{
        sticker_id: 'st',
        callback_data: 'cb',
        shared_post: { id: 1 },
        post: { id: 'p' },
        delivery_status: 1,
      },
    }
    const further = {
      msec_timestamp: 1_772_366_000_123,
      conversation_ref_id: 'r',
      reply_to: { message: { id: 'x' } },
      forwards: { messages: [] },
    }
    const payload = textPush('m', { ...further, source: { external_id: 'shop' }, silent: false, message })
    expect((await push(payload)).status).toBe(200)
    const [row] = await storedMessages(here.ctx)
    const { type, media, file_name, file_size, ...kept } = message
    expect(row).toMatchObject({ type, media, file_name, file_size })
    expect(JSON.parse(row?.content as string)).toEqual({ ...kept, ...further })
    const [conversation] = await here.ctx.db
      .selectFrom('conversations')
      .select('source_external_id')
      .execute()
    expect(conversation).toEqual({ source_external_id: 'shop' })
  })

  test('is strict about the types of those members too', async () => {
    const bad: [string, object][] = [
      ['msec_timestamp', textPush('m', { msec_timestamp: '5' })],
      ['conversation_ref_id', textPush('m', { conversation_ref_id: 5 })],
      ['silent', textPush('m', { silent: 'yes' })],
      ['source', textPush('m', { source: 'shop' })],
      ['source.external_id', textPush('m', { source: { external_id: 5 } })],
      ['receiver', textPush('m', { receiver: 's-1' })],
      ['reply_to', textPush('m', { reply_to: 'x' })],
      ['forwards', textPush('m', { forwards: [] })],
      ['sender.ref_id', textPush('m', { sender: customer({ ref_id: 5 }) })],
      ['sender.profile.phone', textPush('m', { sender: customer({ profile: { phone: true } }) })],
      ...['sticker_id', 'callback_data', 'media_duration', 'shared_post', 'post'].map(
        (name): [string, object] => [
          `message.${name}`,
          textPush('m', { message: { type: 'text', text: 'Hi', [name]: true } }),
        ],
      ),
    ]
    await refusesAll(
      'live',
      bad.map(([path, payload]) => [payload, wrongType(`payload.${path}`)]),
    )
    await refusesAll('live', [
      [
        textPush('m', { source: { external_id: 'x'.repeat(41) } }),
        {
          path: 'payload.source.external_id',
          code: 'TooLong',
          detail: 'This value is too long. It should have 40 characters or less.',
        },
      ],
    ])
  })
})

describe('A refusal by the protocol spec', () => {
  const bare = { id: 's-1', name: 'Sue', avatar: undefined }
  test.each<[string, object, boolean]>([
    ['a sender without an avatar', textPush('m', { sender: bare }), true],
    ['a voice message', textPush('m', { message: { type: 'voice', media: address.good } }), true],
    ['a telephone as a text', textPush('m', { sender: customer({ profile: { phone: '+1 5' } }) }), true],
    ['no msgid, which both protocols need', textPush('m', { msgid: undefined }), false],
  ])('of %s names the switch where the other protocol takes it', async (_name, payload, isNamed) => {
    const here = await world()
    const spec = await connected(here)
    const { status, body } = await spec.push(payload)
    expect(status).toBe(400)
    expect(body.error_description).toBe(
      isNamed
        ? 'Request validation failed. This channel uses the protocol `spec`. The protocol `live` accepts more of ' +
            'this body: change it in the settings, or use `channel create --protocol live`.'
        : 'Request validation failed',
    )
    const live = await connected(here, { protocol: 'live' })
    expect((await live.push(payload)).status).toBe(isNamed ? 200 : 400)
  })

  test('of an edited message names the setting, too', async () => {
    const here = await connected(await world())
    const payload = { msgid: 'm', message: { text: 'x' } }
    const { body } = await here.call('POST', `/${here.scope_id}`, { event_type: 'edit_message', payload })
    expect(body.error_description).toContain('--protocol live')
  })
})
