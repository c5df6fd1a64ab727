import { expect, test } from 'vitest'
import { blobsIn } from '../../test/fixtures/files.ts'
import { upload } from '../../test/fixtures/jobs.ts'
import { add } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'

const MAX_OPEN = 100

test('An account has a hundred open jobs at most, also if many begin at the same time', async () => {
  const { admin, ctx, folder } = await world()
  const { browser } = admin
  const lead = await add(browser, 'leads')
  expect((await upload(browser, 'leads', 'Name\nRoof\n')).status).toBe(200)
  const [job] = await ctx.db.selectFrom('jobs').selectAll().execute()
  const others = Array.from({ length: MAX_OPEN - 2 }, (_, i) => ({ ...job, id: 1_000 + i }))
  await ctx.db.transaction().execute((tx) =>
    tx
      .insertInto('jobs')
      .values(others as never)
      .execute(),
  )
  const begun = await Promise.all([
    ...[1, 2, 3].map(() => upload(browser, 'leads', 'Name\nRoof\n')),
    ...[1, 2, 3].map(() =>
      browser.post('/web/v4/jobs/bulk_changes', {
        entity_type: 'leads',
        ids: [lead],
        changes: { responsible_user_id: admin.id },
      }),
    ),
  ])
  const refused = begun.filter(({ status }) => status === 409)
  expect(begun.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
  for (const { body } of refused) expect(body.type).toMatch(/#job_limit$/)
  const jobs = await ctx.db.selectFrom('jobs').select('kind').execute()
  expect(jobs).toHaveLength(MAX_OPEN)
  expect(blobsIn(folder).length).toBeLessThanOrEqual(2)
})
