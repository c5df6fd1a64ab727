import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { someoneWaits } from '../../../test/databases/lock-waits.ts'
import { addIncoming } from '../../../test/fixtures/incoming-leads.ts'
import { upload } from '../../../test/fixtures/jobs.ts'
import { mainPipeline } from '../../../test/fixtures/pipelines.ts'
import { add } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { lockRecords } from '../../entities/entities.ts'

/** Runs what is due while another writer has a contact and goes on to its lead, as all writers do. */
async function besideWriter({ ctx, account, app }: World, contact: number, lead: number): Promise<void> {
  let running: Promise<void> | undefined
  await ctx.db.transaction().execute(async (tx) => {
    await lockRecords(tx, account.id, [{ entity_type: 'contacts', id: contact }])
    running = app.runner.runDue()
    await someoneWaits(ctx)
    await sql`set local lock_timeout = 100`.execute(tx)
    await lockRecords(tx, account.id, [{ entity_type: 'leads', id: lead }])
  })
  await running
}

const jobsOf = async ({ admin }: World) =>
  (await admin.browser.get('/web/v4/jobs')).body._embedded.jobs.map(
    ({ state, changed }: { state: string; changed: number }) => [state, changed],
  )

/** Only PostgreSQL has concurrent writers. */
describe.runIf(process.env.TEST_DATABASE === 'postgres')('A job beside other writers', () => {
  test('locks the people of incoming leads before the leads', async () => {
    const here = await world()
    const { lead, contact } = await addIncoming(here.admin.browser)
    const { id: pipeline_id, _embedded } = await mainPipeline(here)
    const status = { pipeline_id, status_id: _embedded.statuses[2]?.id }
    const asked = { entity_type: 'leads', ids: [lead], changes: { status } }
    await here.admin.browser.post('/web/v4/jobs/bulk_changes', asked)
    await besideWriter(here, contact, lead)
    expect(await jobsOf(here)).toEqual([['done', 1]])
  })

  test('locks the contacts that an import names before its leads', async () => {
    const here = await world()
    const { browser } = here.admin
    const contact = await add(browser, 'contacts', { name: 'Ann' })
    const lead = await add(browser, 'leads', { name: 'Roof' })
    const draft = await upload(browser, 'leads', `ID,Lead name,Contact name\n${lead},Wall,Ann`)
    const at = `/web/v4/jobs/${draft.body.id}`
    const mapping = ['id', 'name', 'contact.name'].map((target, column) => ({ column, target }))
    const setup = { mapping, duplicates: { match: ['id'], action: 'update' } }
    for (const answer of [await browser.patch(at, setup), await browser.post(`${at}/start`)])
      expect([answer.status, answer.body.state]).toEqual([200, expect.any(String)])
    await besideWriter(here, contact, lead)
    expect(await jobsOf(here)).toEqual([['done', 1]])
  })
})
