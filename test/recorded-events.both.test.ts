import { describe, expect, test } from 'vitest'
import type { Changes } from '../src/events/change-schemas.ts'
import {
  type ChangeName,
  type EventType,
  eventTypes,
  type FilteredEventType,
} from '../src/events/event-types.ts'
import type { Answer, Client } from './client.ts'
import { connected } from './fixtures/chats.ts'
import { textOf } from './fixtures/conversations.ts'
import { add } from './fixtures/records.ts'
import { BEGINNING, type World, world } from './world.ts'

/** The event of an action: its record, and the values before and after. `by` 0 is no user. */
interface Recorded {
  entity: [type: string, id: number]
  before?: unknown[]
  after?: unknown[]
  by?: number
  /** The number of earlier events of the type on the record, caused by the preparation. */
  earlier?: number
}

interface Scene extends World {
  browser: Client
  /** The ids of unlinked records, one per kind. */
  lead: number
  contact: number
  company: number
  customer: number
}

type Action = (scene: Scene) => Promise<Recorded>

const path = (kind: string) => `/web/v4/${kind}`
const kinds = { lead: 'leads', contact: 'contacts', company: 'companies', customer: 'customers' } as const
type Kind = keyof typeof kinds

async function scene(): Promise<Scene> {
  const all = await world()
  const { browser } = all.admin
  return {
    ...all,
    browser,
    lead: await add(browser, 'leads', { name: 'Roof', price: 100 }),
    contact: await add(browser, 'contacts', { name: 'Ann' }),
    company: await add(browser, 'companies', { name: 'Acme' }),
    customer: await add(browser, 'customers', { name: 'Ann' }),
  }
}

const sent = async (answer: Promise<Answer>) => {
  const { status, text, body } = await answer
  if (status >= 300) throw new Error(`${status} ${text}`)
  return body
}

const lastNote = async ({ ctx }: Scene, note_type: string) => {
  const { id } = await ctx.db
    .selectFrom('notes')
    .select('id')
    .where('note_type', '=', note_type)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return [{ note: { id } }]
}

const stagesOf = async ({ browser }: Scene) => {
  const [pipeline] = (await sent(browser.get(path('leads/pipelines'))))._embedded.pipelines
  const own = pipeline._embedded.statuses.filter((stage: { is_editable: boolean }) => stage.is_editable)
  return { pipeline_id: pipeline.id, own: own.map(({ id }: { id: number }) => id) as number[] }
}

const added =
  (kind: Kind): Action =>
  async (scene) => {
    const id = await add(scene.browser, kinds[kind], { name: 'New' })
    return { entity: [kind, id], after: await lastNote(scene, `${kind}_created`) }
  }

const deleted =
  (kind: Kind): Action =>
  async (scene) => {
    await sent(scene.browser.delete(path(`${kinds[kind]}/${scene[kind]}`)))
    return { entity: [kind, scene[kind]] }
  }

const restored =
  (kind: Kind): Action =>
  async (scene) => {
    await deleted(kind)(scene)
    await sent(scene.browser.post(path(`${kinds[kind]}/${scene[kind]}/restore`)))
    return { entity: [kind, scene[kind]] }
  }

/** The other kind of record in which a link to this kind is recorded. */
const far: Record<Kind, Kind> = { lead: 'contact', contact: 'lead', company: 'lead', customer: 'contact' }

const linked =
  (kind: Kind): Action =>
  async (scene) => {
    const on = far[kind]
    const link = [{ to_entity_id: scene[kind], to_entity_type: kinds[kind] }]
    await sent(scene.browser.post(path(`${kinds[on]}/${scene[on]}/link`), link))
    return { entity: [on, scene[on]], after: [{ link: { entity: { type: kind, id: scene[kind] } } }] }
  }

const unlinked =
  (kind: Kind): Action =>
  async (scene) => {
    const { entity } = await linked(kind)(scene)
    const link = [{ to_entity_id: scene[kind], to_entity_type: kinds[kind] }]
    await sent(scene.browser.post(path(`${kinds[far[kind]]}/${entity[1]}/unlink`), link))
    return { entity, before: [{ unlink: { entity: { type: kind, id: scene[kind] } } }] }
  }

const aTask = ({ browser, lead }: Scene, draft: object = {}): Promise<number> =>
  add(browser, 'tasks', {
    text: 'Call',
    complete_till: BEGINNING + 100,
    entity_type: 'leads',
    entity_id: lead,
    ...draft,
  })

const taskChanged =
  (change: object, before: object[], after: object[]): Action =>
  async (scene) => {
    const id = await aTask(scene)
    await sent(scene.browser.patch(path(`tasks/${id}`), change))
    return { entity: ['task', id], before, after }
  }

const anElement = async ({ browser }: Scene) => {
  const catalog = await add(browser, 'catalogs', { name: 'Goods' })
  return { catalog, id: await add(browser, `catalogs/${catalog}/elements`, { name: 'Nail' }) }
}

const elementLinked: Action = async (scene) => {
  const { catalog, id } = await anElement(scene)
  const link = [
    { to_entity_id: id, to_entity_type: 'catalog_elements', metadata: { catalog_id: catalog, quantity: 2 } },
  ]
  await sent(scene.browser.post(path(`leads/${scene.lead}/link`), link))
  return { entity: ['lead', scene.lead], after: [{ link: { entity: { type: `catalog_${catalog}`, id } } }] }
}

const audience = async ({ browser }: Scene) => add(browser, 'audiences', { name: 'Spring', service: 'ads' })

const call = { duration: 60, source: 'PBX', phone: '+15550100' }

const noted =
  (note_type: string, params: object): Action =>
  async (scene) => {
    const id = await add(scene.browser, `leads/${scene.lead}/notes`, { note_type, params })
    return { entity: ['lead', scene.lead], after: [{ note: { id } }] }
  }

/** The id of an uploaded file. */
async function aFile({ browser }: Scene): Promise<string> {
  const session = { file_name: 'a.txt', file_size: 3, content_type: 'text/plain' }
  const { upload_url } = await sent(browser.post('/web/drive/v1.0/sessions', session))
  const { pathname } = new URL(upload_url)
  const headers = { 'content-type': 'application/octet-stream' }
  return (await sent(browser.post(pathname, Buffer.from('abc'), headers))).uuid
}

/** A customer's message, and the chat that it starts. */
async function written(scene: Scene, text: string) {
  const { push, channel } = await connected(scene)
  const pushed = await sent(push(textOf(scene, 'Sue', text)))
  const chat = await sent(scene.browser.get(path(`chats/${pushed.new_message.conversation_id}`)))
  const { messages } = (await sent(scene.browser.get(path(`chats/${chat.id}/messages`))))._embedded
  return { chat, message: messages.at(-1), channel_id: channel.id }
}

const messageOf = (id: string, talk_id: number, origin: string) => ({ message: { id, talk_id, origin } })

/** The bot recognises a message and replies. */
const heard: Action = async (scene) => {
  const draft = { name: 'Price', phrases: ['the price'], answer: 'A hundred.' }
  const { id } = await sent(scene.browser.post(path('chats/intents'), draft))
  const { chat } = await written(scene, 'What is the price?')
  return { entity: ['lead', chat.lead_id], after: [{ helpbot: { id } }], by: 0 }
}

/** A row per type that the platform publishes, in its order. */
const actions: Record<EventType, Action> = {
  lead_added: added('lead'),
  lead_deleted: deleted('lead'),
  lead_restored: restored('lead'),
  lead_status_changed: async (scene) => {
    const { pipeline_id, own } = await stagesOf(scene)
    await sent(scene.browser.patch(path(`leads/${scene.lead}`), { status_id: own[1] }))
    const stage = (n: number) => [{ lead_status: { id: own[n], pipeline_id } }]
    return { entity: ['lead', scene.lead], before: stage(0), after: stage(1) }
  },
  lead_linked: linked('lead'),
  lead_unlinked: unlinked('lead'),
  contact_added: added('contact'),
  contact_deleted: deleted('contact'),
  contact_restored: restored('contact'),
  contact_linked: linked('contact'),
  contact_unlinked: unlinked('contact'),
  company_added: added('company'),
  company_deleted: deleted('company'),
  company_restored: restored('company'),
  company_linked: linked('company'),
  company_unlinked: unlinked('company'),
  customer_added: added('customer'),
  customer_deleted: deleted('customer'),
  customer_status_changed: async (scene) => {
    const { statuses } = (await sent(scene.browser.get(path('customers/statuses'))))._embedded
    const stage = (n: number) => [{ customer_status: { id: statuses[n].id } }]
    await sent(scene.browser.patch(path(`customers/${scene.customer}`), { status_id: statuses[1].id }))
    return { entity: ['customer', scene.customer], before: stage(0), after: stage(1) }
  },
  customer_linked: linked('customer'),
  customer_unlinked: unlinked('customer'),
  task_added: async (scene) => ({ entity: ['task', await aTask(scene)] }),
  task_deleted: async (scene) => {
    const id = await aTask(scene)
    await sent(scene.browser.delete(path(`tasks/${id}`)))
    return { entity: ['task', id] }
  },
  task_completed: async (scene) => {
    const id = await aTask(scene)
    await sent(scene.browser.patch(path(`tasks/${id}`), { is_completed: true }))
    return { entity: ['task', id] }
  },
  task_type_changed: taskChanged({ task_type_id: 2 }, [{ task_type: { id: 1 } }], [{ task_type: { id: 2 } }]),
  task_text_changed: taskChanged(
    { text: 'Write' },
    [{ task: { text: 'Call' } }],
    [{ task: { text: 'Write' } }],
  ),
  task_deadline_changed: taskChanged(
    { complete_till: BEGINNING + 200 },
    [{ task_deadline: { timestamp: BEGINNING + 100 } }],
    [{ task_deadline: { timestamp: BEGINNING + 200 } }],
  ),
  task_result_added: async (scene) => {
    const id = await aTask(scene)
    await sent(scene.browser.patch(path(`tasks/${id}`), { is_completed: true, result: { text: 'Done' } }))
    return { entity: ['lead', scene.lead], after: await lastNote(scene, 'task_result') }
  },
  incoming_call: noted('call_in', call),
  outgoing_call: async (scene) => {
    const phone = { field_code: 'PHONE', values: [{ value: '+1 (555) 010-0199', enum_code: 'WORK' }] }
    await sent(scene.browser.patch(path(`contacts/${scene.contact}`), { custom_fields_values: [phone] }))
    const made = { direction: 'outbound', duration: 60, source: 'PBX', phone: '5550100199' }
    await sent(scene.browser.post(path('calls'), [made]))
    return { entity: ['contact', scene.contact], after: await lastNote(scene, 'call_out') }
  },
  incoming_chat_message: async (scene) => {
    const { chat, message, channel_id } = await written(scene, 'Is it there?')
    return { entity: ['lead', chat.lead_id], after: [messageOf(message.id, chat.talk_id, channel_id)], by: 0 }
  },
  outgoing_chat_message: async (scene) => {
    const { chat, channel_id } = await written(scene, 'Is it there?')
    const answer = await sent(scene.browser.post(path(`chats/${chat.id}/messages`), { text: 'It is.' }))
    return { entity: ['lead', chat.lead_id], after: [messageOf(answer.id, chat.talk_id, channel_id)] }
  },
  incoming_sms: noted('sms_in', { text: 'Hi', phone: '+15550100' }),
  outgoing_sms: noted('sms_out', { text: 'Hello', phone: '+15550100' }),
  entity_tag_added: async (scene) => {
    await sent(
      scene.browser.patch(path(`leads/${scene.lead}`), { tags_to_add: [{ name: 'a' }, { name: 'b' }] }),
    )
    return { entity: ['lead', scene.lead], after: [{ tag: { name: 'a' } }, { tag: { name: 'b' } }] }
  },
  entity_tag_deleted: async (scene) => {
    await sent(scene.browser.patch(path(`leads/${scene.lead}`), { tags_to_add: [{ name: 'a' }] }))
    await sent(scene.browser.patch(path(`leads/${scene.lead}`), { _embedded: { tags: null } }))
    return { entity: ['lead', scene.lead], before: [{ tag: { name: 'a' } }] }
  },
  entity_linked: elementLinked,
  entity_unlinked: async (scene) => {
    const { entity, after = [] } = await elementLinked(scene)
    const [{ link }] = after as [{ link: { entity: { id: number } } }]
    const item = [{ to_entity_id: link.entity.id, to_entity_type: 'catalog_elements' }]
    await sent(scene.browser.post(path(`leads/${scene.lead}/unlink`), item))
    return { entity, before: [{ unlink: link }] }
  },
  sale_field_changed: async (scene) => {
    await sent(scene.browser.patch(path(`leads/${scene.lead}`), { price: 250 }))
    const sale = (sale: number) => [{ sale_field_value: { sale } }]
    return { entity: ['lead', scene.lead], before: sale(100), after: sale(250) }
  },
  name_field_changed: async (scene) => {
    await sent(scene.browser.patch(path(`companies/${scene.company}`), { name: 'Acme Ltd' }))
    const name = (name: string) => [{ name_field_value: { name } }]
    return { entity: ['company', scene.company], before: name('Acme'), after: name('Acme Ltd') }
  },
  ltv_field_changed: async (scene) => {
    await add(scene.browser, `customers/${scene.customer}/transactions`, { price: 70 })
    const ltv = (ltv: number) => [{ ltv_field_value: { ltv } }]
    return { entity: ['customer', scene.customer], before: ltv(0), after: ltv(70) }
  },
  custom_field_value_changed: async (scene) => {
    const draft = { name: 'Kind', type: 'select', enums: ['a', 'b'].map((value, sort) => ({ value, sort })) }
    const [field] = (await sent(scene.browser.post(path('leads/custom_fields'), [draft])))._embedded
      .custom_fields
    const write = (value: string) => ({ custom_fields_values: [{ field_id: field.id, values: [{ value }] }] })
    const id = await add(scene.browser, 'leads', write('a'))
    await sent(scene.browser.patch(path(`leads/${id}`), write('b')))
    const value = (n: number) => [
      {
        custom_field_value: { field_id: field.id, field_type: 4, enum_id: field.enums[n].id, text: 'ab'[n] },
      },
    ]
    // Adding a lead with a value records an event, too.
    return { entity: ['lead', id], before: value(0), after: value(1), earlier: 1 }
  },
  entity_responsible_changed: async (scene) => {
    const ann = await scene.addPerson()
    await sent(scene.browser.patch(path(`contacts/${scene.contact}`), { responsible_user_id: ann.id }))
    const user = (id: number) => [{ responsible_user: { id } }]
    return { entity: ['contact', scene.contact], before: user(scene.admin.id), after: user(ann.id) }
  },
  robot_replied: heard,
  intent_identified: heard,
  nps_rate_added: async (scene) => {
    await sent(scene.browser.post(path(`contacts/${scene.contact}/nps`), { rate: 9 }))
    return { entity: ['contact', scene.contact], after: [{ nps: { rate: 9 } }] }
  },
  link_followed: async (scene) => {
    const draft = {
      url: 'https://shop.example/',
      metadata: { entity_type: 'contacts', entity_id: scene.contact },
    }
    const [link] = (await sent(scene.browser.post(path('short_links'), [draft])))._embedded.short_links
    await scene.stranger.get(new URL(link.url).pathname)
    return { entity: ['contact', scene.contact], after: await lastNote(scene, 'link_followed'), by: 0 }
  },
  transaction_added: async (scene) => {
    const id = await add(scene.browser, `customers/${scene.customer}/transactions`, { price: 70 })
    return { entity: ['customer', scene.customer], after: [{ transaction: { id } }] }
  },
  common_note_added: noted('common', { text: 'Called back' }),
  common_note_deleted: async (scene) => {
    const { entity, after } = await noted('common', { text: 'Called back' })(scene)
    const [{ note }] = after as [{ note: { id: number } }]
    await sent(scene.browser.delete(path(`leads/notes/${note.id}`)))
    return { entity, after: [{ note }] }
  },
  attachment_note_added: async (scene) => {
    const file_uuid = await aFile(scene)
    await sent(scene.browser.put(path(`leads/${scene.lead}/files`), [{ file_uuid }]))
    return { entity: ['lead', scene.lead], after: await lastNote(scene, 'attachment') }
  },
  targeting_in_note_added: async (scene) => {
    await sent(
      scene.browser.post(path(`leads/${scene.lead}/audiences`), { audience_id: await audience(scene) }),
    )
    return { entity: ['lead', scene.lead], after: await lastNote(scene, 'targeting_in') }
  },
  targeting_out_note_added: async (scene) => {
    const id = await audience(scene)
    await sent(scene.browser.post(path(`leads/${scene.lead}/audiences`), { audience_id: id }))
    await sent(scene.browser.delete(path(`leads/${scene.lead}/audiences/${id}`)))
    return { entity: ['lead', scene.lead], after: await lastNote(scene, 'targeting_out') }
  },
  geo_note_added: noted('geolocation', { text: 'Here', address: 'Main st', longitude: '1.5', latitude: '2' }),
  service_note_added: noted('service_message', { service: 'Till', text: 'Paid' }),
  site_visit_note_added: async (scene) => {
    await sent(scene.browser.patch(path(`leads/${scene.lead}`), { visitor_uid: 'visitor-1' }))
    await scene.stranger.get('/px/visitor-1.gif?url=https://shop.example/bicycles')
    return { entity: ['lead', scene.lead], after: await lastNote(scene, 'site_visit'), by: 0 }
  },
  message_to_cashier_note_added: noted('message_cashier', { status: 'created', text: 'Change?' }),
  entity_merged: async (scene) => {
    const other = await add(scene.browser, 'contacts', { name: 'Ann again' })
    await sent(scene.browser.post(path('contacts/merge'), { id: scene.contact, merge: [other] }))
    return { entity: ['contact', scene.contact] }
  },
}

type Filter = (key: string) => string
const asValue =
  <Name extends ChangeName>(value: (change: Changes[Name]) => string | number, kind = '') =>
  (filter: Filter, type: string, change: object) => [
    `filter[type]=${type}${kind}&${filter('value')}=${value(change as Changes[Name])}`,
  ]

/** The queries of each value filter that applies to the type, from a change. */
const valueQueries: Record<FilteredEventType, (filter: Filter, type: string, change: object) => string[]> = {
  lead_status_changed: (filter, type, change) => {
    const { id, pipeline_id } = (change as Changes['lead_status']).lead_status
    const stage = filter('leads_statuses][0')
    return [`filter[type]=${type}&${stage}[pipeline_id]=${pipeline_id}&${stage}[status_id]=${id}`]
  },
  customer_status_changed: (filter, type, change) => {
    const { id } = (change as Changes['customer_status']).customer_status
    return [`filter[type]=${type}&${filter('customers_statuses][0')}[status_id]=${id}`]
  },
  entity_responsible_changed: (filter, type, change) => {
    const { id } = (change as Changes['responsible_user']).responsible_user
    return [`filter[type]=${type}&${filter('responsible_user_id')}=${id},999`]
  },
  sale_field_changed: asValue<'sale'>((change) => change.sale_field_value.sale, '&filter[entity]=lead'),
  name_field_changed: asValue<'name'>((change) => change.name_field_value.name, '&filter[entity]=company'),
  ltv_field_changed: asValue<'ltv'>((change) => change.ltv_field_value.ltv, '&filter[entity]=customer'),
  nps_rate_added: asValue<'nps'>((change) => change.nps.rate),
  custom_field_value_changed: (filter, type, change) => {
    const { field_id, enum_id, text } = (change as Changes['custom_field_value']).custom_field_value
    const ofField = `filter[type]=custom_field_${field_id}_value_changed`
    return [
      `${ofField}&${filter('custom_field_values')}=${enum_id}`,
      `${ofField}&${filter('value')}=${text}`,
      `filter[type]=${type}&${filter('value')}=${text}`,
    ]
  },
}

describe('Every event type is recorded by its action, and found by type, entity and values', () => {
  test('the types are the published ones, in the published order', () => {
    expect(Object.keys(eventTypes)).toEqual(Object.keys(actions))
  })

  test.each(Object.entries(actions))('%s', async (type, act) => {
    const all = await scene()
    const { entity, before = [], after = [], by = all.admin.id, earlier = 0 } = await act(all)
    const found = async (query: string) => {
      const { _embedded } = await sent(all.browser.get(`${path('events')}?limit=250&${query}`))
      return _embedded.events.map((event: ListedEvent) => ({
        type: event.type,
        entity: [event.entity_type, event.entity_id],
        by: event.created_by,
        before: event.value_before,
        after: event.value_after,
      }))
    }
    const recorded = { type, entity, by, before, after }
    const [kind, id] = entity
    const ofEntity = `filter[type]=${type}&filter[entity]=${kind}&filter[entity_id]=${id}`
    expect((await found(ofEntity)).slice(0, -earlier || undefined)).toEqual([recorded])
    expect(await found(`filter[type]=${type}`)).toContainEqual(recorded)
    for (const [side, [change]] of Object.entries({ before, after })) {
      const filter: Filter = (key) => `filter[value_${side}][${key}]`
      const queries = change
        ? (valueQueries[type as FilteredEventType]?.(filter, type, change as object) ?? [])
        : []
      for (const query of queries) {
        expect([query, (await found(query))[0]]).toEqual([query, recorded])
        const elsewhere = query.replace(/(,999)?$/, '9')
        expect([elsewhere, await found(elsewhere)]).toEqual([elsewhere, []])
      }
    }
  })

  test('every type with a value filter is tested with it', () => {
    const filtered = Object.entries(eventTypes).filter(([, kind]) => 'filters' in kind)
    expect(Object.keys(valueQueries).sort()).toEqual(filtered.map(([type]) => type).sort())
  })
})

interface ListedEvent {
  type: string
  entity_type: string
  entity_id: number
  created_by: number
  value_before: unknown[]
  value_after: unknown[]
}
