import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { stretchOfTalks, type TalkWalk } from './talk-queries.ts'

const everything: TalkWalk = {
  account_id: 1,
  ids: null,
  contact_ids: null,
  lead_ids: null,
  lead_seen: null,
  is_open: false,
  among: null,
  before: 9,
}
const sorts = (steps: string[]) => steps.filter((step) => step.includes('TEMP B-TREE'))

/** The embedded database plans without having counted, so its plans are the same for ten rows and for a million. */
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('A page of talks', () => {
  const planOf = async (part: Partial<TalkWalk>): Promise<string[]> => {
    const { ctx } = await world()
    const query = stretchOfTalks(ctx.db, { ...everything, ...part }, { limit: 51 }).compile(ctx.db)
    const explain = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])
    return (await ctx.db.executeQuery<{ detail: string }>(explain)).rows.map(({ detail }) => detail)
  }

  test.each<[string, Partial<TalkWalk>, string]>([
    ['all talks', {}, 'PRIMARY KEY'],
    ['open talks', { is_open: true }, 'talks_open'],
  ])('%s are read from their index, without sorting', async (_what, part, index) => {
    const steps = await planOf(part)
    expect(steps[0]).toContain(index)
    expect(sorts(steps)).toEqual([])
  })

  test.each<[string, Partial<TalkWalk>, string]>([
    ['talks of contacts', { contact_ids: [1] }, 'talks_by_contact'],
    ['talks of leads', { lead_ids: [1] }, 'talks_by_lead'],
    ['open talks of a contact', { contact_ids: [1], is_open: true }, 'talks_by_contact'],
    ['talks of a person who sees few', { among: { leads: [1], contacts: [2] } }, 'talks_by_conversation'],
  ])('%s are found by an index', async (_what, part, index) => {
    expect((await planOf(part)).join('\n')).toContain(index)
  })
})
