import { expect, test } from 'vitest'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { line } from '../../test/fixtures/conversations.ts'
import { add } from '../../test/fixtures/records.ts'
import { type Item, itemsOf, subjectOf, subscribed } from '../../test/fixtures/webhooks.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'
import { webhookCodeNames } from './webhook-types.ts'

const TIME = String(BEGINNING)

/** The kinds and the items that arrive at a receiver of all changes while `act` runs. */
async function everything(place: World) {
  const hook = await subscribed(place, webhookCodeNames)
  return async (act: () => Promise<unknown>): Promise<[string, Item[]][]> => {
    await act()
    return (await hook.arrived()).map((hit) => [subjectOf(hit), itemsOf(hit)])
  }
}

test('contacts and companies are announced with their links, fields, tags and kind', async () => {
  const place = await world({ ownServer: true })
  const { browser } = place.admin
  const eve = await place.addPerson({ name: 'Eve' })
  const announced = await everything(place)
  const fields = (await browser.get('/web/v4/contacts/custom_fields?limit=250')).body._embedded.custom_fields
  const phone = fields.find(({ code }: { code: string }) => code === 'PHONE')
  let id = 0
  let company = 0
  let lead = 0
  const common = {
    responsible_user_id: String(place.admin.id),
    date_create: TIME,
    last_modified: TIME,
    created_user_id: String(place.admin.id),
    modified_user_id: String(place.admin.id),
    account_id: '1',
    created_at: TIME,
    updated_at: TIME,
  }
  const added = await announced(async () => {
    company = await add(browser, 'companies', { name: 'Field Ltd' })
    lead = await add(browser, 'leads', { name: 'Roof' })
    id = await add(browser, 'contacts', {
      name: 'Jo Field',
      custom_fields_values: [
        { field_code: 'PHONE', values: [{ value: '+441134960000', enum_code: 'WORK' }] },
      ],
      _embedded: { companies: [{ id: company }], leads: [{ id: lead }], tags: [{ name: 'vip' }] },
    })
  })
  // Requests about different records have no order.
  const about = (name: string) => added.find(([, [item]]) => item?.name === name)
  const [made, contact] = [about('Field Ltd'), about('Jo Field')]
  expect(made).toEqual([
    'contacts[add]',
    [{ ...common, id: String(company), name: 'Field Ltd', type: 'company' }],
  ])
  const work = phone.enums.find(({ value }: { value: string }) => value === 'WORK')
  const tags = (await browser.get(`/web/v4/contacts/${id}`)).body._embedded.tags
  const shown = {
    ...common,
    id: String(id),
    name: 'Jo Field',
    company_name: 'Field Ltd',
    linked_company_id: String(company),
    custom_fields: [
      {
        id: String(phone.id),
        name: phone.name,
        values: [{ value: '+441134960000', enum: String(work.id) }],
        code: 'PHONE',
      },
    ],
    tags: [{ id: String(tags[0].id), name: 'vip' }],
    // The parser makes a list of it. On the wire, the key is the id of the lead.
    linked_leads_id: [{ ID: String(lead) }],
    type: 'contact',
  }
  expect(contact).toEqual(['contacts[add]', [shown]])
  const moved = {
    ...shown,
    responsible_user_id: String(eve.id),
    old_responsible_user_id: common.responsible_user_id,
  }
  expect(
    await announced(() => browser.patch(`/web/v4/contacts/${id}`, { responsible_user_id: eve.id })),
  ).toEqual([['contacts[update]', [moved]]])
  expect(await announced(() => browser.delete(`/web/v4/companies/${company}`))).toEqual([
    ['contacts[delete]', [{ id: String(company), type: 'company' }]],
  ])
  const [restored] = await announced(() => browser.post(`/web/v4/companies/${company}/restore`))
  expect(restored?.[0]).toBe('contacts[restore]')
  expect(restored?.[1][0]).toMatchObject({ id: String(company), name: 'Field Ltd', type: 'company' })
})

onEmbedded('values of fields have the forms of the platform', async () => {
  const place = await world({ ownServer: true })
  const { browser } = place.admin
  const types: [type: string, written: unknown, arrives: unknown][] = [
    ['text', 'a b', { value: 'a b' }],
    ['numeric', 12.5, { value: '12.5' }],
    ['checkbox', false, { value: '0' }],
    ['date', BEGINNING, TIME],
    ['date_time', BEGINNING, TIME],
    ['birthday', '1980-02-29', { value: '29.02.1980' }],
  ]
  const drafts = types.map(([type]) => ({ name: type, type }))
  const added = await browser.post('/web/v4/contacts/custom_fields', drafts)
  const ids: number[] = added.body._embedded.custom_fields.map(({ id }: { id: number }) => id)
  const announced = await everything(place)
  const [hit] = await announced(() =>
    add(browser, 'contacts', {
      name: 'Jo',
      custom_fields_values: types.map(([, value], i) => ({ field_id: ids[i], values: [{ value }] })),
    }),
  )
  const fields = hit?.[1][0]?.custom_fields as { id: string; values: unknown[] }[]
  const values = new Map(fields.map(({ id, values }) => [Number(id), values]))
  expect(ids.map((id) => values.get(id))).toEqual(types.map(([, , arrives]) => [arrives]))
})

test('tasks that a merge moves are announced with their new record', async () => {
  const place = await world({ ownServer: true })
  const { browser } = place.admin
  const [stays, goes] = [await add(browser, 'leads'), await add(browser, 'leads')]
  const draft = { text: 'Call', complete_till: BEGINNING + 60, entity_id: goes, entity_type: 'leads' }
  const [task, , deleted] = [
    await add(browser, 'tasks', draft),
    await add(browser, 'tasks', { ...draft, entity_id: stays }),
    await add(browser, 'tasks', draft),
  ]
  await browser.delete(`/web/v4/tasks/${deleted}`)
  const eve = await place.addPerson({ name: 'Eve', is_admin: true })
  place.clock.advance(60)
  const announced = await everything(place)
  const changes = await announced(() => eve.browser.post('/web/v4/leads/merge', { id: stays, merge: [goes] }))
  expect(changes.filter(([subject]) => subject.startsWith('task'))).toEqual([
    [
      'task[update]',
      [
        expect.objectContaining({
          id: String(task),
          element_id: String(stays),
          modified_by: String(eve.id),
          updated_at: String(BEGINNING + 60),
        }),
      ],
    ],
  ])
  const since = await browser.get(`/web/v4/tasks?filter[updated_at][from]=${BEGINNING + 60}`)
  expect(since.body._embedded.tasks.map(({ id }: { id: number }) => id)).toEqual([task])
})

test('customers, elements, tasks and notes are announced under their names', async () => {
  const place = await world({ ownServer: true })
  const { browser } = place.admin
  const eve = await place.addPerson({ name: 'Eve' })
  const announced = await everything(place)
  const subjects = async (act: () => Promise<unknown>) => (await announced(act)).map(([subject]) => subject)
  let customer = 0
  expect(
    await announced(async () => {
      customer = await add(browser, 'customers', { name: 'Ann', next_price: 5 })
    }),
  ).toEqual([
    ['customers[add]', [expect.objectContaining({ id: String(customer), name: 'Ann', next_price: '5' })]],
  ])
  const reassigned = { responsible_user_id: eve.id }
  expect(await subjects(() => browser.patch(`/web/v4/customers/${customer}`, reassigned))).toEqual([
    'customers[responsible]',
    'customers[update]',
  ])
  let task = 0
  const [newTask] = await announced(async () => {
    const draft = {
      text: 'Call',
      complete_till: BEGINNING + 60,
      entity_id: customer,
      entity_type: 'customers',
    }
    task = await add(browser, 'tasks', draft)
  })
  expect(newTask).toEqual([
    'task[add]',
    [
      {
        id: String(task),
        element_id: String(customer),
        element_type: '12',
        task_type: '1',
        date_create: '2026-03-01 12:00:00',
        text: 'Call',
        status: '0',
        account_id: '1',
        created_user_id: String(place.admin.id),
        last_modified: '2026-03-01 12:00:00',
        responsible_user_id: String(place.admin.id),
        complete_till: '2026-03-01 12:01:00',
        main_user: String(place.admin.id),
        modified_by: String(place.admin.id),
        complete_before: String(BEGINNING + 60),
        created_at: TIME,
        updated_at: TIME,
      },
    ],
  ])
  const done = { is_completed: true, result: { text: 'Agreed' }, text: 'Call back', ...reassigned }
  const [closed, ...others] = await announced(() => browser.patch(`/web/v4/tasks/${task}`, done))
  expect(others).toEqual([])
  expect(closed).toEqual([
    'task[update]',
    [
      expect.objectContaining({
        status: '1',
        action_close: '1',
        result: { id: expect.any(String), text: 'Agreed' },
        old_text: 'Call',
        old_responsible_user_id: String(place.admin.id),
      }),
    ],
  ])
  expect(await announced(() => browser.delete(`/web/v4/tasks/${task}`))).toEqual([
    ['task[delete]', [{ id: String(task) }]],
  ])
  const contact = await add(browser, 'contacts', { name: 'Jo' })
  const note = { note_type: 'common', params: { text: 'Paid' } }
  const [, noted] = await announced(() => browser.post(`/web/v4/contacts/${contact}/notes`, [note]))
  expect(noted).toEqual([
    'contacts[note]',
    [
      {
        note: {
          text: 'Paid',
          attachement: '',
          date_create: '2026-03-01 12:00:00',
          note_type: '4',
          element_type: '1',
          element_id: String(contact),
          catalog_id: '0',
          group_id: '0',
          timestamp_x: '2026-03-01 12:00:00',
          account_id: '1',
          metadata: JSON.stringify({ event_source: { id: place.admin.id, author_name: 'Ada', type: 1 } }),
          created_by: String(place.admin.id),
          modified_by: String(place.admin.id),
          main_user_id: String(place.admin.id),
          id: expect.any(String),
          created_at: TIME,
          updated_at: TIME,
        },
        type: 'contact',
      },
    ],
  ])
  expect(await subjects(() => browser.delete(`/web/v4/customers/${customer}`))).toEqual(['customers[delete]'])
  const list = (await browser.post('/web/v4/catalogs', [{ name: 'Parts' }])).body._embedded.catalogs[0].id
  let element = 0
  expect(
    await announced(async () => {
      element = await add(browser, `catalogs/${list}/elements`, { name: 'Tile' })
    }),
  ).toEqual([
    [
      'catalogs[add]',
      [
        expect.objectContaining({
          id: String(element),
          catalog_id: String(list),
          deleted: '0',
          type: 'catalog',
        }),
      ],
    ],
  ])
  const path = `/web/v4/catalogs/${list}/elements/${element}`
  expect(await subjects(() => browser.patch(path, { name: 'Slate' }))).toEqual(['catalogs[update]'])
  expect(await announced(() => browser.delete(path))).toEqual([
    ['catalogs[delete]', [{ id: String(element), catalog_id: String(list), type: 'catalog' }]],
  ])
})

onEmbedded('talks and messages in both directions are announced', async () => {
  const place = await world({ ownServer: true })
  const open = await line(place)
  const hook = await subscribed(place, ['add_talk', 'update_talk', 'add_message', 'add_outgoing_message'])
  const announced = async (act: () => Promise<unknown>) => {
    await act()
    return (await hook.arrived()).map((hit): [string, Item] => [subjectOf(hit), itemsOf(hit)[0] as Item])
  }
  const chat = await open.write('sue', 'Is it there?')
  const first = await announced(async () => {})
  const { talk_id, contact_id, entity_id, origin } = (first[0] as [string, Item])[1]
  const subject = { chat_id: chat, talk_id, contact_id }
  expect(first.map(([name]) => name)).toEqual(['talk[add]', 'message[add]'])
  expect(first[0]?.[1]).toEqual({
    ...subject,
    created_at: TIME,
    updated_at: TIME,
    rate: '0',
    entity_id,
    entity_type: 'lead',
    is_in_work: '1',
    is_read: '0',
    origin,
  })
  expect(first[1]?.[1]).toEqual({
    ...subject,
    id: expect.any(String),
    text: 'Is it there?',
    created_at: TIME,
    message_type: 'text',
    element_type: '2',
    entity_type: 'lead',
    element_id: entity_id,
    entity_id,
    type: 'incoming',
    author: {
      id: expect.any(String),
      type: 'external',
      name: 'sue',
      avatar_url: 'https://example.com/a.png',
    },
    origin,
  })
  const reply = await announced(() =>
    place.admin.browser.post(`/web/v4/chats/${chat}/messages`, { text: 'Yes' }),
  )
  expect(reply.map(([name]) => name)).toEqual(['outgoing_message[add]', 'talk[update]'])
  expect(reply[0]?.[1]).toMatchObject({
    ...subject,
    type: 'outgoing',
    text: 'Yes',
    author: { type: 'internal', user_id: String(place.admin.id), name: 'Ada' },
    recipient: { type: 'external', name: 'sue' },
  })
  const closing = await announced(() => place.admin.browser.post(`/web/v4/talks/${talk_id}/close`))
  expect(closing).toEqual([
    ['talk[update]', expect.objectContaining({ talk_id, is_in_work: '0', is_read: '1' })],
  ])
})

onEmbedded('a chat template that is sent for review is announced', async () => {
  const place = await world({ ownServer: true })
  const { browser } = place.admin
  const hook = await subscribed(place, ['add_chat_template_review'])
  const path = '/web/v4/chats/templates'
  const draft = {
    name: 'Order',
    content: 'Hello',
    type: 'waba',
    waba_category: 'UTILITY',
    waba_language: 'en',
  }
  const added = await browser.post(path, [draft])
  const { id } = added.body._embedded.chat_templates[0]
  const { body } = await browser.post(`${path}/${id}/review`, {})
  const [review] = body._embedded.reviews
  const [hit] = await hook.arrived()
  expect(hit && [subjectOf(hit), itemsOf(hit)]).toEqual([
    'chat_template_review[add]',
    [
      {
        id: String(id),
        type: 'waba',
        account_id: String(place.account.id),
        name: 'Order',
        content: 'Hello',
        created_at: TIME,
        updated_at: TIME,
        is_editable: '1',
        reviews: [{ id: String(review.id), status: 'review', reject_reason: '' }],
        is_on_review: '1',
        waba_footer: '',
        waba_category: 'UTILITY',
        waba_language: 'en',
      },
    ],
  ])
  // While it waits, a repeated order announces nothing.
  await browser.post(`${path}/${id}/review`, {})
  expect(await hook.arrived()).toEqual([])
})
