import { describe, expect, test } from 'vitest'
import { client } from '../../test/client.ts'
import { someoneWaits } from '../../test/databases/lock-waits.ts'
import { connected } from '../../test/fixtures/chats.ts'
import { addIncoming, UNSORTED } from '../../test/fixtures/incoming-leads.ts'
import { customer, textPush } from '../../test/fixtures/pushes.ts'
import { add, log } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'
import { lockRecords } from '../entities/entities.ts'
import { leadsSorted } from './incoming-leads.ts'

/** Only PostgreSQL has concurrent writers. */
const onPostgres = test.runIf(process.env.TEST_DATABASE === 'postgres')

/** A chat whose lead waits. */
async function incomingChat(all: World) {
  const { browser } = all.admin
  await browser.put('/web/new-chats', { are_chats_unsorted: true })
  const chat = await connected(all)
  const first = await chat.push(textPush('first', { sender: customer() }))
  if (first.status !== 200) throw new Error(`not pushed: ${first.text}`)
  const [incoming] = (await browser.get(UNSORTED)).body._embedded.unsorted
  const { leads, contacts } = incoming._embedded
  return { chat, incoming, lead: leads[0].id as number, contact: contacts[0].id as number }
}

describe('Concurrent requests', () => {
  /** The administrator at two processes with one database. On SQLite there is one process. */
  async function twoProcesses() {
    const all = await world()
    const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
    return { ...all, one: all.admin.browser, two: client(second.app.http, all.admin.browser.identity) }
  }

  test('accept or decline an incoming lead once', async () => {
    const { ctx, one, two } = await twoProcesses()
    for (let round = 0; round < 8; round++) {
      const { uid, lead, contact } = await addIncoming(one)
      const accept = (at: typeof one) => at.post(`${UNSORTED}/${uid}/accept`)
      const other = round % 2 ? two.delete(`${UNSORTED}/${uid}/decline`) : accept(two)
      const answers = await Promise.all([accept(one), other])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
      const isAccepted = answers[0]?.status === 200 || round % 2 === 0
      const types = (await log(ctx, { entity_id: lead })).map(({ type }) => type)
      expect(types.filter((type) => type === 'lead_status_changed')).toHaveLength(isAccepted ? 1 : 0)
      expect(types.filter((type) => type === 'lead_deleted')).toHaveLength(isAccepted ? 0 : 1)
      expect((await one.get(`/web/v4/contacts/${contact}`)).status).toBe(isAccepted ? 200 : 204)
    }
  })

  test('add the same incoming lead once', async () => {
    const { one, two } = await twoProcesses()
    const answers = await Promise.allSettled([addIncoming(one), addIncoming(two), addIncoming(one)])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await one.get(UNSORTED)).body._embedded.unsorted).toHaveLength(1)
  })

  test('link an incoming chat and change its lead without a deadlock', async () => {
    const all = await twoProcesses()
    const { one, two } = all
    await one.put('/web/new-chats', { are_chats_unsorted: true })
    const channel = await connected(all)
    for (let round = 0; round < 8; round++) {
      const contact = await add(one, 'contacts', { name: 'Ann' })
      const target = await add(one, 'leads', { name: 'Roof' })
      const sender = customer({ id: `customer ${round}` })
      const message = textPush(`message ${round}`, { conversation_id: `talk ${round}`, sender })
      expect((await channel.push(message)).status).toBe(200)
      const [incoming] = (await one.get(UNSORTED)).body._embedded.unsorted
      const lead = incoming._embedded.leads[0].id
      const link = { entity_id: target, entity_type: 'leads', metadata: { contact_id: contact } }
      const answers = await Promise.all([
        one.post(`${UNSORTED}/${incoming.uid}/link`, { link }),
        two.patch(`/web/v4/leads/${lead}`, { _embedded: { contacts: [{ id: contact }] } }),
      ])
      expect(answers[0]?.status).toBe(200)
      expect([200, 404]).toContain(answers[1]?.status)
    }
  })

  onPostgres('link an incoming chat without its lead while another one has its contact', async () => {
    const all = await world()
    const { incoming, lead, contact } = await incomingChat(all)
    const { browser } = all.admin
    const link = { entity_id: await add(browser, 'leads'), entity_type: 'leads' }
    let linking: ReturnType<typeof browser.post> | undefined
    await all.ctx.db.transaction().execute(async (tx) => {
      await lockRecords(tx, all.account.id, [{ entity_type: 'contacts', id: contact }])
      linking = browser.post(`${UNSORTED}/${incoming.uid}/link`, { link })
      await someoneWaits(all.ctx)
      await lockRecords(tx, all.account.id, [{ entity_type: 'leads', id: lead }])
    })
    expect((await linking)?.status).toBe(200)
  })

  onPostgres('show no message at an incoming lead that is accepted while it arrives', async () => {
    const all = await world()
    const { chat, incoming, lead } = await incomingChat(all)
    const { ctx, account, admin } = all
    const by = { account_id: account.id, user_id: admin.id, request_id: 'test' }
    const stored = () => ctx.db.selectFrom('incoming_leads').selectAll().executeTakeFirstOrThrow()
    const { metadata } = await stored()
    let pushing: ReturnType<typeof chat.push> | undefined
    await ctx.db.transaction().execute(async (tx) => {
      await lockRecords(tx, account.id, [{ entity_type: 'leads', id: lead }])
      await leadsSorted(ctx, tx, by, [lead], 'accepted')
      await tx.updateTable('entities').set({ is_unsorted: 0 }).where('id', '=', lead).execute()
      pushing = chat.push(textPush('later', { sender: customer(), message: { type: 'text', text: 'Later' } }))
      await someoneWaits(ctx)
    })
    expect((await pushing)?.status).toBe(200)
    expect(await stored()).toMatchObject({ uid: incoming.uid, state: 'accepted', metadata })
  })

  test('change the contact, the stage and the links of an incoming lead in any order', async () => {
    const { one, two } = await twoProcesses()
    for (let round = 0; round < 6; round++) {
      const { uid, lead, contact } = await addIncoming(one)
      const answers = await Promise.all([
        one.post(`${UNSORTED}/${uid}/accept`),
        two.patch(`/web/v4/contacts/${contact}`, { name: `Ann ${round}` }),
        two.patch(`/web/v4/contacts/${contact}`, { _embedded: { leads: [{ id: lead }] } }),
        one.patch(`/web/v4/leads/${lead}`, { price: round + 1 }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect((await one.get(`/web/v4/contacts/${contact}`)).body.is_unsorted).toBe(false)
    }
  })
})
