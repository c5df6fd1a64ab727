import { expect, test } from 'vitest'
import type { ConversationRow } from '../../src/db/tables.ts'
import { ofSample } from '../sample.ts'
import { type Resource, reaches } from './expected.ts'
import type { Caller } from './people.ts'
import { createScene, type Scene } from './scene.ts'
import { addManyLeads } from './states.ts'
import { askedBy, every, walk } from './walk.ts'

/** A query and the expected chats. `few` are the lengths of its pages. */
interface Asked {
  query: string
  of?: (chat: ConversationRow, caller: Caller) => boolean
  limits?: number[]
}

/** Chats in every state, some read, some closed, in the order of their latest activity. */
async function filled(): Promise<{ scene: Scene; rows: ConversationRow[] }> {
  const scene = await createScene()
  const { browser } = scene.world.admin
  const chats = (await scene.states('chats')).filter(
    ({ kind, account_id }) => kind === 'chats' && account_id === scene.here,
  )
  for (const [i, { id }] of chats.entries()) {
    scene.world.clock.advance(i % 3)
    // The order of activity must differ from the order of creation.
    if (i % 4 === 1) await browser.post(`/web/v4/chats/${id}/messages`, { text: 'Written later' })
    if (i % 4 === 2) await browser.post(`/web/v4/chats/${id}/read`)
  }
  for (const { id } of await scene.states('talks'))
    if (Number(id) % 2 === 0) await browser.post(`/web/v4/talks/${id}/close`)
  const rows = await scene.world.ctx.db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', scene.here)
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return { scene, rows }
}

const resourceOf = ({ byId }: Scene, id: number | string): Resource => byId.get(String(id)) as Resource

/** A search by the contact's name only finds a chat if the caller can see the contact. */
const isFound = (scene: Scene, caller: Caller, { contact_id }: ConversationRow): boolean =>
  reaches(caller, 'view', resourceOf(scene, contact_id))

function queriesOf(scene: Scene, rows: ConversationRow[]): Asked[] {
  const contacts = rows.map(({ contact_id }) => contact_id)
  const leads = rows.flatMap(({ lead_id }) => lead_id ?? [])
  return [
    { query: '', limits: [1, 3, 250] },
    { query: every('filter[contact_id]', contacts), limits: [2] },
    { query: every('filter[lead_id]', leads), of: ({ lead_id }) => lead_id !== null, limits: [2] },
    ...contacts.map((id) => ({
      query: `filter[contact_id]=${id}`,
      of: ({ contact_id }: ConversationRow) => contact_id === id,
    })),
    ...leads.map((id) => ({
      query: `filter[lead_id]=${id}`,
      of: ({ lead_id }: ConversationRow) => lead_id === id,
    })),
    { query: `filter[channel_id]=${rows[0]?.channel_id}`, limits: [2, 250] },
    { query: 'filter[state]=unread', of: ({ unread_count }) => unread_count > 0, limits: [2] },
    { query: 'filter[state]=open', of: ({ is_in_work }) => is_in_work === 1, limits: [2] },
    { query: 'filter[state]=closed', of: ({ is_in_work }) => is_in_work === 0, limits: [2] },
    { query: 'query=alike', of: (row, caller) => isFound(scene, caller, row), limits: [2, 250] },
    ...rows.map((one) => ({
      query: `query=zqx${resourceOf(scene, one.contact_id).mark}x`,
      of: (row: ConversationRow, caller: Caller) => row === one && isFound(scene, caller, row),
    })),
  ]
}

/** The faults in a caller's lists of chats. */
async function faultsOf(
  scene: Scene,
  person: number,
  caller: Caller,
  rows: ConversationRow[],
): Promise<string[]> {
  const failures: string[] = []
  const seen = rows.filter(({ id }) => reaches(caller, 'view', resourceOf(scene, id)))
  for (const { query, of = () => true, limits = [250] } of askedBy(person, queriesOf(scene, rows))) {
    const expected = seen.filter((row) => of(row, caller)).map(({ id }) => id)
    for (const limit of limits) {
      const { ids, faults } = await walk(caller, 'chats', query, limit)
      const name = `GET chats?${query}, by ${limit}: ${caller.name}`
      if (faults.length > 0) failures.push(`${name}: ${faults.join(', ')}`)
      else if (String(ids) !== String(expected)) failures.push(`${name}: ${ids} and not ${expected}`)
    }
  }
  return failures
}

/** The talks of visible chats, and by a lead only if the caller can see the lead too. */
async function faultsOfTalks(scene: Scene, caller: Caller, rows: ConversationRow[]): Promise<string[]> {
  const seen = rows.filter(({ id }) => reaches(caller, 'view', resourceOf(scene, id)))
  const talksOf = (chats: ConversationRow[]) => chats.map(({ talk_id }) => talk_id).sort((a, b) => b - a)
  const isShown = (lead_id: number | null) => {
    const lead = lead_id === null ? null : resourceOf(scene, lead_id)
    return lead !== null && !lead.is_deleted && reaches(caller, 'view', lead)
  }
  const leads = rows.flatMap(({ lead_id }) => lead_id ?? [])
  const asked: [query: string, chats: ConversationRow[]][] = [
    ['', seen],
    ['filter[only_in_work]=1', seen.filter(({ is_in_work }) => is_in_work === 1)],
    [every('filter[entity_id]', leads), seen.filter(({ lead_id }) => isShown(lead_id))],
  ]
  const failures: string[] = []
  for (const [query, chats] of asked) {
    const { ids, faults } = await walk(caller, 'talks', query, 2)
    const expected = talksOf(chats)
    if (faults.length > 0 || String(ids) !== String(expected))
      failures.push(`GET talks?${query}: ${caller.name}: ${ids} and not ${expected} ${faults}`)
  }
  return failures
}

/** The contact and lead of a chat are shown only if its reader can see them. */
async function faultsOfEnds(scene: Scene, caller: Caller): Promise<string[]> {
  const { body } = await caller.client.get(`${caller.surface}/chats?limit=250`)
  return body._embedded.chats.flatMap(
    (
      chat: { id: string; _embedded: Record<string, { id: number } | null> } & Record<string, number | null>,
    ) =>
      (['contact', 'lead'] as const).flatMap((end) => {
        const id = chat[`${end}_id`]
        const resource = id === null || id === undefined ? null : resourceOf(scene, id)
        const isSeen = resource !== null && !resource.is_deleted && reaches(caller, 'view', resource)
        const shown = chat._embedded[end]?.id
        return shown === (isSeen ? id : undefined) ? [] : [`${caller.name}: ${end} of ${chat.id}: ${shown}`]
      }),
  )
}

test('lists of chats and talks contain exactly the visible ones, for each filter, search and page', {
  timeout: 300_000,
}, async () => {
  const { scene, rows } = await filled()
  const callers = scene.people.callers.filter(({ account_id }) => account_id === scene.here)
  const failures: string[] = []
  const ask = async () => {
    for (const [person, caller] of callers.entries()) {
      failures.push(...(await faultsOf(scene, person, caller, rows)))
      failures.push(...(await faultsOfTalks(scene, caller, rows)))
    }
  }
  await ask()
  for (const caller of callers) failures.push(...(await faultsOfEnds(scene, caller)))
  // People with many visible records are served by a different query.
  await addManyLeads(scene)
  await ask()
  expect(failures, ofSample).toEqual([])
  expect(
    new Set(rows.map(({ is_in_work, unread_count }) => `${is_in_work} ${unread_count > 0}`)).size,
  ).toBeGreaterThan(2)
})
