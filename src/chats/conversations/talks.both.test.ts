import { describe, expect, test } from 'vitest'
import type { Answer, Client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { connected } from '../../../test/fixtures/chats.ts'
import { textPush } from '../../../test/fixtures/pushes.ts'
import { log } from '../../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../../test/world.ts'
import { completeRights, type Width } from '../../accounts/members/rights.ts'

interface Chatting {
  w: World
  /** Pushes the customer's next message. */
  says(): Promise<void>
  chat(): Promise<{
    id: string
    talk_id: number
    contact_id: number
    lead_id: number
    [member: string]: unknown
  }>
  channel_id: string
}

/** A customer who has written once; the administrator is responsible for all that this made. */
async function chatting(): Promise<Chatting> {
  const w = await world()
  const here = await connected(w)
  let count = 0
  const says = async () => {
    const { status } = await here.push(textPush(`m-${++count}`))
    expect(status).toBe(200)
  }
  await says()
  const chat = async () => (await w.admin.browser.get('/web/v4/chats')).body._embedded.chats[0]
  return { w, says, chat, channel_id: here.channel.id }
}

const read = (caller: Client, id: number) => caller.get(`/web/v4/talks/${id}`)
const close = (caller: Client, id: number, body: unknown = {}) =>
  caller.post(`/web/v4/talks/${id}/close`, body)
const problem = ({ status, body }: Answer) => [status, body.detail]
const FORBIDDEN = [403, 'Insufficient rights to call this method']
const MISSING = [404, 'Entity not found']

describe('A talk', () => {
  test('is shown with its contact and its lead', async () => {
    const { w, says, chat, channel_id } = await chatting()
    const { id, talk_id, contact_id, lead_id } = await chat()
    const base = `http://${w.admin.browser.identity.host}/web/v4`
    const at = (path: string) => ({ self: { href: `${base}/${path}` } })
    const talk = {
      talk_id,
      created_at: BEGINNING,
      updated_at: BEGINNING,
      rate: 0,
      contact_id,
      chat_id: id,
      entity_id: lead_id,
      entity_type: 'lead',
      is_in_work: true,
      is_read: false,
      origin: channel_id,
      missed_at: null,
      account_id: w.account.id,
      status: 'in_work',
      source_id: null,
      _links: at(`talks/${talk_id}`),
      _embedded: {
        contacts: [{ id: contact_id, _links: at(`contacts/${contact_id}`) }],
        leads: [{ id: lead_id, _links: at(`leads/${lead_id}`) }],
        customers: [],
      },
    }
    const answer = await read(w.admin.browser, talk_id)
    expect([answer.status, answer.body]).toEqual([200, talk])
    w.clock.advance(7)
    await says()
    expect((await read(w.admin.browser, talk_id)).body).toEqual({ ...talk, updated_at: BEGINNING + 7 })
    await w.admin.browser.post(`/web/v4/chats/${id}/read`)
    await w.admin.browser.delete(`/web/v4/leads/${lead_id}`)
    expect((await read(w.admin.browser, talk_id)).body).toEqual({
      ...talk,
      updated_at: BEGINNING + 7,
      is_read: true,
      entity_id: null,
      entity_type: null,
      _embedded: { ...talk._embedded, leads: [] },
    })
  })

  onEmbedded.each([[undefined], [{}], [{ force_close: true }], [{ force_close: false }]])(
    'is closed once by %j, and a later message opens another one',
    async (body) => {
      const { w, says, chat } = await chatting()
      const { talk_id, version } = await chat()
      w.clock.advance(60)
      const before = await log(w.ctx)
      const answer = await w.admin.browser.post(`/web/v4/talks/${talk_id}/close`, body)
      expect([answer.status, answer.text]).toEqual([202, ''])
      const closed = await chat()
      expect(closed).toMatchObject({ is_in_work: false, is_read: true, version: Number(version) + 1 })
      const talk = (await read(w.admin.browser, talk_id)).body
      expect(talk).toMatchObject({ is_in_work: false, is_read: true, updated_at: BEGINNING + 60 })
      // Again: it is closed, and nothing changes.
      w.clock.advance(60)
      const again = await close(w.admin.browser, talk_id)
      expect([again.status, again.body.detail]).toEqual([422, 'Talk is closed'])
      expect(await chat()).toEqual(closed)
      expect((await read(w.admin.browser, talk_id)).body).toEqual(talk)
      expect(await log(w.ctx)).toEqual(before)

      await says()
      const now = await chat()
      expect(now).toMatchObject({ is_in_work: true, unread_count: 1 })
      expect(now.talk_id).not.toBe(talk_id)
      expect((await read(w.admin.browser, now.talk_id)).body).toMatchObject({
        is_in_work: true,
        is_read: false,
      })
      expect((await read(w.admin.browser, talk_id)).body).toEqual(talk)
      // The old one is closed long ago, and the new one goes on.
      expect((await close(w.admin.browser, talk_id)).status).toBe(422)
      expect(await chat()).toEqual(now)
    },
  )

  onEmbedded('is not closed by an invalid body', async () => {
    const { w, chat } = await chatting()
    const before = await chat()
    for (const body of [{ force_close: 'yes' }, [1], 5]) {
      const answer = await w.admin.browser.post(
        `/web/v4/talks/${before.talk_id}/close`,
        JSON.stringify(body),
        {
          'content-type': 'application/json',
        },
      )
      expect(answer.status, JSON.stringify(body)).toBe(400)
    }
    expect(await chat()).toEqual(before)
  })

  onEmbedded('requires a session, and is not found in another account', async () => {
    const { w, chat } = await chatting()
    const { talk_id } = await chat()
    const stranger = await w.addPerson({ account: await w.addAccount('other'), is_admin: true })
    expect([(await read(w.stranger, talk_id)).status, (await close(w.stranger, talk_id)).status]).toEqual([
      401, 401,
    ])
    expect(problem(await read(stranger.browser, talk_id))).toEqual(MISSING)
    expect(problem(await close(stranger.browser, talk_id))).toEqual(MISSING)
    expect(problem(await read(w.admin.browser, talk_id + 1))).toEqual(MISSING)
    expect(problem(await close(w.admin.browser, talk_id + 1))).toEqual(MISSING)
    expect((await chat()).is_in_work).toBe(true)
  })

  test('cannot be read while the account is unpaid', async () => {
    const { w, chat } = await chatting()
    const { talk_id } = await chat()
    await w.ctx.db.transaction().execute((tx) => tx.updateTable('accounts').set({ paid_until: 5 }).execute())
    expect((await read(w.admin.browser, talk_id)).status).toBe(402)
  })
})

describe('Rights on a talk', () => {
  const of = (view: Width, edit: Width = view) =>
    ({ view, edit, add: 'A', delete: 'D', export: 'D' }) as const
  type Rights = { leads: ReturnType<typeof of>; contacts: ReturnType<typeof of> }

  /** The requests of a person with these rights for a chat of which only one record is theirs. */
  async function asks({ w, chat }: Chatting, rights: Rights, own: 'lead' | 'contact' | 'none') {
    const { talk_id, lead_id, contact_id } = await chat()
    const me = await w.addPerson({ name: 'Me', rights: completeRights(rights) })
    const responsible_user_id = me.id
    if (own === 'lead') await w.admin.browser.patch(`/web/v4/leads/${lead_id}`, { responsible_user_id })
    if (own === 'contact')
      await w.admin.browser.patch(`/web/v4/contacts/${contact_id}`, { responsible_user_id })
    return { me: me.browser, talk_id, lead_id, contact_id }
  }

  const own: Rights = { leads: of('M'), contacts: of('M') }

  test('a user who sees only their own records can read and close the talk of their lead', async () => {
    const at = await chatting()
    const { me, talk_id, lead_id, contact_id } = await asks(at, own, 'lead')
    const { status, body } = await read(me, talk_id)
    expect([status, body.entity_id, body.contact_id]).toEqual([200, lead_id, contact_id])
    // The contact itself is hidden from them.
    expect(body._embedded).toMatchObject({ contacts: [], leads: [{ id: lead_id }] })
    expect((await close(me, talk_id)).status).toBe(202)
    expect((await at.chat()).is_in_work).toBe(false)
  })

  test('but not that of another user’s lead, even if the contact is theirs', async () => {
    const at = await chatting()
    const { me, talk_id } = await asks(at, own, 'contact')
    expect(problem(await read(me, talk_id))).toEqual(MISSING)
    expect(problem(await close(me, talk_id))).toEqual(FORBIDDEN)
    // A talk that does not exist is refused in the same words.
    expect(problem(await close(me, talk_id + 1))).toEqual(FORBIDDEN)
    expect((await at.chat()).is_in_work).toBe(true)
  })

  test('a talk whose lead is in the trash belongs to the contact', async () => {
    const at = await chatting()
    const { me, talk_id, lead_id } = await asks(at, own, 'contact')
    await at.w.admin.browser.delete(`/web/v4/leads/${lead_id}`)
    expect((await read(me, talk_id)).body).toMatchObject({ entity_id: null, _embedded: { leads: [] } })
    expect((await close(me, talk_id)).status).toBe(202)
  })

  test('a user who can view but not edit the lead can read the talk, and not close it', async () => {
    const at = await chatting()
    const { me, talk_id } = await asks(at, { leads: of('A', 'M'), contacts: of('A', 'M') }, 'none')
    expect((await read(me, talk_id)).status).toBe(200)
    expect(problem(await close(me, talk_id))).toEqual(FORBIDDEN)
    expect(problem(await close(me, talk_id + 1))).toEqual(MISSING)
    expect((await at.chat()).is_in_work).toBe(true)
  })
})
