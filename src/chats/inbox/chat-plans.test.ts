import { CompiledQuery, type RawBuilder } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type World, world } from '../../../test/world.ts'
import { type Actor, findActor } from '../../accounts/accounts.ts'
import { completeRights } from '../../accounts/members/rights.ts'
import { chatReader } from '../conversations/chat-rights.ts'
import { changesSince, seenOf, stretchOf, type Walk } from './chat-list-queries.ts'

const everything: Walk = {
  account_id: 1,
  channel_ids: null,
  is_unread: false,
  contact_ids: null,
  lead_ids: null,
  words: [],
  contact_seen: null,
  among: null,
  from: null,
}
const from = { last_message_at: 5, id: '00000000-0000-4000-8000-000000000000' }

const walked: [string, Partial<Walk>, string][] = [
  ['of all chats', {}, 'conversations_by_activity'],
  ['of what is unread', { is_unread: true }, 'conversations_unread'],
  ['of a channel', { channel_ids: ['a'] }, 'conversations_by_channel'],
  ['of channels', { channel_ids: ['a', 'b', 'c'] }, 'conversations_by_channel'],
]
/** So little that it is sorted. */
const sorted: [string, Partial<Walk>, string][] = [
  ['of contacts', { contact_ids: [1, 2] }, 'conversations_by_contact'],
  ['of a lead', { lead_ids: [1] }, 'conversations_by_lead'],
  ['of who is called so', { words: ['ann'] }, 'search_words'],
  ['of who sees few', { among: { leads: [1], contacts: [2] } }, 'conversations_by_lead'],
]

/** The embedded database plans without having counted, so its plans are the same for ten rows and for a million. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('A page of chats', () => {
  const planOf = async ({ ctx }: World, query: RawBuilder<unknown>): Promise<string[]> => {
    const { sql: text, parameters } = query.compile(ctx.db)
    const explain = CompiledQuery.raw(`explain query plan ${text}`, [...parameters])
    return (await ctx.db.executeQuery<{ detail: string }>(explain)).rows.map(({ detail }) => detail)
  }
  const seenBy = async ({ ctx, account, addPerson }: World) => {
    const of = { view: 'M', edit: 'M', add: 'A', delete: 'D', export: 'D' } as const
    const { id } = await addPerson({ rights: completeRights({ leads: of, contacts: of }) })
    const asking = { integration: null, request_id: 'r', address: 'a' }
    const actor = await findActor(ctx, { account_id: account.id, user_id: id }, asking)
    return (await chatReader(ctx.db, actor as Actor)).seen as NonNullable<
      Awaited<ReturnType<typeof chatReader>>['seen']
    >
  }
  /** The tables that are scanned. Results that are made on the way, row by row, are scanned too, but do not count. */
  const scansOf = (steps: string[]) => {
    const made = steps.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(step)?.[1] ?? [])
    const scans = steps.flatMap((step) => /^SCAN (\w+)/.exec(step)?.[1] ?? [])
    return scans.filter((name) => !made.includes(name) && name !== 'json_each')
  }

  test.each(walked)('%s is read from its index, without sorting', async (_what, part, index) => {
    const all = await world()
    const seen = await seenBy(all)
    for (const place of [null, from]) {
      const walk = { ...everything, ...part, from: place }
      for (const page of [
        stretchOf(all.ctx.db, walk, { limit: 51 }),
        seenOf(all.ctx.db, walk, seen, 1_000, 51),
      ]) {
        const steps = await planOf(all, page)
        const searches = steps.filter((step) => step.startsWith('SEARCH') && step.includes(index))
        expect(searches.length).toBeGreaterThanOrEqual(part.channel_ids?.length ?? 1)
        expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
        expect(scansOf(steps)).toEqual([])
      }
    }
  })

  test.each(sorted)('%s is found by an index', async (_what, part, index) => {
    const all = await world()
    const steps = await planOf(all, stretchOf(all.ctx.db, { ...everything, ...part, from }, { limit: 51 }))
    expect(steps.filter((step) => step.includes(index)).length).toBeGreaterThanOrEqual(1)
    expect(scansOf(steps)).toEqual([])
  })

  test('of changes is read from conversations_by_change, without sorting', async () => {
    const all = await world()
    const seen = await seenBy(all)
    const after = { id: from.id, version: 1, changed_at: 5 }
    for (const condition of [null, seen])
      for (const at of [null, after]) {
        const steps = await planOf(all, changesSince({ account_id: 1, since: 5, after: at }, condition, 250))
        expect(steps[0]).toContain('conversations_by_change')
        expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
        expect(scansOf(steps)).toEqual([])
      }
  })
})
