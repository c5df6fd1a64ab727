import { deepEqual, equal, ok, partialDeepStrictEqual, rejects } from 'node:assert/strict'
import type { Amo } from '@shevernitskiy/amo'
import { demo, part } from '../errand.ts'
import { idsOf, pagesOf, self, withBody, withFault } from './answers.ts'

/** The results of earlier steps: leads, of which the first is the one open lead of a contact with this phone. */
interface Done {
  leads: number[]
  phone: string
  /** The administrator. */
  ada: number
  /** A field of leads with a choice, which was set when they were added. */
  colour: number
}

const nothing = 987_654_321
const hour = 3600
const now = Math.floor(Date.now() / 1000)

/** Writes notes and calls on the leads, and reads them and what the log tells of them. */
export async function goThroughLog(amo: Amo, done: Done): Promise<void> {
  const notes = { red: 0, thanks: 0, paid: 0 }
  await part('notes', async () => {
    Object.assign(notes, await addThree(amo, done))
    await editThree(amo, done, notes)
    await listThree(amo, done, notes)
    await refuseSome(amo, done, notes)
  })
  let call = 0
  await part('calls', async () => {
    call = await addCall(amo, done)
  })
  await part('events', async () => {
    await readEvents(amo, done, [call, notes.thanks, notes.red])
    await turnEvents(amo)
    await readTypes(amo, done)
  })
}

type Three = Record<'red' | 'thanks' | 'paid', number>
type AddedNote = { id: number; entity_id: number; request_id: string; _links: object }
const sms = { text: 'Thank you', phone: '+44 20 7946 0018' }

async function addThree(amo: Amo, { leads: [lead = 0, other = 0], ada }: Done): Promise<Three> {
  const added = await amo.note.addNotes('leads', [
    { entity_id: lead, note_type: 'common', params: { text: 'Wants red' }, request_id: 'red' },
    { entity_id: lead, note_type: 'sms_out', params: sms as never },
    { entity_id: other, note_type: 'extended_service_message', params: { service: 'Shop', text: 'Paid' } },
  ])
  // Its types have a slip of the pen where this is.
  const { _embedded } = added as unknown as { _embedded: { notes: AddedNote[] } }
  const [red = 0, thanks = 0, paid = 0] = idsOf(_embedded.notes)
  deepEqual(_embedded.notes, [
    { id: red, entity_id: lead, request_id: 'red', ...self(`/leads/${lead}/notes/${red}`) },
    { id: thanks, entity_id: lead, request_id: '1', ...self(`/leads/${lead}/notes/${thanks}`) },
    { id: paid, entity_id: other, request_id: '2', ...self(`/leads/${other}/notes/${paid}`) },
  ])
  partialDeepStrictEqual(await amo.note.getNotesById(red, 'leads'), {
    entity_id: lead,
    created_by: ada,
    responsible_user_id: ada,
    note_type: 'common',
    params: { text: 'Wants red' },
    ...self(`/leads/${lead}/notes/${red}`),
  })
  return { red, thanks, paid }
}

async function editThree(amo: Amo, { leads: [lead = 0] }: Done, { red, thanks, paid }: Three) {
  // A note that was read is written back whole, with what the server alone sets.
  const whole = { ...(await amo.note.getNotesById(red, 'leads')), params: { text: 'Wants blue' } }
  partialDeepStrictEqual(await amo.note.updateNoteById(red, 'leads', whole), { id: red, entity_id: lead })
  const patches = [
    { id: thanks, note_type: 'sms_out', params: { ...sms, text: 'Thanks' } },
    { id: paid, params: { service: 'Shop', text: 'Paid twice' } },
  ]
  const edited = await amo.note.updateNotes('leads', patches as never)
  partialDeepStrictEqual(edited, { _embedded: { notes: [{ id: thanks }, { id: paid }] } } as object)
  const textOf = async (id: number) =>
    ((await amo.note.getNotesById(id, 'leads')).params as { text: string }).text
  deepEqual(
    [await textOf(red), await textOf(thanks), await textOf(paid)],
    ['Wants blue', 'Thanks', 'Paid twice'],
  )
}

async function listThree(amo: Amo, { leads: [lead = 0] }: Done, { red, thanks, paid }: Three) {
  const texted = ['common', 'sms_out', 'extended_service_message']
  const ofLead = await amo.note.getNotesByEntityId(lead, 'leads', {
    filter: (filter) => filter.multi('note_type', texted),
    order: { param: 'id', type: 'desc' },
  })
  deepEqual(idsOf(ofLead._embedded.notes), [thanks, red])
  const pages = await pagesOf((page) =>
    amo.note.getNotesByEntityType('leads', {
      filter: (filter) => filter.multi('id', [red, thanks, paid]).range('updated_at', now - hour, now + hour),
      order: { param: 'id', type: 'asc' },
      limit: 2,
      page,
    }),
  )
  deepEqual(
    pages.map((page) => idsOf(page._embedded.notes)),
    [[red, thanks], [paid]],
  )
  const none = await amo.note.getNotesByEntityId(lead, 'leads', {
    filter: (filter) => filter.single('note_type', 'call_out'),
  })
  deepEqual(none._embedded.notes, [])
}

async function refuseSome(amo: Amo, { leads: [lead = 0] }: Done, { red }: Three) {
  const note = { entity_id: lead, note_type: 'common', params: { text: 'Kept' } } as const
  const add = (draft: object) => amo.note.addNotes('leads', [draft, note])
  await rejects(add({ ...note, params: {} }), withFault('FieldMissing', 'params.text'))
  await rejects(add({ ...note, note_type: 'mail_message' }), withFault('NotSupportedChoice', 'note_type'))
  await rejects(add({ ...note, entity_id: nothing }), withFault('NotSupportedChoice', 'entity_id'))
  const patch = { entity_id: lead, note_type: 'sms_in', params: { text: 'Kept', phone: '1' } } as never
  const patched = amo.note.updateNoteById(red, 'leads', patch)
  await rejects(patched, withFault('NotSupportedChoice', 'note_type'))
  await rejects(amo.note.getNotesById(nothing, 'leads'), withBody({ status: 404, title: 'Not Found' }))
  const kept = await amo.note.getNotesByEntityId(lead, 'leads', { limit: 250 })
  ok(!JSON.stringify(kept).includes('Kept'))
}

async function addCall(amo: Amo, { leads: [lead = 0], phone, ada }: Done): Promise<number> {
  const people = { responsible_user_id: ada, created_by: ada, updated_by: ada }
  const times = { created_at: now - hour, updated_at: now - hour }
  const optional = { link: 'https://calls.example/1.mp3', call_result: 'Will come', call_status: 4 } as const
  const params = { uniq: 'c-1', duration: 75, source: 'Exchange', phone, ...optional, call_responsible: ada }
  const draft = { direction: 'inbound', ...params, ...people, ...times } as const
  const answer = await amo.call.addCalls([
    { ...draft, request_id: 'somebody' },
    { ...draft, phone: '+44 20 7946 0999', request_id: 'nobody' },
  ])
  partialDeepStrictEqual(answer, {
    _total_items: 1,
    errors: [{ title: 'Entity not found', request_id: 'nobody' }],
    _embedded: {
      calls: [
        {
          entity_id: lead,
          entity_type: 'lead',
          account_id: demo.account.id,
          request_id: 'somebody',
          _embedded: { entity: { id: lead, ...self(`/leads/${lead}`) } },
        },
      ],
    },
  })
  const id = answer._embedded.calls[0]?.id as number
  partialDeepStrictEqual(await amo.note.getNotesById(id, 'leads'), {
    note_type: 'call_in',
    entity_id: lead,
    ...people,
    ...times,
    params: params as never,
  })
  const unsaid = amo.call.addCalls([{ phone } as never])
  await rejects(unsaid, withFault('FieldMissing', 'direction'))
  return id
}

type Asked = NonNullable<Parameters<Amo['event']['getEvents']>[0]>

/** `written` are the notes of the first lead, the newest first. */
async function readEvents(amo: Amo, { leads: [lead = 0], ada, colour }: Done, written: number[]) {
  const ofLead: Asked['filter'] = (filter) => filter.single('entity', 'lead').single('entity_id', lead)
  const all = await amo.event.getEvents({ filter: ofLead, with: ['lead_name'], limit: 250 })
  const { events } = all._embedded
  const [newest] = events
  partialDeepStrictEqual(newest, {
    type: 'incoming_call',
    entity_id: lead,
    entity_type: 'lead',
    created_by: ada,
    value_after: [{ note: { id: written[0] } }],
    value_before: [],
    account_id: demo.account.id,
    _embedded: { entity: { id: lead, name: 'Order 0', ...self(`/leads/${lead}`) } },
    ...self(`/events/${newest?.id}`),
  } as object)
  deepEqual(await amo.event.getEventById(newest?.id as never, { with: ['lead_name'] }), newest)

  const find = async (filter: Asked['filter']) => (await amo.event.getEvents({ filter }))._embedded.events
  const types = ['common_note_added', 'outgoing_sms', 'incoming_call']
  const found = await find((filter) =>
    filter.multi('type', types).single('entity', 'lead').multi('entity_id', [lead]),
  )
  deepEqual(
    found.map(({ value_after }) => value_after[0]?.note.id),
    written,
  )
  const ids = events.map(({ id }) => id).slice(0, 2)
  const same = await find((filter) =>
    filter
      .multi('id', ids)
      .multi('created_by', [ada])
      .range('created_at', now, now + hour),
  )
  deepEqual(
    same.map(({ id }) => id),
    ids,
  )
  const coloured = await find((filter) => filter.single('type', `custom_field_${colour}_value_changed`))
  const red = { field_id: colour, field_type: 4, text: 'red' }
  partialDeepStrictEqual(coloured.at(-1), {
    type: 'custom_field_value_changed',
    value_after: [{ custom_field_value: red }],
  } as object)

  const unknown = find((filter) => filter.single('type', 'nothing'))
  await rejects(unknown, withFault('NotSupportedChoice', 'filter.type'))
  const unowned = find((filter) => filter.single('entity_id', lead))
  await rejects(unowned, withFault('InvalidFormat', 'filter.entity_id'))
  await rejects(amo.event.getEventById('nothing' as never), withBody({ status: 404, title: 'Not Found' }))
}

/** Every event of the account, from the newest to the first. */
async function turnEvents(amo: Amo) {
  const pages = await pagesOf((page) => amo.event.getEvents({ limit: 250, page }))
  const ids = pages.flatMap((page) => page._embedded.events.map(({ id }) => id))
  ok(pages.length > 2)
  ok(pages.slice(0, -1).every((page) => page._embedded.events.length === 250))
  deepEqual(ids, [...new Set(ids)].sort().reverse())
}

async function readTypes(amo: Amo, { colour }: Done) {
  const known = await amo.event.getEventsTypes('ru')
  equal(known._total_items, known._embedded.events_types.length)
  const named = new Map<string, object>(known._embedded.events_types.map((one) => [one.key, one]))
  deepEqual(named.get('lead_added'), { key: 'lead_added', type: 1, lang: 'Новая сделка' })
  partialDeepStrictEqual(named.get(`custom_field_${colour}_value_changed`), { type: 24 })
}
