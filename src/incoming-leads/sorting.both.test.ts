import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { addIncoming, UNSORTED } from '../../test/fixtures/incoming-leads.ts'
import { addPipelines, faultsOf, mainPipeline, wholesale } from '../../test/fixtures/pipelines.ts'
import { add, log } from '../../test/fixtures/records.ts'
import { type Item, itemsOf, subjectOf, subscribed } from '../../test/fixtures/webhooks.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'

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
  /** The items that arrive while `act` runs, by the kind of the change. */
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

  onEmbedded('name the lead into which it was merged', async () => {
    const here = await world({ ownServer: true })
    const { browser } = here.admin
    const into = await add(browser, 'leads', { name: 'Old' })
    const known = await add(browser, 'contacts', { name: 'Known' })
    await browser.post(`/web/v4/leads/${into}/link`, [{ to_entity_type: 'contacts', to_entity_id: known }])
    const one = await addIncoming(browser)
    const during = await following(here)
    const merged = await during(() => browser.post('/web/v4/leads/merge', { id: into, merge: [one.lead] }))
    expect(merged.get('unsorted[delete]')).toMatchObject([
      { action: 'accept', accept_result: { leads: [String(into)], contacts: [String(one.contact)] } },
    ])
    const people = merged.get('contacts[add]') ?? []
    expect(people.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual([one.company, one.contact])
    for (const { linked_leads_id } of people) expect(linked_leads_id).toEqual([{ ID: String(into) }])
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

describe('The contact and the company of an incoming lead are in the lists', () => {
  const contacts = async ({ admin }: World) =>
    idsOf((await admin.browser.get('/web/v4/contacts')).body._embedded.contacts)

  test('when it is declined, if another lead has them', async () => {
    const here = await world()
    const { browser } = here.admin
    const { uid, contact } = await addIncoming(browser)
    const other = await add(browser, 'leads', { _embedded: { contacts: [{ id: contact }] } })
    const waiting = await addIncoming(browser, 'sip')
    await browser.post(`/web/v4/leads/${waiting.lead}/link`, [
      { to_entity_type: 'contacts', to_entity_id: contact },
    ])
    const decline = (which: string) => browser.delete(`${UNSORTED}/${which}/decline`)
    expect([(await decline(uid)).status, await contacts(here)]).toEqual([200, []])
    expect([(await decline(waiting.uid)).status, await contacts(here)]).toEqual([200, [contact]])
    expect((await browser.get(`/web/v4/leads/${other}?with=contacts`)).body._embedded.contacts).toHaveLength(
      1,
    )
  })

  test('when they are taken from it', async () => {
    const here = await world()
    const { browser } = here.admin
    const { lead, contact, company } = await addIncoming(browser)
    const other = await add(browser, 'companies', { name: 'Brook Ltd' })
    const companies = async () =>
      idsOf((await browser.get('/web/v4/companies?order[id]=asc')).body._embedded.companies)
    await browser.patch(`/web/v4/leads/${lead}`, { _embedded: { companies: [{ id: other }] } })
    expect([await companies(), await contacts(here)]).toEqual([[company, other], []])
    await browser.post(`/web/v4/leads/${lead}/unlink`, [
      { to_entity_type: 'contacts', to_entity_id: contact },
    ])
    expect(await contacts(here)).toEqual([contact])
    expect((await browser.get(UNSORTED)).body._embedded.unsorted).toHaveLength(1)
  })
})
