import { expect, test } from 'vitest'
import { add } from '../../test/fixtures/records.ts'
import { type World, world } from '../../test/world.ts'
import { writableNoteTypes } from './note-types.ts'

const NOTES = '/web/v4/leads/notes'

interface Fault {
  path: string
  detail: string
}
const detailsOf = (answer: { body: { 'validation-errors': { errors: Fault[] }[] } }) =>
  answer.body['validation-errors'].flatMap(({ errors }) =>
    errors.map(({ path, detail }) => `${path}: ${detail}`),
  )

async function noteOn({ admin }: World, note_type: string, params: object) {
  const entity_id = await add(admin.browser, 'leads', {})
  const answer = await admin.browser.post(NOTES, [{ entity_id, note_type, params }])
  return { entity_id, id: answer.body._embedded.notes[0].id as number }
}

test('an invalid choice lists the valid ones', async () => {
  const { admin } = await world()
  const of = async (note: object) =>
    detailsOf(await admin.browser.post(NOTES, [{ entity_id: 1, params: {}, ...note }]))
  expect(await of({ note_type: 'mail' })).toEqual([
    `note_type: The value you selected is not a valid choice. It should be one of: ${writableNoteTypes.join(', ')}.`,
  ])
  expect(await of({ note_type: 'message_cashier', params: { status: 'paid', text: 'x' } })).toEqual([
    'params.status: The value you selected is not a valid choice. It should be one of: created, shown, canceled.',
  ])
  const call = { duration: 1, source: 'pbx', phone: '1', link: 'zzz' }
  expect(await of({ note_type: 'call_in', params: call })).toEqual([
    'params.link: This value is not a valid URL.',
  ])
  expect(await of({ note_type: 'common', params: { text: ' ' } })).toEqual([
    'params.text: This value should not be blank.',
  ])
})

test('a choice that is not possible here explains why', async () => {
  const here = await world()
  const { browser } = here.admin
  const { id, entity_id } = await noteOn(here, 'message_cashier', { status: 'created', text: 'Pay' })
  const at = `${NOTES}/${id}`
  await browser.patch(at, { params: { status: 'shown' } })
  expect(detailsOf(await browser.patch(at, { params: { status: 'created' } }))).toEqual([
    'params.status: The status of this message is shown and cannot be changed. Only created messages can be shown or canceled.',
  ])
  expect(detailsOf(await browser.patch(at, { note_type: 'common' }))).toEqual([
    'note_type: The type of a note cannot be changed. It is message_cashier.',
  ])
  expect(detailsOf(await browser.patch(at, { entity_id: entity_id + 1 }))).toEqual([
    `entity_id: The record of a note cannot be changed. It is ${entity_id}.`,
  ])
  expect(detailsOf(await browser.patch(at, { created_by: 999_999 }))).toEqual([
    `created_by: The value you selected is not a valid choice. It should be one of: 0, ${here.admin.id}.`,
  ])
})

test('N8: a service message that was stored with a larger limit is valid until its text changes', async () => {
  const here = await world()
  const { browser } = here.admin
  const { id } = await noteOn(here, 'service_message', { service: 'shop', text: 'x' })
  const long = 'x'.repeat(5_000)
  await here.ctx.db.transaction().execute((tx) =>
    tx
      .updateTable('notes')
      .set({ params: JSON.stringify({ service: 'shop', text: long }) })
      .where('id', '=', id)
      .execute(),
  )
  for (const params of [{ service: 'store' }, { service: 'stall', text: long }])
    expect((await browser.patch(`${NOTES}/${id}`, { params })).status).toBe(200)
  expect((await browser.get(`${NOTES}/${id}`)).body.params).toEqual({ service: 'stall', text: long })
  expect(detailsOf(await browser.patch(`${NOTES}/${id}`, { params: { text: `${long}y` } }))).toEqual([
    'params.text: This value is too long. It should have 4096 characters or less.',
  ])
})
