import { expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { blobsIn } from '../../test/fixtures/files.ts'
import { upload } from '../../test/fixtures/jobs.ts'
import { add } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'
import type { JobState } from './imports/job-states.ts'

const MAX_OPEN = 100

/** An account with a draft and this many other jobs of each state. */
async function withJobs(counts: Partial<Record<JobState, number>>) {
  const all = await world()
  const { browser } = all.admin
  const lead = await add(browser, 'leads')
  const uploaded = await upload(browser, 'leads', 'Name\nRoof\n')
  expect(uploaded.status).toBe(200)
  const [job] = await all.ctx.db.selectFrom('jobs').selectAll().execute()
  const states = Object.entries(counts).flatMap(([state, count]) => Array<string>(count).fill(state))
  // Their time has not come, so nobody works on them.
  const others = states.map((state, i) => ({ ...job, id: 1_000 + i, state, due_at: 2 ** 40 }))
  await all.ctx.db.transaction().execute((tx) =>
    tx
      .insertInto('jobs')
      .values(others as never)
      .execute(),
  )
  return { ...all, browser, lead, draft: uploaded.body.id as number }
}

const change = (browser: Client, lead: number, responsible_user_id: number) =>
  browser.post('/web/v4/jobs/bulk_changes', {
    ...{ entity_type: 'leads', ids: [lead] },
    changes: { responsible_user_id },
  })

async function countOf({ ctx }: Pick<World, 'ctx'>, state: JobState): Promise<number> {
  return (await ctx.db.selectFrom('jobs').select('id').where('state', '=', state).execute()).length
}

test('An account has a hundred drafts of imports at most, which keep nobody from a bulk change', async () => {
  const all = await withJobs({ draft: MAX_OPEN - 2 })
  const { browser, lead, admin, folder } = all
  const begun = await Promise.all([1, 2, 3].map(() => upload(browser, 'leads', 'Name\nRoof\n')))
  expect(begun.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const [refused] = begun.filter(({ status }) => status === 409)
  expect(refused?.body).toMatchObject({
    type: expect.stringMatching(/#job_limit$/),
    detail:
      'The account has the maximum number of imports that are not started. Start or cancel one of them.',
  })
  expect(await countOf(all, 'draft')).toBe(MAX_OPEN)
  expect(blobsIn(folder).length).toBeLessThanOrEqual(2)
  expect((await change(browser, lead, admin.id)).status).toBe(200)
})

test('An account has a hundred jobs in progress at most, also if many begin at the same time', async () => {
  const { browser, lead, admin, draft } = await withJobs({ waiting: MAX_OPEN - 2, running: 1 })
  const mapped = await browser.patch(`/web/v4/jobs/${draft}`, { mapping: [{ column: 0, target: 'name' }] })
  expect(mapped.status).toBe(200)
  const begun = await Promise.all([
    ...[1, 2, 3].map(() => change(browser, lead, admin.id)),
    browser.post(`/web/v4/jobs/${draft}/start`),
  ])
  expect(begun.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  for (const { body } of begun.filter(({ status }) => status === 409))
    expect(body.type).toMatch(/#job_limit$/)
  // A draft can still be made, and started later.
  expect((await upload(browser, 'leads', 'Name\nRoof\n')).status).toBe(200)
})
