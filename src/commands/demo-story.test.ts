import { expect, test } from 'vitest'
import { log } from '../../test/records.ts'
import { world } from '../../test/world.ts'
import { findActor } from '../accounts/accounts.ts'
import { tellStory } from './demo-story.ts'

test('the demo shop has two hundred leads with fields, tags and tasks, and a log that is true of them', async () => {
  const { ctx, admin, account, clock } = await world()
  const at = { account_id: account.id, user_id: admin.id }
  const actor = await findActor(ctx, at, { integration: null, request_id: 'demo', address: '127.0.0.1' })
  if (!actor) throw new Error('no actor')
  await tellStory(ctx, actor)
  const read = async (path: string) => (await admin.browser.get(`/web/v4/${path}`)).body._embedded
  const { leads } = await read('leads?limit=250&with=contacts')
  expect([leads.length, (await read('contacts?limit=250')).contacts.length]).toEqual([200, 120])
  expect([(await read('leads/pipelines')).pipelines.length, (await read('users')).users.length]).toEqual([
    2, 4,
  ])
  expect(
    leads.every((lead: { custom_fields_values: object[] }) => lead.custom_fields_values.length === 5),
  ).toBe(true)
  const { tasks } = await read('tasks?limit=250')
  const done = tasks.filter((task: { is_completed: boolean }) => task.is_completed)
  expect([tasks.length > 50, done.length > 20]).toEqual([true, true])

  const notes = (await read('leads/notes?limit=250&filter[note_type]=common,call_in,call_out,sms_out')).notes
  expect(notes.length > 100).toBe(true)

  const rows = await ctx.db.selectFrom('events').select(['id', 'created_at']).orderBy('id').execute()
  const times = rows.map(({ created_at }) => created_at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect([(times.at(-1) as number) <= clock.now(), clock.now() - (times[0] as number) > 35 * 86_400]).toEqual(
    [true, true],
  )
  // Where each lead stands is where the last of its events put it.
  const moved = (await log(ctx)).filter(({ type }) => type === 'lead_status_changed')
  const last = new Map(moved.map(({ entity, after }) => [entity[1], after[0]]))
  for (const { id, status_id, pipeline_id } of leads)
    if (last.has(id)) expect(last.get(id)).toEqual({ lead_status: { id: status_id, pipeline_id } })
  expect(last.size > 100).toBe(true)
})
