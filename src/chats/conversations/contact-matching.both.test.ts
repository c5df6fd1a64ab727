import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { connected } from '../../../test/fixtures/chats.ts'
import { chatTraces, closeTalks, customer, textPush } from '../../../test/fixtures/pushes.ts'
import { add, log } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'

async function shop(draft: Parameters<typeof connected>[1] = {}) {
  const here = await world()
  const { browser } = here.admin
  const provider = await connected(here, draft)
  const conversation = async (external_id = 'c-1') =>
    here.ctx.db
      .selectFrom('conversations')
      .selectAll()
      .where('external_id', '=', external_id)
      .executeTakeFirstOrThrow()
  const contacts = async () => (await browser.get('/web/v4/contacts')).body._embedded.contacts
  const reached = async (id: number) => {
    const { custom_fields_values } = (await browser.get(`/web/v4/contacts/${id}`)).body
    const texts = (custom_fields_values ?? []).map(
      (field: { field_code: string; values: { value: string }[] }) => [
        field.field_code,
        field.values.map(({ value }) => value),
      ],
    )
    return Object.fromEntries(texts)
  }
  const contact = (name: string, values: Record<string, string[]> = {}) =>
    add(browser, 'contacts', {
      name,
      custom_fields_values: Object.entries(values).map(([field_code, list]) => ({
        field_code,
        values: list.map((value) => ({ value })),
      })),
    })
  return { ...here, ...provider, browser, conversation, contacts, contact, reached }
}

const from = (msgid: string, profile: object, change: object = {}) =>
  textPush(msgid, { sender: customer({ profile }), ...change })

describe('A new conversation finds or creates its contact', () => {
  test('creates one with the name, the phone and the e-mail of the sender', async () => {
    const here = await shop()
    await here.push(from('m', { phone: 79_123_456_789, email: 'Sue@X.example' }))
    const [contact, ...others] = await here.contacts()
    expect(others).toEqual([])
    expect(contact).toMatchObject({
      name: 'Sue Brook',
      first_name: 'Sue Brook',
      created_by: 0,
      updated_by: 0,
      responsible_user_id: here.admin.id,
    })
    expect(await here.reached(contact.id)).toEqual({ PHONE: ['79123456789'], EMAIL: ['Sue@X.example'] })
    expect((await here.conversation()).contact_id).toBe(contact.id)
  })

  const phone = 79_123_456_789
  const email = 'sue@x.example'
  /** The contacts that stand, what the sender tells, and which of them it is: its place, or none of them. */
  const table: [name: string, standing: Record<string, string[]>[], profile: object, found: number | null][] =
    [
      ['the telephone as it is', [{ PHONE: ['79123456789'] }], { phone }, 0],
      ['the telephone written otherwise', [{ PHONE: ['+7 (912) 345-67-89'] }], { phone }, 0],
      ['the telephone with the trunk prefix', [{ PHONE: ['8 912 345 67 89'] }], { phone }, 0],
      ['the second of several telephones', [{ PHONE: ['+1 555 0100', '9123456789'] }], { phone }, 0],
      ['the e-mail in another case', [{ EMAIL: ['SUE@x.Example'] }], { email }, 0],
      ['both of the same contact', [{ PHONE: ['79123456789'], EMAIL: [email] }], { phone, email }, 0],
      ['the e-mail, where the telephone leads nowhere', [{ EMAIL: [email] }], { phone, email }, 0],
      [
        'the telephone, where the e-mail leads nowhere',
        [{}, { PHONE: ['79123456789'] }],
        { phone, email },
        1,
      ],
      ['another telephone', [{ PHONE: ['79123456780'] }], { phone }, null],
      [
        'a telephone that two have',
        [{ PHONE: ['79123456789'] }, { PHONE: ['89123456789'] }],
        { phone },
        null,
      ],
      ['an e-mail that two have', [{ EMAIL: [email] }, { EMAIL: [email] }], { email }, null],
      [
        'the telephone of one and the e-mail of another',
        [{ PHONE: ['79123456789'] }, { EMAIL: [email] }],
        { phone, email },
        null,
      ],
      ['a telephone of four digits', [{ PHONE: ['1234'] }], { phone: 1_234 }, null],
      ['part of an e-mail', [{ EMAIL: ['ue@x.example'] }], { email }, null],
      ['an e-mail where the telephone stands', [{ PHONE: [email] }], { email }, null],
      ['nothing to be reached by', [{ PHONE: ['79123456789'] }], {}, null],
    ]
  test.each(table)('%s', async (_name, standing, profile, found) => {
    const here = await shop()
    const ids: number[] = []
    for (const values of standing) ids.push(await here.contact('Standing', values))
    expect((await here.push(from('m', profile))).status).toBe(200)
    const { contact_id } = await here.conversation()
    expect((await here.contacts()).length).toBe(ids.length + (found === null ? 1 : 0))
    if (found === null) expect(ids).not.toContain(contact_id)
    else expect(contact_id).toBe(ids[found])
  })

  test('ignores contacts in the trash, companies, and contacts of other accounts', async () => {
    const here = await shop()
    const values = [{ field_code: 'PHONE', values: [{ value: '79123456789' }] }]
    const gone = await here.contact('Gone', { PHONE: ['79123456789'] })
    await here.browser.delete(`/web/v4/contacts/${gone}`)
    await add(here.browser, 'companies', { name: 'Firm', custom_fields_values: values })
    const other = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
    const theirs = await add(other.browser, 'contacts', { name: 'Theirs', custom_fields_values: values })
    const before = await log(here.ctx, { account_id: other.account.id })
    await here.push(from('m', { phone }))
    const { contact_id } = await here.conversation()
    expect([gone, theirs]).not.toContain(contact_id)
    expect((await here.contacts()).map(({ id }: { id: number }) => id)).toEqual([contact_id])
    expect(await log(here.ctx, { account_id: other.account.id })).toEqual(before)
  })

  test('finds the only one that is not in the trash', async () => {
    const here = await shop()
    const reach = { PHONE: ['79123456789'], EMAIL: ['sue@x.example'] }
    const [gone, stands, last] = [
      await here.contact('A', reach),
      await here.contact('B', reach),
      await here.contact('C', reach),
    ]
    for (const id of [gone, last]) await here.browser.delete(`/web/v4/contacts/${id}`)
    await here.push(from('m', { phone, email }))
    expect((await here.conversation()).contact_id).toBe(stands)
  })

  test('is named after the phone or e-mail if the name is blank', async () => {
    const here = await shop({ protocol: 'live' })
    const named = async (msgid: string, profile: object) => {
      await here.push(
        textPush(msgid, { conversation_id: msgid, sender: { id: `s-${msgid}`, name: ' ', profile } }),
      )
      const { contact_id } = await here.conversation(msgid)
      return (await here.browser.get(`/web/v4/contacts/${contact_id}`)).body.name
    }
    expect(await named('a', { phone: '+1400000000', email: 'a@x.example' })).toBe('+1400000000')
    expect(await named('b', { email: 'b@x.example' })).toBe('b@x.example')
    expect(await named('c', {})).toBe('s-c')
  })
})

describe('A contact gets missing details', () => {
  test('when it is found, and keeps its name, responsible user and values', async () => {
    const here = await shop()
    const bob = await here.addPerson({ name: 'Bob' })
    const id = await here.contact('Mrs Brook', { PHONE: ['+7 912 345-67-89', '+1 555 0100'] })
    await here.browser.patch(`/web/v4/contacts/${id}`, { responsible_user_id: bob.id })
    await here.push(from('m', { phone: 79_123_456_789, email: 's@x.example' }))
    expect(await here.reached(id)).toEqual({
      PHONE: ['+7 912 345-67-89', '+1 555 0100'],
      EMAIL: ['s@x.example'],
    })
    const [contact] = await here.contacts()
    expect(contact).toMatchObject({ name: 'Mrs Brook', responsible_user_id: bob.id, updated_by: 0 })
    const { lead_id } = await here.conversation()
    expect((await here.browser.get(`/web/v4/leads/${lead_id}`)).body.responsible_user_id).toBe(bob.id)
    const changes = (await log(here.ctx, { entity_id: id })).filter(
      ({ type, by }) => type === 'custom_field_value_changed' && by === 0,
    )
    expect(changes.map(({ after }) => after)).toEqual([
      [{ custom_field_value: expect.objectContaining({ text: 's@x.example' }) }],
    ])
  })

  test('once, also with a later message, in addition to its own values', async () => {
    const here = await shop()
    await here.push(textPush('a'))
    const { contact_id } = await here.conversation()
    expect(await here.reached(contact_id)).toEqual({})
    await here.push(from('b', { phone: 79_123_456_789 }))
    await here.push(from('c', { phone: 79_123_456_789, email: 's@x.example' }))
    expect(await here.reached(contact_id)).toEqual({ PHONE: ['79123456789'], EMAIL: ['s@x.example'] })
    await here.push(from('d', { phone: 15_550_100_000 }))
    expect(await here.reached(contact_id)).toEqual({
      PHONE: ['79123456789', '15550100000'],
      EMAIL: ['s@x.example'],
    })
    const before = await chatTraces(here.ctx)
    await here.push(from('e', { phone: 15_550_100_000, email: 's@x.example' }))
    expect(await chatTraces(here.ctx)).toEqual({
      ...before,
      chat_messages: 5,
      events: (before.events as number) + 1,
    })
  })

  test('but not details that a user removed, nor details of another sender', async () => {
    const here = await shop()
    await here.push(from('a', { phone: 79_123_456_789 }))
    const { contact_id } = await here.conversation()
    await here.browser.patch(`/web/v4/contacts/${contact_id}`, {
      custom_fields_values: [{ field_code: 'PHONE', values: [] }],
    })
    await here.push(from('b', { phone: 79_123_456_789 }))
    const tom = (profile: object) => ({ sender: customer({ id: 's-2', profile }) })
    await here.push(textPush('c', tom({ email: 'tom@x.example' })))
    await here.push(textPush('d', tom({ phone: 15_550_100_000 })))
    expect(await here.reached(contact_id)).toEqual({})
  })

  onEmbedded('required fields may stay empty, because only people must fill them in', async () => {
    const here = await shop()
    const [pipeline] = (await here.browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines
    const first = pipeline._embedded.statuses.find(({ is_editable }: { is_editable: boolean }) => is_editable)
    const field = await here.browser.post('/web/v4/leads/custom_fields', [
      {
        name: 'Budget',
        type: 'text',
        required_statuses: [{ pipeline_id: pipeline.id, status_id: first.id }],
      },
    ])
    expect(field.status).toBe(201)
    expect((await here.browser.post('/web/v4/leads', [{ name: 'By hand' }])).status).toBe(400)
    expect((await here.push(textPush('m'))).status).toBe(200)
  })
})

describe('The lead of a conversation', () => {
  test('is in the first stage of the main pipeline, and has the contact as its main one', async () => {
    const here = await shop()
    await here.push(textPush('m'))
    const { lead_id, contact_id, talk_id } = await here.conversation()
    const pipelines = (await here.browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines
    const main = pipelines.find(({ is_main }: { is_main: boolean }) => is_main)
    const first = main._embedded.statuses.find(({ type }: { type: number }) => type === 0)
    const lead = (await here.browser.get(`/web/v4/leads/${lead_id}?with=contacts`)).body
    expect(lead).toMatchObject({
      pipeline_id: main.id,
      status_id: first.id,
      responsible_user_id: here.admin.id,
      created_by: 0,
    })
    expect(lead._embedded.contacts).toMatchObject([{ id: contact_id, is_main: true }])
    expect(
      await here.ctx.db.selectFrom('talks').select(['id', 'lead_id', 'contact_id', 'closed_at']).execute(),
    ).toEqual([{ id: talk_id, lead_id, contact_id, closed_at: null }])
  })

  onEmbedded(
    'belongs to the user who registered the channel while they are active, else to the first administrator',
    async () => {
      const here = await shop()
      const second = await here.addPerson({ name: 'Bea', is_admin: true })
      const channel = await connected(here, { by: second })
      const responsible = async (msgid: string) => {
        await channel.push(textPush(msgid, { conversation_id: msgid, sender: customer({ id: msgid }) }))
        return (await here.browser.get(`/web/v4/leads/${(await here.conversation(msgid)).lead_id}`)).body
          .responsible_user_id
      }
      expect(await responsible('a')).toBe(second.id)
      await here.ctx.db
        .transaction()
        .execute((tx) =>
          tx.updateTable('members').set({ is_active: 0 }).where('user_id', '=', second.id).execute(),
        )
      expect(await responsible('b')).toBe(here.admin.id)
    },
  )

  /** Changes of the lead while the talk is closed, and whether the next talk is about the same lead. */
  const closings: [what: string, change: object | null, stays: boolean][] = [
    ['it is open', {}, true],
    ['it was won', { status_id: 142 }, false],
    ['it was lost', { status_id: 143 }, false],
    ['it lies in the trash', null, false],
  ]
  test.each(closings)('after its talk was closed and %s', async (_what, change, stays) => {
    const here = await shop()
    await here.push(textPush('a'))
    const first = await here.conversation()
    await closeTalks(here.ctx)
    if (change === null) await here.browser.delete(`/web/v4/leads/${first.lead_id}`)
    else await here.browser.patch(`/web/v4/leads/${first.lead_id}`, change)
    await here.push(textPush('b'))
    const next = await here.conversation()
    expect(next.lead_id === first.lead_id).toBe(stays)
    expect([next.id, next.contact_id, next.is_in_work]).toEqual([first.id, first.contact_id, 1])
    expect(next.talk_id).toBeGreaterThan(first.talk_id)
    const talks = await here.ctx.db
      .selectFrom('talks')
      .select(['id', 'lead_id', 'closed_at'])
      .orderBy('id')
      .execute()
    expect(talks).toEqual([
      { id: first.talk_id, lead_id: first.lead_id, closed_at: here.clock.now() },
      { id: next.talk_id, lead_id: next.lead_id, closed_at: null },
    ])
    expect((await log(here.ctx)).at(-1)).toMatchObject({ entity: ['lead', next.lead_id] })
    const { contacts } = (await here.browser.get(`/web/v4/leads/${next.lead_id}?with=contacts`)).body
      ._embedded
    expect(contacts).toMatchObject([{ id: first.contact_id }])
  })

  test('stays while the talk is open, also when it is won', async () => {
    const here = await shop()
    await here.push(textPush('a'))
    const first = await here.conversation()
    await here.browser.patch(`/web/v4/leads/${first.lead_id}`, { status_id: 142 })
    await here.push(textPush('b'))
    expect(await here.conversation()).toMatchObject({ lead_id: first.lead_id, talk_id: first.talk_id })
  })
})

describe('The records of a conversation', () => {
  test('follow a merge of contacts or leads, and clients of the stream are notified', async () => {
    const here = await shop()
    await here.push(textPush('a'))
    const first = await here.conversation()
    const contact = await here.contact('Sue B.')
    const lead = await add(here.browser, 'leads', { name: 'Boat' })
    here.clock.advance(5)
    expect(
      (await here.browser.post('/web/v4/contacts/merge', { id: contact, merge: [first.contact_id] })).status,
    ).toBe(200)
    expect(
      (await here.browser.post('/web/v4/leads/merge', { id: lead, merge: [first.lead_id] })).status,
    ).toBe(200)
    expect(await here.conversation()).toMatchObject({
      contact_id: contact,
      lead_id: lead,
      talk_id: first.talk_id,
      version: first.version + 2,
      changed_at: here.clock.now(),
    })
    expect(await here.ctx.db.selectFrom('talks').select(['contact_id', 'lead_id']).execute()).toEqual([
      { contact_id: contact, lead_id: lead },
    ])
    await here.push(textPush('b'))
    expect((await log(here.ctx)).at(-1)).toMatchObject({ entity: ['lead', lead] })
    expect((await here.conversation()).contact_id).toBe(contact)
  })

  test('a contact in the trash is replaced by another one, in a new talk about the same lead', async () => {
    const here = await shop()
    await here.push(from('a', { phone: 79_123_456_789 }))
    const first = await here.conversation()
    await here.browser.delete(`/web/v4/contacts/${first.contact_id}`)
    expect(await here.conversation()).toEqual(first)
    await here.push(from('b', { phone: 79_123_456_789 }))
    const next = await here.conversation()
    expect(next.contact_id).not.toBe(first.contact_id)
    expect([next.lead_id, next.talk_id > first.talk_id]).toEqual([first.lead_id, true])
    expect(await here.reached(next.contact_id)).toEqual({ PHONE: ['79123456789'] })
    const talks = await here.ctx.db
      .selectFrom('talks')
      .select(['contact_id', 'closed_at'])
      .orderBy('id')
      .execute()
    expect(talks).toEqual([
      { contact_id: first.contact_id, closed_at: here.clock.now() },
      { contact_id: next.contact_id, closed_at: null },
    ])
    const { contacts } = (await here.browser.get(`/web/v4/leads/${next.lead_id}?with=contacts`)).body
      ._embedded
    expect(contacts).toContainEqual(expect.objectContaining({ id: next.contact_id, is_main: true }))
  })
})
