import { describe, expect, test } from 'vitest'
import { imported, moved, upload } from '../../test/fixtures/jobs.ts'
import { add, addAll } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'

const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const
const closed = { view: 'D', edit: 'D', add: 'D', delete: 'D', export: 'D' } as const
const rights = (contacts: object) => ({ leads: closed, contacts, companies: closed }) as never

describe('A job', () => {
  test('is visible only to its person and administrators', async () => {
    const here = await world()
    const mona = await here.addPerson({ name: 'Mona', rights: rights(own) })
    const dan = await here.addPerson({ name: 'Dan', rights: rights(own) })
    const other = await here.addPerson({
      name: 'Olga',
      account: await here.addAccount('other'),
      is_admin: true,
    })
    const draft = (await upload(mona.browser, 'contacts', 'Name\nAnn\n')).body
    const at = `/web/v4/jobs/${draft.id}`
    for (const person of [dan, other]) {
      const answers = await Promise.all([
        person.browser.get(at),
        person.browser.patch(at, { mapping: [] }),
        person.browser.get(`${at}/preview`),
        person.browser.get(`${at}/failures`),
        person.browser.get(`${at}/failures?format=csv`),
        person.browser.post(`${at}/start`),
        person.browser.post(`${at}/cancel`),
        person.browser.post(`${at}/undo`),
      ])
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(404))
      expect((await person.browser.get('/web/v4/jobs')).status).toBe(204)
    }
    for (const person of [mona, here.admin])
      expect((await person.browser.get('/web/v4/jobs')).body._embedded.jobs).toMatchObject([{ id: draft.id }])
    expect((await mona.browser.get(at)).body.state).toBe('draft')
    expect((await here.stranger.get(at)).status).toBe(401)
  })

  test('that imports requires the right to add, at the start and while it runs', async () => {
    const here = await world()
    const dan = await here.addPerson({ name: 'Dan', rights: rights(closed) })
    expect((await upload(dan.browser, 'contacts', 'Name\nAnn\n')).status).toBe(403)
    const mona = await here.addPerson({ name: 'Mona', rights: rights(own) })
    expect((await upload(mona.browser, 'leads', 'Name\nAnn\n')).status).toBe(403)
    const draft = (await upload(mona.browser, 'contacts', 'Name\nAnn\n')).body
    expect((await mona.browser.post(`/web/v4/jobs/${draft.id}/start`)).status).toBe(200)
    await here.admin.browser.patch(`/web/v4/users/${mona.id}`, { rights: rights(closed) })
    await here.app.runner.runDue()
    expect((await mona.browser.get(`/web/v4/jobs/${draft.id}`)).body).toMatchObject({
      state: 'failed',
      error: 'forbidden',
      added: 0,
    })
    const late = (await upload(here.admin.browser, 'contacts', 'Name\nAnn\n')).body
    expect((await mona.browser.post(`/web/v4/jobs/${late.id}/start`)).status).toBe(404)
  })

  test('reveals nothing of hidden records and does not change protected ones', async () => {
    const here = await world()
    const mona = await here.addPerson({ name: 'Mona', rights: rights({ ...own, edit: 'D', delete: 'D' }) })
    const phone = (value: string) => [{ field_code: 'PHONE', values: [{ value }] }]
    const [hidden, hers] = await addAll(here.admin.browser, 'contacts', [
      { name: 'Hidden', custom_fields_values: phone('+15550101') },
      { name: 'Hers', responsible_user_id: mona.id, custom_fields_values: phone('+15550102') },
    ])
    const csv = `Name,Phone\nNew,+15550101\nChanged,+15550102\n`
    const update = { duplicates: { match: ['phone'], action: 'update' } }
    const job = await imported(here, mona.browser, 'contacts', csv, update)
    expect(job).toMatchObject({ added: 1, changed: 0, failed: 1 })
    const byId = await imported(here, mona.browser, 'contacts', `id,Name\n${hidden},Taken\n`, {
      mapping: [
        { column: 0, target: 'id' },
        { column: 1, target: 'name' },
      ],
      duplicates: { match: ['id'], action: 'update' },
    })
    expect(byId).toMatchObject({ added: 0, failed: 1 })
    const shown = async (id: unknown) => (await here.admin.browser.get(`/web/v4/contacts/${id}`)).body.name
    expect([await shown(hidden), await shown(hers)]).toEqual(['Hidden', 'Hers'])
  })

  test('is undone with the rights of the person who requests it', async () => {
    const here = await world()
    const mona = await here.addPerson({ name: 'Mona', rights: rights({ ...own, delete: 'D' }) })
    const job = await imported(here, mona.browser, 'contacts', 'Name\nAnn\n')
    expect(await moved(here, mona.browser, job.id, 'undo')).toMatchObject({
      state: 'undone',
      undone: 0,
      kept: 1,
    })
    const again = await imported(here, mona.browser, 'contacts', 'Name\nBob\n')
    expect(await moved(here, here.admin.browser, again.id, 'undo')).toMatchObject({ undone: 1, kept: 0 })
  })

  test('changes the records that its person can change, and reports the others', async () => {
    const here = await world()
    const mona = await here.addPerson({ name: 'Mona', rights: rights(own) })
    const foreign = await add(here.admin.browser, 'contacts', { name: 'Foreign' })
    const hers = await add(mona.browser, 'contacts', { name: 'Hers' })
    const { body } = await mona.browser.post('/web/v4/jobs/bulk_changes', {
      entity_type: 'contacts',
      ids: [foreign, hers, 99_999],
      changes: { tags_to_add: ['vip'] },
    })
    await here.app.runner.runDue()
    expect((await mona.browser.get(`/web/v4/jobs/${body.id}`)).body).toMatchObject({
      state: 'done',
      changed: 1,
      failed: 2,
    })
    const { failures } = (await mona.browser.get(`/web/v4/jobs/${body.id}/failures`)).body._embedded
    const [first, second] = failures
    expect(first.faults).toEqual(second.faults)
  })

  test('that changes records requires the right on some of them before anything is stored', async () => {
    const here = await world()
    const mona = await here.addPerson({ name: 'Mona', rights: rights({ ...own, delete: 'D' }) })
    const id = await add(mona.browser, 'contacts', { name: 'Hers' })
    const begin = async (entity_type: string, changes: object) =>
      (await mona.browser.post('/web/v4/jobs/bulk_changes', { entity_type, ids: [id], changes })).status
    expect([
      await begin('leads', { tags_to_add: ['vip'] }),
      await begin('contacts', { delete: true }),
      await begin('contacts', { tags_to_add: ['vip'] }),
    ]).toEqual([403, 403, 200])
    expect((await mona.browser.get('/web/v4/jobs')).body._embedded.jobs).toHaveLength(1)
  })
})
