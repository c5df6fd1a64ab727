import { describe, expect, test } from 'vitest'
import { connected } from '../../test/chats.ts'
import { client } from '../../test/client.ts'
import { addIncoming, UNSORTED } from '../../test/incoming-leads.ts'
import { someoneWaits } from '../../test/lock-waits.ts'
import { onEmbedded } from '../../test/on-embedded.ts'
import { addPipelines, faultsOf, mainPipeline, wholesale } from '../../test/pipelines.ts'
import { customer, textPush } from '../../test/pushes.ts'
import { add, log } from '../../test/records.ts'
import { type Item, itemsOf, subjectOf, subscribed } from '../../test/webhooks.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'
import { lockRecords } from '../entities/entities.ts'
import { leadsSorted } from './incoming-leads.ts'

const idsOf = (linked: { id: number }[]) => linked.map(({ id }) => id)

describe('Accepting an incoming lead', () => {
  test('puts it into the next stage, and shows its contact and company', async () => {
    const here = await world()
    const { admin, ctx } = here
    const main = await mainPipeline(here)
    const [stage, next] = main._embedded.statuses
    const { uid, lead, contact, company } = await addIncoming(admin.browser)
    const { status, body } = await admin.browser.post(`${UNSORTED}/${uid}/accept`)
    const { leads, contacts, companies } = body._embedded
    expect([status, body.uid, body.pipeline_id, body.category, body.created_at]).toEqual([
      200,
      uid,
      main.id,
      'forms',
      BEGINNING,
    ])
    expect([leads, contacts, companies].map(idsOf)).toEqual([[lead], [contact], [company]])
    const changed = (await log(ctx, { entity_id: lead })).filter(({ type }) => type === 'lead_status_changed')
    expect(changed).toEqual([
      {
        type: 'lead_status_changed',
        entity: ['lead', lead],
        by: admin.id,
        before: [{ lead_status: { id: stage?.id, pipeline_id: main.id } }],
        after: [{ lead_status: { id: next?.id, pipeline_id: main.id } }],
      },
    ])
    expect((await admin.browser.post(`${UNSORTED}/${uid}/accept`)).status).toBe(404)
    expect((await admin.browser.delete(`${UNSORTED}/${uid}/decline`)).status).toBe(404)
  })

  onEmbedded('can give it any stage, on behalf of a person whom an administrator names', async () => {
    const here = await world()
    const { admin, ctx, addPerson } = here
    const [side] = await addPipelines(here, wholesale)
    const sam = await addPerson({ name: 'Sam' })
    const status_id = side._embedded.statuses[2]?.id
    const { uid, lead } = await addIncoming(admin.browser)
    const path = `${UNSORTED}/${uid}/accept`
    const wrong = { status_id: side._embedded.statuses[0]?.id }
    expect(faultsOf(await admin.browser.post(path, wrong))).toEqual([
      400,
      [['0', ['NotSupportedChoice', 'status_id']]],
    ])
    expect(faultsOf(await admin.browser.post(path, { user_id: 999_999 }))).toEqual([
      400,
      [['0', ['NotSupportedChoice', 'user_id']]],
    ])
    expect((await admin.browser.post(path, { user_id: sam.id, status_id })).status).toBe(200)
    const events = await log(ctx, { entity_id: lead })
    expect(events.find(({ type }) => type === 'lead_status_changed')?.by).toBe(sam.id)
    const { body } = await admin.browser.get(`/web/v4/leads/${lead}`)
    expect([body.pipeline_id, body.status_id, body.updated_by]).toEqual([side.id, status_id, sam.id])
  })

  onEmbedded('requires of a person the fields that its arrival did not have', async () => {
    const here = await world()
    const { browser } = here.admin
    const main = await mainPipeline(here)
    const required_statuses = main._embedded.statuses.map((stage) => ({
      pipeline_id: main.id,
      status_id: stage.id,
    }))
    const fields = [{ name: 'Budget', type: 'text', required_statuses }]
    const [{ id }] = (await browser.post('/web/v4/leads/custom_fields', fields)).body._embedded.custom_fields
    const { uid, lead } = await addIncoming(browser)
    const accept = () => browser.post(`${UNSORTED}/${uid}/accept`)
    const refused = await accept()
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining(`The field Budget (${id}) is required here.`),
    ])
    const custom_fields_values = [{ field_id: id, values: [{ value: 'Little' }] }]
    expect((await browser.patch(`/web/v4/leads/${lead}`, { custom_fields_values })).status).toBe(200)
    expect((await accept()).status).toBe(200)
  })

  onEmbedded('takes no body, an empty one, an empty list and zeros, as clients send them', async () => {
    const { admin } = await world()
    const json = { 'content-type': 'application/json' }
    const bodies = [undefined, {}, [], { user_id: 0, status_id: 0 }, { user_id: null, status_id: null }]
    for (const [i, body] of bodies.entries()) {
      const draft = { source_uid: `a${i}`, pipeline_id: 0 }
      const one = await addIncoming(admin.browser, 'sip', draft)
      expect((await admin.browser.post(`${UNSORTED}/${one.uid}/accept`, body, json)).status).toBe(200)
      const two = await addIncoming(admin.browser, 'sip', { ...draft, source_uid: `b${i}` })
      expect((await admin.browser.delete(`${UNSORTED}/${two.uid}/decline`, body, json)).status).toBe(200)
    }
  })

  test('needs the right to edit the lead, and for somebody else an administrator', async () => {
    const { admin, addPerson } = await world()
    const rights = { leads: { view: 'A', edit: 'D', add: 'A', delete: 'D', export: 'D' } }
    const sam = await addPerson({ name: 'Sam', rights: rights as never })
    const { uid } = await addIncoming(admin.browser)
    const refused = [
      await sam.browser.post(`${UNSORTED}/${uid}/accept`),
      await sam.browser.post(`${UNSORTED}/${uid}/accept`, { user_id: admin.id }),
      await sam.browser.delete(`${UNSORTED}/${uid}/decline`),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
    expect((await admin.browser.get(`${UNSORTED}/${uid}`)).status).toBe(200)
  })
})

describe('Declining an incoming lead', () => {
  test('moves it to the trash with what came with it, and nothing else', async () => {
    const { admin, ctx } = await world()
    const { browser } = admin
    const known = await add(browser, 'companies', { name: 'Known' })
    const { uid, lead, contact } = await addIncoming(browser, 'forms', {
      _embedded: { leads: [{ name: 'No' }], contacts: [{ name: 'Ann' }], companies: [{ id: known }] },
    })
    const { status, body } = await browser.delete(`${UNSORTED}/${uid}/decline`, {})
    expect([status, Object.keys(body._embedded)]).toEqual([200, ['leads', 'contacts']])
    expect([idsOf(body._embedded.leads), idsOf(body._embedded.contacts)]).toEqual([[lead], [contact]])
    const gone = async (path: string) => (await browser.get(`/web/v4/${path}`)).status
    expect([await gone(`leads/${lead}`), await gone(`contacts/${contact}`)]).toEqual([204, 204])
    expect(await gone(`companies/${known}`)).toBe(200)
    for (const [id, type] of [
      [lead, 'lead_deleted'],
      [contact, 'contact_deleted'],
    ] as const)
      expect((await log(ctx, { entity_id: id })).map((event) => event.type)).toContain(type)
  })

  test('happens as well when the lead is deleted, and a restored lead is in the first stage', async () => {
    const here = await world()
    const { browser } = here.admin
    const main = await mainPipeline(here)
    const { uid, lead, contact } = await addIncoming(browser)
    await browser.delete(`/web/v4/leads/${lead}`)
    expect((await browser.get(`${UNSORTED}/${uid}`)).status).toBe(404)
    expect((await browser.get(`${UNSORTED}/summary`)).body.declined).toBe(1)
    await browser.post(`/web/v4/leads/${lead}/restore`)
    await browser.post(`/web/v4/contacts/${contact}/restore`)
    expect((await browser.get(`/web/v4/leads/${lead}`)).body.status_id).toBe(main._embedded.statuses[1]?.id)
    expect((await browser.get('/web/v4/contacts')).body._embedded.contacts[0].id).toBe(contact)
    expect((await browser.get(UNSORTED)).status).toBe(204)
  })
})

describe('Merging', () => {
  test('an incoming contact into one of the list ends its secrecy, in either direction', async () => {
    const { admin } = await world()
    const { browser } = admin
    const known = await add(browser, 'contacts', { name: 'Known' })
    const one = await addIncoming(browser, 'sip')
    await browser.post('/web/v4/contacts/merge', { id: known, merge: [one.contact] })
    expect((await browser.get(`/web/v4/contacts/${known}`)).body.is_unsorted).toBe(false)
    const records = (await browser.get(`${UNSORTED}/${one.uid}`)).body._embedded
    expect(idsOf(records.contacts)).toEqual([known])
    const two = await addIncoming(browser, 'sip', { source_uid: 'two' })
    await browser.post('/web/v4/contacts/merge', { id: two.contact, merge: [known] })
    const listed = (await browser.get('/web/v4/contacts')).body._embedded.contacts
    expect(idsOf(listed)).toEqual([two.contact])
  })

  test('an incoming lead into another lead accepts it', async () => {
    const { admin } = await world()
    const { browser } = admin
    const lead = await add(browser, 'leads', { name: 'Old' })
    const one = await addIncoming(browser, 'sip')
    await browser.post('/web/v4/leads/merge', { id: lead, merge: [one.lead] })
    expect((await browser.get(`${UNSORTED}/summary`)).body).toMatchObject({ accepted: 1, declined: 0 })
    expect(idsOf((await browser.get('/web/v4/contacts')).body._embedded.contacts)).toEqual([one.contact])
  })
})

describe('Webhooks', () => {
  /** What arrives while `act` runs, by the kind of the change. */
  async function following(here: World) {
    const hook = await subscribed(here, [
      'add_lead',
      'update_lead',
      'status_lead',
      'delete_lead',
      'add_contact',
      'update_contact',
      'delete_contact',
      'add_company',
      'add_unsorted',
      'update_unsorted',
      'delete_unsorted',
    ])
    return async (act: () => Promise<unknown>): Promise<Map<string, Item[]>> => {
      await act()
      const hits = await hook.arrived()
      const grouped = Map.groupBy(hits, subjectOf)
      return new Map([...grouped].map(([subject, hits]) => [subject, hits.flatMap(itemsOf)]))
    }
  }

  onEmbedded('hear of the records of an incoming lead when it is accepted', async () => {
    const here = await world({ ownServer: true })
    const { admin, account } = here
    const main = await mainPipeline(here)
    const during = await following(here)
    let made = { uid: '', lead: 0, contact: 0, company: 0 }
    const added = await during(async () => {
      made = await addIncoming(admin.browser)
    })
    const item = {
      uid: made.uid,
      source: 'Our site',
      source_uid: 'site',
      category: 'forms',
      source_data: {
        form_id: 'f1',
        form_name: 'Ask us',
        from: 'https://shop.example',
        date: String(BEGINNING),
        origin: { ip: '192.0.2.1', datetime: String(BEGINNING) },
      },
      date_create: String(BEGINNING),
      data: {
        leads: [
          {
            id: String(made.lead),
            status_id: String(main._embedded.statuses[0]?.id),
            pipeline_id: String(main.id),
            name: 'Ask us',
            created_user_id: String(admin.id),
            date_create: String(BEGINNING),
          },
        ],
      },
      pipeline_id: String(main.id),
      account_id: String(account.id),
      lead_id: String(made.lead),
      created_at: String(BEGINNING),
    }
    expect([...added]).toEqual([['unsorted[add]', [item]]])
    const changed = await during(() => admin.browser.patch(`/web/v4/leads/${made.lead}`, { name: 'Hi' }))
    expect([...changed.keys()]).toEqual(['unsorted[update]'])
    await during(() => admin.browser.patch(`/web/v4/contacts/${made.contact}`, { name: 'Ann' }))
    const accepted = await during(() => admin.browser.post(`${UNSORTED}/${made.uid}/accept`))
    expect([...accepted.keys()].toSorted()).toEqual(['contacts[add]', 'leads[add]', 'unsorted[delete]'])
    expect(
      accepted
        .get('contacts[add]')
        ?.map(({ name }) => name)
        ?.toSorted(),
    ).toEqual(['Ann', 'Stone Ltd'])
    expect(accepted.get('leads[add]')).toMatchObject([{ id: String(made.lead), name: 'Hi' }])
    expect(accepted.get('unsorted[delete]')).toEqual([
      {
        action: 'accept',
        uid: made.uid,
        category: 'forms',
        account_id: String(account.id),
        created_at: String(BEGINNING),
        modified_user_id: String(admin.id),
        accept_result: { leads: [String(made.lead)], contacts: [String(made.contact)] },
      },
    ])
  })

  onEmbedded('hear nothing else of one that is declined', async () => {
    const here = await world({ ownServer: true })
    const { browser } = here.admin
    const during = await following(here)
    const { uid, lead } = await addIncoming(browser, 'sip')
    const declined = await during(() => browser.delete(`${UNSORTED}/${uid}/decline`))
    expect([...declined.keys()]).toEqual(['unsorted[add]', 'unsorted[delete]'])
    expect(declined.get('unsorted[delete]')).toMatchObject([
      { action: 'decline', uid, decline_result: { leads: [String(lead)] } },
    ])
  })
})

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
