import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { traces } from '../../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'
import { MOST_INTENTS } from './intents.ts'

const INTENTS = '/web/v4/chats/intents'
const draft = { name: 'Prices', phrases: ['how much', 'price'], answer: 'It is 10 a month.' }

async function add(browser: Client, given: object = {}): Promise<number> {
  const answer = await browser.post(INTENTS, { ...draft, ...given })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.id
}

const shown = ({ account, admin }: World, id: number, given: object = {}) => ({
  id,
  ...draft,
  created_at: BEGINNING,
  created_by: admin.id,
  updated_at: BEGINNING,
  updated_by: admin.id,
  account_id: account.id,
  _links: { self: { href: `http://${admin.browser.identity.host}${INTENTS}/${id}` } },
  ...given,
})

/** The entries of the account's log about intents, the oldest first. */
async function audited({ ctx, admin }: World): Promise<unknown[]> {
  const rows = await ctx.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
  return rows
    .filter(({ action, user_id }) => action.startsWith('intent.') && user_id === admin.id)
    .map(({ action, details }) => [action, JSON.parse(details)])
}

const isOn = async ({ admin }: World): Promise<boolean> =>
  (await admin.browser.get('/web/v4/account')).body.is_helpbot_enabled

const kept = (w: World) =>
  w.ctx.db.selectFrom('chat_intents').selectAll().orderBy('account_id').orderBy('id').execute()

describe('An administrator', () => {
  test('adds an intent, changes it and deletes it', async () => {
    const w = await world()
    const { browser } = w.admin
    expect((await browser.get(INTENTS)).status).toBe(204)
    const added = await browser.post(INTENTS, draft)
    const { id } = added.body
    expect([added.status, added.body]).toEqual([200, shown(w, id)])
    expect((await browser.get(`${INTENTS}/${id}`)).body).toEqual(shown(w, id))
    w.clock.advance(60)
    const changed = await browser.patch(`${INTENTS}/${id}`, { phrases: ['  cost ', 'price'], name: 'Cost' })
    const after = shown(w, id, { name: 'Cost', phrases: ['cost', 'price'], updated_at: BEGINNING + 60 })
    expect([changed.status, changed.body]).toEqual([200, after])
    const second = await add(browser, { name: 'Second' })
    expect((await browser.get(INTENTS)).body._embedded.intents.map((one: { id: number }) => one.id)).toEqual([
      id,
      second,
    ])
    const gone = await browser.delete(`${INTENTS}/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await browser.get(`${INTENTS}/${id}`)).status).toBe(404)
    expect(await audited(w)).toEqual([
      ['intent.added', { id, name: 'Prices' }],
      ['intent.changed', { id, name: 'Cost', changed: ['name', 'phrases'] }],
      ['intent.added', { id: second, name: 'Second' }],
      ['intent.removed', { id, name: 'Cost' }],
    ])
  })

  onEmbedded('changes nothing with equal values, and nothing is logged', async () => {
    const w = await world()
    const id = await add(w.admin.browser)
    w.clock.advance(60)
    const answer = await w.admin.browser.patch(`${INTENTS}/${id}`, draft)
    expect([answer.status, answer.body]).toEqual([200, shown(w, id)])
    expect(await audited(w)).toHaveLength(1)
  })

  test('switches the bot on with the first intent, and off with the last', async () => {
    const w = await world()
    const states = [await isOn(w)]
    const first = await add(w.admin.browser)
    states.push(await isOn(w))
    const second = await add(w.admin.browser)
    await w.admin.browser.delete(`${INTENTS}/${first}`)
    states.push(await isOn(w))
    await w.admin.browser.delete(`${INTENTS}/${second}`)
    states.push(await isOn(w))
    expect(states).toEqual([false, true, true, false])
  })

  test(`adds ${MOST_INTENTS} intents and no more, also in concurrent requests`, async () => {
    const w = await world()
    const id = await add(w.admin.browser)
    const [row] = await kept(w)
    await w.ctx.db.transaction().execute((tx) =>
      tx
        .insertInto('chat_intents')
        .values(
          Array.from({ length: MOST_INTENTS - 2 }, (_, i) => ({
            ...(row as NonNullable<typeof row>),
            id: id + 1_000 + i,
          })),
        )
        .execute(),
    )
    const answers = await Promise.all([1, 2, 3].map(() => w.admin.browser.post(INTENTS, draft)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      type: expect.stringMatching(/#intent_limit$/),
      detail: 'An account has 200 intents at most.',
    })
    expect(await kept(w)).toHaveLength(MOST_INTENTS)
  })
})

const far = 'x'.repeat(256)
const bad: [string, object, [code: string, path: string][]][] = [
  [
    'nothing',
    {},
    [
      ['FieldMissing', 'name'],
      ['FieldMissing', 'phrases'],
      ['FieldMissing', 'answer'],
    ],
  ],
  [
    'members of wrong types',
    { name: 5, phrases: 'price', answer: 5 },
    [
      ['InvalidType', 'name'],
      ['InvalidType', 'phrases'],
      ['InvalidType', 'answer'],
    ],
  ],
  ['a name of nothing', { ...draft, name: '' }, [['NotBlank', 'name']]],
  ['a name that is blank', { ...draft, name: ' ' }, [['InvalidFormat', 'name']]],
  ['a long name', { ...draft, name: far }, [['TooLong', 'name']]],
  ['no phrase', { ...draft, phrases: [] }, [['TooFew', 'phrases']]],
  ['51 phrases', { ...draft, phrases: Array(51).fill('price') }, [['TooMany', 'phrases']]],
  [
    'phrases that nobody says',
    { ...draft, phrases: ['price', '  ', '?!', far, 7] },
    [['InvalidType', 'phrases.4']],
  ],
  [
    'phrases that nobody says, each a text',
    { ...draft, phrases: ['price', '  ', '?!', far] },
    [
      ['NotBlank', 'phrases.1'],
      ['InvalidFormat', 'phrases.2'],
      ['TooLong', 'phrases.3'],
    ],
  ],
  ['an empty answer', { ...draft, answer: '' }, [['NotBlank', 'answer']]],
  ['a blank answer', { ...draft, answer: ' \n' }, [['NotBlank', 'answer']]],
  ['a long answer', { ...draft, answer: 'x'.repeat(20_001) }, [['TooLong', 'answer']]],
]

describe('An intent', () => {
  test('accepts names, phrases and answers of the maximum length', async () => {
    const w = await world()
    const most = {
      name: 'я'.repeat(255),
      phrases: Array.from({ length: 50 }, (_, i) => ` ${'😀'.repeat(254)}${i % 10} `),
      answer: '😀'.repeat(20_000),
    }
    const { status, body } = await w.admin.browser.post(INTENTS, most)
    expect([status, body.phrases[7], body.answer]).toEqual([200, `${'😀'.repeat(254)}7`, most.answer])
  })

  onEmbedded.each(bad)('is refused with %s, and leaves no trace', async (_name, body, faults) => {
    const w = await world()
    const id = await add(w.admin.browser)
    const before = [await kept(w), await traces(w.ctx), await audited(w)]
    const answers = [await w.admin.browser.post(INTENTS, body)]
    if (Object.keys(body).length > 0) answers.push(await w.admin.browser.patch(`${INTENTS}/${id}`, body))
    for (const answer of answers) {
      expect(answer.status).toBe(400)
      const [item] = answer.body['validation-errors']
      expect(item.errors.map(({ code, path }: { code: string; path: string }) => [code, path])).toEqual(
        faults,
      )
    }
    expect([await kept(w), await traces(w.ctx), await audited(w)]).toEqual(before)
  })

  onEmbedded('is hidden from strangers, members who are not administrators, and other accounts', async () => {
    const w = await world()
    const id = await add(w.admin.browser)
    const account = await w.addAccount('other')
    const stranger = await w.addPerson({ account, is_admin: true })
    const member = await w.addPerson({ name: 'Bob' })
    const before = await kept(w)
    const statusesOf = async (caller: Client) => [
      (await caller.get(INTENTS)).status,
      (await caller.post(INTENTS, draft)).status,
      (await caller.get(`${INTENTS}/${id}`)).status,
      (await caller.patch(`${INTENTS}/${id}`, { name: 'Mine' })).status,
      (await caller.delete(`${INTENTS}/${id}`)).status,
    ]
    expect(await statusesOf(w.stranger)).toEqual([401, 401, 401, 401, 401])
    expect(await statusesOf(member.browser)).toEqual([403, 403, 403, 403, 403])
    expect(await kept(w)).toEqual(before)
    expect(await statusesOf(stranger.browser)).toEqual([204, 200, 404, 404, 404])
    expect((await kept(w)).filter((row) => row.account_id === w.account.id)).toEqual(before)
    expect(await isOn(w)).toBe(true)
  })
})
