import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { imported, moved } from '../../../test/fixtures/jobs.ts'
import { add, addAll, log } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'

const names = async ({ admin }: World, kind: string) =>
  ((await admin.browser.get(`/web/v4/${kind}?limit=250`)).body?._embedded[kind] ?? []).map(
    ({ name }: { name: string }) => name,
  )

describe('Undoing an import', () => {
  test('moves added records to the trash, together with their related records', async () => {
    const here = await world()
    const { browser } = here.admin
    await add(browser, 'companies', { name: 'Acme' })
    const csv = 'Deal,Contact,Phone,Company\nOne,Ann,+1 555 0101,ACME\nTwo,Ann,+1 555 0101,New Ltd\n'
    const job = await imported(here, browser, 'leads', csv)
    expect(job).toMatchObject({ added: 2, failed: 0 })
    expect([
      await names(here, 'leads'),
      await names(here, 'contacts'),
      await names(here, 'companies'),
    ]).toEqual([['One', 'Two'], ['Ann'], ['Acme', 'New Ltd']])
    const undone = await moved(here, browser, job.id, 'undo')
    expect(undone).toMatchObject({ state: 'undone', undone: 2, kept: 0, can_undo: false })
    expect([
      await names(here, 'leads'),
      await names(here, 'contacts'),
      await names(here, 'companies'),
    ]).toEqual([[], [], ['Acme']])
    expect((await log(here.ctx)).filter(({ type }) => type === 'lead_deleted')).toHaveLength(2)
  })

  test('keeps related records if the record stays', async () => {
    const here = await world()
    const all = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' } as const
    const mona = await here.addPerson({
      name: 'Mona',
      rights: { leads: { ...all, delete: 'D' }, contacts: all, companies: all } as never,
    })
    const csv = 'Deal,Contact,Phone\nOne,Ann,+1 555 0101\n'
    const job = await imported(here, mona.browser, 'leads', csv)
    expect(job).toMatchObject({ added: 1 })
    expect(await moved(here, mona.browser, job.id, 'undo')).toMatchObject({ undone: 0, kept: 1 })
    expect([await names(here, 'leads'), await names(here, 'contacts')]).toEqual([['One'], ['Ann']])
  })

  test('restores values that nobody has changed since', async () => {
    const here = await world()
    const { browser } = here.admin
    const { ids } = await fieldIds(here)
    const values = (value: string) => [{ field_id: ids.POSITION, values: [{ value }] }]
    const [ann, bob] = await addAll(browser, 'contacts', [
      { name: 'Ann', custom_fields_values: values('CEO'), _embedded: { tags: [{ name: 'old' }] } },
      { name: 'Bob', custom_fields_values: values('CTO') },
    ])
    const csv = `id,Name,Position,Tags\n${ann},Anna,Boss,"new, fresh"\n${bob},Rob,Chief,\n`
    const update = { duplicates: { match: ['id'], action: 'update' } }
    const job = await imported(here, browser, 'contacts', csv, update)
    expect(job).toMatchObject({ changed: 2, failed: 0 })
    await browser.patch(`/web/v4/contacts/${bob}`, { name: 'Robert' })
    const undone = await moved(here, browser, job.id, 'undo')
    expect(undone).toMatchObject({ state: 'undone', undone: 1, kept: 1 })
    const shown = async (id: unknown) => (await browser.get(`/web/v4/contacts/${id}`)).body
    expect(await shown(ann)).toMatchObject({
      name: 'Ann',
      custom_fields_values: [{ values: [{ value: 'CEO' }] }],
      _embedded: { tags: [{ name: 'old' }] },
    })
    expect(await shown(bob)).toMatchObject({
      name: 'Robert',
      custom_fields_values: [{ values: [{ value: 'CTO' }] }],
    })
    const { failures } = (await browser.get(`/web/v4/jobs/${job.id}/failures`)).body._embedded
    expect(failures).toMatchObject([
      { row: 2, outcome: 'kept', entity_id: bob, faults: [{ detail: expect.stringMatching(/name/) }] },
    ])
  })

  onEmbedded('restores a record that several rows changed', async () => {
    const here = await world()
    const { browser } = here.admin
    const csv = 'Name,Phone\nA,+15550101\nB,+15550101\nC,+15550101\n'
    const id = await add(browser, 'contacts', {
      name: 'First',
      custom_fields_values: [{ field_code: 'PHONE', values: [{ value: '+15550101' }] }],
    })
    const update = { duplicates: { match: ['phone'], action: 'update' } }
    const job = await imported(here, browser, 'contacts', csv, update)
    expect(job).toMatchObject({ changed: 3 })
    expect(await moved(here, browser, job.id, 'undo')).toMatchObject({ undone: 3, kept: 0 })
    expect((await browser.get(`/web/v4/contacts/${id}`)).body.name).toBe('First')
  })

  onEmbedded('is refused twice, for a draft, and after the time limit', async () => {
    const here = await world()
    const { browser } = here.admin
    const job = await imported(here, browser, 'contacts', 'Name\nA\n')
    const late = await imported(here, browser, 'contacts', 'Name\nB\n')
    await moved(here, browser, job.id, 'undo')
    expect((await browser.post(`/web/v4/jobs/${job.id}/undo`)).status).toBe(409)
    here.clock.advance(31 * 24 * 3_600)
    const again = await here.signIn(here.admin)
    expect((await again.post(`/web/v4/jobs/${late.id}/undo`)).status).toBe(409)
    for (const { name, run } of here.app.chores) if (name === 'old imports and bulk changes') await run()
    expect((await again.get(`/web/v4/jobs/${late.id}`)).status).toBe(404)
    expect(await here.ctx.db.selectFrom('job_rows').selectAll().execute()).toEqual([])
  })
})

async function fieldIds({ admin }: World): Promise<{ ids: Record<string, number> }> {
  const { body } = await admin.browser.get('/web/v4/contacts/custom_fields')
  const fields: { code: string; id: number }[] = body._embedded.custom_fields
  return { ids: Object.fromEntries(fields.map(({ code, id }) => [code, id])) }
}
