import { expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { upload } from '../../../test/fixtures/jobs.ts'
import { type World, world } from '../../../test/world.ts'

const WEEK = 7 * 24 * 3_600

/** The draft of an import as it is stored. */
const settingsOf = async ({ ctx }: World, id: number) =>
  JSON.parse(
    (await ctx.db.selectFrom('jobs').select('settings').where('id', '=', id).executeTakeFirstOrThrow())
      .settings,
  )

test('a change of a draft cannot name another file, and its upkeep deletes only its own', async () => {
  const here = await world()
  const other = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
  const theirs = (await upload(other.browser, 'contacts', 'Name\nTheir secret\n')).body
  const { file } = await settingsOf(here, theirs.id)
  const own = (await upload(here.admin.browser, 'contacts', 'Name\nAnn\n')).body
  const before = await settingsOf(here, own.id)
  const defaults = { tags: ['new'], file, created_by: other.id }
  const changed = await here.admin.browser.patch(`/web/v4/jobs/${own.id}`, {
    ...{ file, columns: ['x'], rows: [['y']] },
    ...{
      duplicates: { match: [], action: 'add', file },
      mapping: [{ column: 0, target: 'name', file }],
      defaults,
    },
  })
  expect(changed.status).toBe(200)
  expect(await settingsOf(here, own.id)).toEqual({
    ...before,
    duplicates: { match: [], action: 'add' },
    mapping: [{ column: 0, target: 'name' }],
    defaults: { tags: ['new'] },
  })
  const preview = await here.admin.browser.get(`/web/v4/jobs/${own.id}/preview`)
  expect(preview.body._embedded.rows).toMatchObject([{ written: { name: 'Ann' } }])

  here.clock.advance(WEEK - 60)
  const later = await here.signIn(other)
  await later.patch(`/web/v4/jobs/${theirs.id}`, { dates: 'mdy' })
  here.clock.advance(120)
  for (const { name, run } of here.app.chores) if (name === 'old imports and bulk changes') await run()
  const left = await here.ctx.db.selectFrom('jobs').select('id').execute()
  expect(left).toEqual([{ id: theirs.id }])
  const kept = await later.get(`/web/v4/jobs/${theirs.id}/preview`)
  expect(kept.body._embedded?.rows).toMatchObject([{ written: { name: 'Their secret' } }])
})

onEmbedded('an unknown parameter of the failures is ignored', async () => {
  const { admin } = await world()
  const { id } = (await upload(admin.browser, 'contacts', 'Name\nAnn\n')).body
  const answer = await admin.browser.get(`/web/v4/jobs/${id}/failures?of=x`)
  expect([answer.status, answer.body._embedded]).toEqual([204, { failures: [] }])
})
