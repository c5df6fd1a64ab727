import { expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { upload } from '../../../test/fixtures/files.ts'
import { add, addAll } from '../../../test/fixtures/records.ts'
import { world } from '../../../test/world.ts'
import { completeRights } from '../../accounts/members/rights.ts'
import { insertRows } from '../../db/row-sets.ts'

const own = { view: 'M', edit: 'M', add: 'A', delete: 'D', export: 'D' } as const

test('GET /files/{uuid}/links names the visible records that have the file, in a note or in a field', async () => {
  const all = await world()
  const { browser } = all.admin
  const me = await all.addPerson({ rights: completeRights({ leads: own, contacts: own }) })
  const { uuid, version_uuid } = await upload(browser, 'plan', { file_name: 'plan.txt' })
  const lead = await add(browser, 'leads', { name: 'Roof', price: 20, responsible_user_id: me.id })
  const contact = await add(browser, 'contacts', { name: 'Ann' })
  const fields = await browser.post('/web/v4/contacts/custom_fields', [{ name: 'Plan', type: 'file' }])
  const value = { file_uuid: uuid, version_uuid, file_name: 'plan.txt' }
  const field = { field_id: fields.body._embedded.custom_fields[0].id, values: [{ value }] }
  await browser.patch(`/web/v4/contacts/${contact}`, { custom_fields_values: [field] })
  await browser.put(`/web/v4/leads/${lead}/files`, [{ file_uuid: uuid }])
  const gone = await add(browser, 'leads', { name: 'Gone' })
  await browser.put(`/web/v4/leads/${gone}/files`, [{ file_uuid: uuid }])
  await browser.delete(`/web/v4/leads/${gone}`)

  const { body: stored } = await browser.get(`/web/v4/leads/${lead}`)
  const holder = {
    id: lead,
    name: 'Roof',
    created_by: all.admin.id,
    main_user_id: me.id,
    date_create: stored.created_at,
    date_update: stored.updated_at,
    updated_by: all.admin.id,
    entity_type: 'leads',
    price: 20,
    pipeline_id: stored.pipeline_id,
    status_id: stored.status_id,
    closest_task_at: null,
  }
  const answer = await browser.get(`/web/v4/files/${uuid}/links`)
  expect([answer.status, answer.body.file_uuid]).toEqual([200, uuid])
  expect(answer.body.entities.map(({ entity_type, id }: typeof holder) => [entity_type, id])).toEqual([
    ['contacts', contact],
    ['leads', lead],
  ])
  expect((await me.browser.get(`/web/v4/files/${uuid}/links`)).body).toEqual({
    file_uuid: uuid,
    entities: [holder],
  })
})

test('records that a person sees are named behind many newer ones that are hidden from them', async () => {
  const all = await world()
  const { browser } = all.admin
  const me = await all.addPerson({ rights: completeRights({ leads: own }) })
  const { uuid } = await upload(browser, 'plan', { file_name: 'plan.txt' })
  const attach = async (ids: number[]) => {
    for (const id of ids) await browser.put(`/web/v4/leads/${id}/files`, [{ file_uuid: uuid }])
  }
  const mine = await add(browser, 'leads', { responsible_user_id: me.id })
  await attach([mine])
  const note = await all.ctx.db
    .selectFrom('notes')
    .selectAll()
    .where('file_uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  const hidden = [
    ...(await addAll(browser, 'leads', Array(250).fill({ name: 'Hidden' }))),
    ...(await addAll(browser, 'leads', Array(60).fill({ name: 'Hidden' }))),
  ]
  const notes = hidden.map((entity_id, i) => ({ ...note, entity_id, id: note.id + 10_000 + i }))
  await all.ctx.db.transaction().execute((tx) => insertRows(tx, 'notes', notes))
  const idsFor = async (reader: Client) =>
    (await reader.get(`/web/v4/files/${uuid}/links`)).body.entities.map(({ id }: { id: number }) => id)
  expect(await idsFor(me.browser)).toEqual([mine])
  expect(await idsFor(browser)).toEqual(hidden.toReversed().slice(0, 250))
})

test('a hidden file is reported as missing', async () => {
  const all = await world()
  const { uuid } = await upload(all.admin.browser, 'plan', { file_name: 'plan.txt' })
  const person = await all.addPerson()
  const other = await all.addPerson({ account: await all.addAccount('other'), is_admin: true })
  const at = `/web/v4/files/${uuid}/links`
  expect([
    (await all.admin.browser.get(at)).body,
    (await person.browser.get(at)).status,
    (await other.browser.get(at)).status,
    (await all.stranger.get(at)).status,
  ]).toEqual([{ file_uuid: uuid, entities: [] }, 404, 404, 401])
})
