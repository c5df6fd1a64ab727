import { describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { line } from '../../test/fixtures/conversations.ts'
import { add } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'
import type { Rights, Width } from '../accounts/members/rights.ts'
import type { TimelineItem } from './schemas.ts'

const of = (view: Width) => ({ view, edit: view, add: 'A', delete: view, export: view }) as const
const own: Partial<Rights> = { leads: of('M'), contacts: of('M'), tasks: { edit: 'M', delete: 'M' } }

/** All pages of a timeline, newest first. */
async function timeline(caller: Client, card: string, query = '', limit = 50): Promise<TimelineItem[]> {
  const items: TimelineItem[] = []
  for (let url: string | undefined = `/web/v4/${card}/timeline?limit=${limit}&${query}`; url; ) {
    const { status, text, body }: Awaited<ReturnType<Client['get']>> = await caller.get(url)
    if (status === 204) return items
    if (status !== 200) throw new Error(text)
    items.push(...body._embedded.items)
    url = body._links.next?.href
  }
  return items
}

const kindsOf = (items: TimelineItem[]) => items.map(({ kind, event }) => `${kind} ${event.type}`)

async function note(caller: Client, type: string, id: number, draft: object): Promise<number> {
  const { body } = await caller.post(`/web/v4/${type}/${id}/notes`, [draft])
  return body._embedded.notes[0].id
}
const common = (text: string) => ({ note_type: 'common', params: { text } })
const call = { note_type: 'call_in', params: { duration: 5, source: 'x', phone: '+15550100' } }

/** A lead with an item of each kind. */
async function cardWithHistory({ admin: { browser } }: World) {
  const lead = await add(browser, 'leads', { name: 'Deal' })
  await browser.patch(`/web/v4/leads/${lead}`, { price: 5 })
  const said = await note(browser, 'leads', lead, common('Said'))
  await note(browser, 'leads', lead, call)
  const about = { text: 'Call', complete_till: 5, entity_type: 'leads', entity_id: lead }
  const task = await add(browser, 'tasks', about)
  await browser.patch(`/web/v4/tasks/${task}`, { is_completed: true, result: { text: 'Done' } })
  return { lead, said, task }
}

describe('The timeline of a card', () => {
  test('is the log of the record and its tasks, with the subject of each event', async () => {
    const place = await world()
    const { browser } = place.admin
    const { lead, said, task } = await cardWithHistory(place)
    const items = await timeline(browser, `leads/${lead}`)
    expect(kindsOf(items)).toEqual([
      'task task_result_added',
      'task task_completed',
      'task task_added',
      'call incoming_call',
      'note common_note_added',
      'change sale_field_changed',
      'change lead_added',
    ])
    const [result, , added, rang, wrote, price] = items
    expect(wrote?.note).toEqual(
      (await browser.get(`/web/v4/leads/${lead}/notes/${said}?with=is_pinned`)).body,
    )
    expect(added?.task).toEqual((await browser.get(`/web/v4/tasks/${task}`)).body)
    expect([result?.note?.params, result?.task?.id]).toEqual([{ text: 'Done', task_id: task }, task])
    expect([rang?.note?.note_type, rang?.task, rang?.message]).toEqual(['call_in', null, null])
    expect([price?.note, price?.event._embedded.entity.name]).toEqual([null, 'Deal'])
    expect(price?.event.id).toBe(price?.id)
    expect(await timeline(browser, `leads/${lead}`, '', 2)).toEqual(items)
  })

  test('can be filtered by kind, also in page links', async () => {
    const place = await world()
    const { browser } = place.admin
    const { lead } = await cardWithHistory(place)
    const kinds = async (query: string) =>
      (await timeline(browser, `leads/${lead}`, query, 1)).map(({ kind }) => kind)
    expect(await kinds('filter[kind]=note')).toEqual(['note'])
    expect(await kinds('filter[kind]=note,call')).toEqual(['call', 'note'])
    expect(await kinds('filter[kind][]=task&filter[kind][]=file')).toEqual(['task', 'task', 'task'])
    expect(await kinds('filter[kind]=message')).toEqual([])
    const { status, body } = await browser.get(`/web/v4/leads/${lead}/timeline?filter[kind]=dog`)
    expect([status, body['validation-errors'][0].errors[0].path]).toEqual([400, 'filter.kind'])
  })

  test('keeps the event of a deleted note, and events from before a merge', async () => {
    const place = await world()
    const { browser } = place.admin
    const [one, two, three] = [
      await add(browser, 'contacts', { name: 'One' }),
      await add(browser, 'contacts', { name: 'Two' }),
      await add(browser, 'contacts', { name: 'Three' }),
    ]
    const gone = await note(browser, 'contacts', one, common('Gone'))
    expect((await browser.delete(`/web/v4/contacts/notes/${gone}`)).status).toBe(204)
    await note(browser, 'contacts', three, common('Kept'))
    for (const [id, merge] of [
      [two, three],
      [one, two],
    ])
      expect((await browser.post('/web/v4/contacts/merge', { id, merge: [merge] })).status).toBe(200)
    const items = await timeline(browser, `contacts/${one}`)
    expect(items.filter(({ event }) => event.type === 'contact_added').length).toBe(3)
    const notes = items.filter(({ kind }) => kind === 'note')
    expect(notes.map(({ event, note }) => [event.type, note?.params ?? null])).toEqual([
      ['common_note_added', { text: 'Kept' }],
      ['common_note_deleted', null],
      ['common_note_added', null],
    ])
  })

  test('of a contact includes the messages of their leads', async () => {
    const place = await world()
    const { admin } = place
    const { write } = await line(place)
    const chat_id = await write('Eve', 'Hello')
    const chat = (await admin.browser.get(`/web/v4/chats/${chat_id}`)).body
    await write('Eve', 'Anybody there?')
    const messages = await timeline(admin.browser, `contacts/${chat.contact_id}`, 'filter[kind]=message')
    expect(messages.map(({ message, event }) => [message?.text, event.entity_type])).toEqual([
      ['Anybody there?', 'lead'],
      ['Hello', 'lead'],
    ])
    const { body } = await admin.browser.get(`/web/v4/chats/${chat_id}/messages`)
    expect(messages.map(({ message }) => message)).toEqual(body._embedded.messages)
    const ofLead = await timeline(admin.browser, `leads/${chat.lead_id}`, 'filter[kind]=message')
    expect(ofLead.map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
  })

  test('contains what the reader can see', async () => {
    const place = await world()
    const { admin } = place
    const ann = await place.addPerson({ name: 'Ann', rights: own })
    const { write } = await line(place)
    const chat = (await admin.browser.get(`/web/v4/chats/${await write('Eve')}`)).body
    const about = { entity_type: 'contacts', entity_id: chat.contact_id, text: 'Secret', complete_till: 5 }
    await add(admin.browser, 'tasks', { ...about, responsible_user_id: admin.id })
    const card = `contacts/${chat.contact_id}`
    expect((await ann.browser.get(`/web/v4/${card}/timeline`)).status).toBe(404)
    await admin.browser.patch(`/web/v4/contacts/${chat.contact_id}`, { responsible_user_id: ann.id })
    const seen = await timeline(ann.browser, card)
    const all = await timeline(admin.browser, card)
    // The lead is hidden from the reader, and so are its messages.
    expect(all.filter(({ kind }) => kind === 'message').length).toBe(1)
    expect(seen).toEqual(all.filter(({ event }) => event.entity_type !== 'lead'))
    const { events } = (await ann.browser.get('/web/v4/events?limit=250&with=contact_name')).body._embedded
    const listed = new Set(events.map(({ id }: { id: string }) => id))
    expect(seen.filter(({ id }) => !listed.has(id))).toEqual([])
    expect((await place.stranger.get(`/web/v4/${card}/timeline`)).status).toBe(401)
  })

  test('of an element is only at the address of its list, and works for deleted records', async () => {
    const place = await world()
    const { browser } = place.admin
    const list = await add(browser, 'catalogs', { name: 'Goods' })
    const other = await add(browser, 'catalogs', { name: 'Others' })
    const nail = await add(browser, `catalogs/${list}/elements`, { name: 'Nail' })
    await browser.patch(`/web/v4/catalogs/${list}/elements/${nail}`, { name: 'Screw' })
    expect(kindsOf(await timeline(browser, `catalogs/${list}/elements/${nail}`))).toEqual([
      'change name_field_changed',
    ])
    expect((await browser.get(`/web/v4/catalogs/${other}/elements/${nail}/timeline`)).status).toBe(404)
    const lead = await add(browser, 'leads')
    await browser.delete(`/web/v4/leads/${lead}`)
    expect((await browser.get(`/web/v4/leads/${lead}/timeline`)).status).toBe(404)
    expect(kindsOf(await timeline(browser, `leads/${lead}`, 'with=only_deleted'))).toEqual([
      'change lead_deleted',
      'change lead_added',
    ])
  })

  test('refuses an invalid position and continues after a valid one', async () => {
    const place = await world()
    const { lead } = await cardWithHistory(place)
    const { browser } = place.admin
    const path = `/web/v4/leads/${lead}/timeline`
    expect((await browser.get(`${path}?next=%00`)).status).toBe(400)
    expect((await browser.get(`${path}?limit=101`)).status).toBe(400)
    expect((await browser.get(`${path}?next=${'0'.repeat(26)}`)).status).toBe(204)
  })
})
