import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { blobsIn } from '../../../test/fixtures/files.ts'
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

describe('The upkeep of files of imports', () => {
  const sweep = async ({ app }: World) => {
    for (const { name, run } of app.chores) if (name === 'files of imports without a job') await run()
  }
  const filesIn = ({ folder }: World) => blobsIn(folder).filter((key) => key.startsWith('imports/'))

  test('deletes what a killed process left without a job, and nothing that a job or a request needs', async () => {
    const here = await world()
    const { ctx, clock, admin, account } = here
    const kept = (await upload(admin.browser, 'contacts', 'Name\nAnn\n')).body
    const { file } = await settingsOf(here, kept.id)
    const store = (name: string) =>
      ctx.files.put(`imports/${account.id}/${name}/0`, Readable.from(['Name\nAl\n']), 100)
    await store('lost')
    await ctx.files.put('imports/999999/lost/0', Readable.from(['x']), 100)
    await ctx.files.put('imports/readme', Readable.from(['x']), 100)
    await sweep(here)
    expect(filesIn(here)).toHaveLength(4)
    clock.advance(599)
    await store('new')
    await sweep(here)
    expect(filesIn(here)).toHaveLength(5)
    clock.advance(1)
    await sweep(here)
    expect(filesIn(here).sort()).toEqual(
      [file.blobs[0].key, `imports/${account.id}/new/0`, 'imports/readme'].sort(),
    )
  })

  test('deletes the file of an ended job, which a kill kept', async () => {
    const here = await world()
    const { id } = (await upload(here.admin.browser, 'contacts', 'Name\nAnn\n')).body
    await here.ctx.db
      .transaction()
      .execute((tx) =>
        tx.updateTable('jobs').set({ state: 'cancelled', finished_at: 1 }).where('id', '=', id).execute(),
      )
    await sweep(here)
    here.clock.advance(600)
    await sweep(here)
    expect(filesIn(here)).toEqual([])
  })
})

onEmbedded('an unknown parameter of the failures is ignored', async () => {
  const { admin } = await world()
  const { id } = (await upload(admin.browser, 'contacts', 'Name\nAnn\n')).body
  const answer = await admin.browser.get(`/web/v4/jobs/${id}/failures?of=x`)
  expect([answer.status, answer.body._embedded]).toEqual([204, { failures: [] }])
})
