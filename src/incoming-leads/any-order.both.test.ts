import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { line } from '../../test/fixtures/conversations.ts'
import { addIncoming, UNSORTED } from '../../test/fixtures/incoming-leads.ts'
import { addAll } from '../../test/fixtures/records.ts'
import { times } from '../../test/long.ts'
import { type World, world } from '../../test/world.ts'

const CLIENTS = 6
const REQUESTS = times(25, 250)

/** The same numbers in each run, though the requests are answered in another order. */
function numbers(seed: number) {
  let last = seed
  return (below: number): number => {
    last = (last * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((last / 2_147_483_648) * below)
  }
}

interface Waiting {
  uid: string
  _embedded: Record<'leads' | 'contacts', { id: number }[]>
}

/** Actions of people, integrations and a provider on incoming leads, their people and their chats. */
async function actionsOf(here: World, below: (most: number) => number) {
  const { browser } = here.admin
  await browser.put('/web/new-chats', { are_chats_unsorted: true })
  const chats = await line(here)
  const leads = await addAll(browser, 'leads', Array(6).fill({}))
  const contacts = await addAll(browser, 'contacts', Array(6).fill({ name: 'Ann' }))
  const any = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const waiting = async (
    by: Client,
    act: (uid: string, lead: number, contact: number) => Promise<unknown>,
  ) => {
    const { unsorted } = (await by.get(`${UNSORTED}?limit=250`)).body._embedded
    const one = any<Waiting | undefined>(unsorted)
    const idOf = (type: 'leads' | 'contacts') => one?._embedded[type][0]?.id ?? 0
    return one && act(one.uid, idOf('leads'), idOf('contacts'))
  }
  const talking = async (by: Client, act: (chat: { id: string; talk_id: number }) => Promise<unknown>) => {
    const found = any<{ id: string; talk_id: number }>((await by.get('/web/v4/chats')).body._embedded.chats)
    return found && act(found)
  }
  const contact_id = () => any(contacts)
  const to = (to_entity_id: number) => [{ to_entity_type: 'contacts', to_entity_id }]
  return [
    () => chats.write(`guest ${below(8)}`),
    () => chats.write(`guest ${below(8)}`),
    (by) => addIncoming(by, 'forms', { source_uid: `form ${below(1_000_000)}` }),
    (by) => waiting(by, (uid) => by.post(`${UNSORTED}/${uid}/accept`)),
    (by) => waiting(by, (uid) => by.delete(`${UNSORTED}/${uid}/decline`)),
    (by) =>
      waiting(by, (uid) => {
        const link = { entity_id: any(leads), entity_type: 'leads', metadata: { contact_id: contact_id() } }
        return by.post(`${UNSORTED}/${uid}/link`, { link })
      }),
    (by) => waiting(by, (_, lead) => by.post(`/web/v4/leads/${lead}/link`, to(contact_id()))),
    (by) => waiting(by, (_, _lead, contact) => by.post(`/web/v4/leads/${any(leads)}/link`, to(contact))),
    (by) => waiting(by, (_, lead, contact) => by.post(`/web/v4/leads/${lead}/unlink`, to(contact))),
    (by) => waiting(by, (_, lead) => by.patch(`/web/v4/leads/${lead}`, { price: below(1_000) })),
    (by) => waiting(by, (_, lead) => by.post('/web/v4/leads/merge', { id: any(leads), merge: [lead] })),
    (by) =>
      talking(by, ({ id }) => by.post('/web/v4/contacts/chats', [{ chat_id: id, contact_id: contact_id() }])),
    (by) => talking(by, ({ talk_id }) => by.post(`/web/v4/talks/${talk_id}/close`)),
    (by) => by.delete(`/web/v4/contacts/${contact_id()}`),
    (by) => by.post(`/web/v4/contacts/${contact_id()}/restore`),
    (by) => by.post(`/web/v4/leads/${any(leads)}/unlink`, to(contact_id())),
  ] satisfies ((by: Client) => Promise<unknown>)[]
}

test('Concurrent requests about incoming leads hide no contact for ever, and keep chats with their talks', async () => {
  const here = await world()
  const { db } = here.ctx
  const below = numbers(7)
  const actions = await actionsOf(here, below)
  const failed: string[] = []
  const act = async () => {
    for (let n = 0; n < REQUESTS; n++) {
      const answer = await actions[below(actions.length)]?.(here.admin.browser)
      const { status = 200, text = '' } = (answer ?? {}) as { status?: number; text?: string }
      if (status === 500) failed.push(text)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, act))
  expect(failed).toEqual([])
  const rows = async (query: string) => (await sql.raw(query).execute(db)).rows
  expect({
    'hidden people without an incoming lead': await rows(`
      select id from entities e where entity_type in ('contacts', 'companies') and is_unsorted = 1 and is_deleted = 0
      and not exists (select 1 from links l join entities i on i.id = l.to_entity_id
        where l.entity_id = e.id and i.entity_type = 'leads' and i.is_unsorted = 1 and i.is_deleted = 0)`),
    'incoming leads in another state than their leads': await rows(`
      select i.lead_id from incoming_leads i join entities e on e.id = i.lead_id
      where (i.state = 'waiting') <> (e.is_unsorted = 1 and e.is_deleted = 0)`),
    'chats with other records than their talks': await rows(`
      select c.id from conversations c join talks t on t.id = c.talk_id
      where c.contact_id <> t.contact_id or coalesce(c.lead_id, 0) <> coalesce(t.lead_id, 0)`),
    'chats of merged records': await rows(`
      select c.id from conversations c join entities e on e.id in (c.contact_id, c.lead_id)
      where e.merged_into is not null`),
  }).toEqual({
    'hidden people without an incoming lead': [],
    'incoming leads in another state than their leads': [],
    'chats with other records than their talks': [],
    'chats of merged records': [],
  })
})
