import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { client } from '../../test/client.ts'
import { faultsOf } from '../../test/faults.ts'
import { add, addAll, log } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'

const hello = { note_type: 'common', params: { text: 'Hello' } }
const callOf = (uniq: string) => ({
  note_type: 'call_in',
  params: { uniq, duration: 1, source: 'x', phone: '1' },
})

/** One person at two processes with one database. On SQLite there is one process. */
async function twoProcesses() {
  const all = await world()
  const second = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : { app: all.app }
  const one = all.admin.browser
  const two = client(second.app.http, one.identity)
  return { ...all, one, two }
}

describe('Concurrent writes of notes', () => {
  test('keep both changes of one note', async () => {
    const { one, two } = await twoProcesses()
    const lead = await add(one, 'leads')
    for (let round = 0; round < 15; round++) {
      const call = callOf(`u-${round}`)
      const id = await add(one, `leads/${lead}/notes`, call)
      const answers = await Promise.all([
        one.patch(`/web/v4/leads/notes/${id}`, { params: { duration: 60 } }),
        two.patch(`/web/v4/leads/${lead}/notes/${id}`, { params: { call_status: 4 } }),
        two.patch('/web/v4/leads/notes', [{ id, params: { source: 'y' } }]),
        one.post(`/web/v4/leads/notes/${id}/pin`),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204])
      const note = (await one.get(`/web/v4/leads/notes/${id}?with=is_pinned`)).body
      expect([note.params, note.is_pinned]).toEqual([
        { ...call.params, duration: 60, source: 'y', call_status: 4 },
        true,
      ])
    }
  })

  test('let a deletion win against changes, once and permanently', async () => {
    const { one, two, ctx } = await twoProcesses()
    const lead = await add(one, 'leads')
    for (let round = 0; round < 15; round++) {
      const id = await add(one, `leads/${lead}/notes`, hello)
      const [changed, pinned, ...deleted] = await Promise.all([
        two.patch(`/web/v4/leads/notes/${id}`, { params: { text: 'New' } }),
        two.post(`/web/v4/leads/notes/${id}/pin`),
        one.delete(`/web/v4/leads/notes/${id}`),
        two.delete(`/web/v4/leads/notes/${id}`),
      ])
      expect([200, 404]).toContain(changed.status)
      expect([204, 404]).toContain(pinned.status)
      expect(deleted.map(({ status }) => status).sort()).toEqual([204, 404])
      expect((await one.get(`/web/v4/leads/notes/${id}`)).status).toBe(404)
      const recorded = (await log(ctx)).filter(({ after }) => isDeepStrictEqual(after, [{ note: { id } }]))
      expect(recorded.map(({ type }) => type).sort()).toEqual(['common_note_added', 'common_note_deleted'])
    }
  })

  test('either show or cancel a message to the cashier', async () => {
    const { one, two } = await twoProcesses()
    const lead = await add(one, 'leads')
    for (let round = 0; round < 15; round++) {
      const message = { note_type: 'message_cashier', params: { text: 'Take 5', status: 'created' } }
      const id = await add(one, `leads/${lead}/notes`, message)
      const move = (status: string) => ({ params: { status } })
      const answers = await Promise.all([
        one.patch(`/web/v4/leads/notes/${id}`, move('shown')),
        two.patch(`/web/v4/leads/notes/${id}`, move('canceled')),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      const won = answers.find(({ status }) => status === 200)
      expect((await one.get(`/web/v4/leads/notes/${id}`)).body).toEqual(won?.body)
    }
  })

  test('wait for each other without a deadlock if batches have opposite orders', async () => {
    const { one, two } = await twoProcesses()
    const leads = await addAll(one, 'leads', Array(10).fill({}))
    const ids = await addAll(
      one,
      'leads/notes',
      leads.map((entity_id) => ({ ...hello, entity_id })),
    )
    for (let round = 1; round <= 5; round++) {
      const patches = ids.map((id) => ({ id, params: { text: `${round}` } }))
      const answers = await Promise.all([
        one.patch('/web/v4/leads/notes', patches),
        two.patch('/web/v4/leads/notes', patches.toReversed()),
        two.post(
          '/web/v4/leads/notes',
          leads.toReversed().map((entity_id) => ({ ...hello, entity_id })),
        ),
        one.patch(
          '/web/v4/leads',
          leads.toReversed().map((id) => ({ id, price: round })),
        ),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
  })

  test('store one note for several requests with the same call', async () => {
    const { one, two, ctx } = await twoProcesses()
    const leads = await addAll(one, 'leads', Array(4).fill({}))
    for (let round = 0; round < 10; round++) {
      const [first, second] = [callOf(`a-${round}`), callOf(`b-${round}`)]
      const known = (await log(ctx)).length
      const answers = await Promise.all(
        leads.map((lead, i) =>
          (i % 2 === 0 ? one : two).post(
            `/web/v4/leads/${lead}/notes`,
            i < 2 ? [first, second] : [second, first],
          ),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
      for (const answer of answers.filter(({ status }) => status === 400))
        expect(faultsOf(answer)).toEqual([400, '0 NotUnique params.uniq', '1 NotUnique params.uniq'])
      expect((await log(ctx)).length).toBe(known + 2)
    }
  })

  test('during a merge end up on the remaining record', async () => {
    const { one, two } = await twoProcesses()
    for (let round = 0; round < 10; round++) {
      const [stays, goes] = (await addAll(one, 'leads', [{}, {}])) as [number, number]
      const id = await add(one, `leads/${goes}/notes`, hello)
      const [merged, changed, added] = await Promise.all([
        one.post('/web/v4/leads/merge', { id: stays, merge: [goes] }),
        two.patch(`/web/v4/leads/notes/${id}`, { params: { text: 'New' } }),
        two.post(`/web/v4/leads/${goes}/notes`, [hello]),
      ])
      expect([merged.status, changed.status]).toEqual([200, 200])
      expect([200, 404]).toContain(added.status)
      const notes = (await one.get(`/web/v4/leads/${stays}/notes?filter[note_type]=common`)).body._embedded
        .notes
      expect(notes.length).toBe(added.status === 200 ? 2 : 1)
      expect(notes[0].params).toEqual({ text: 'New' })
      expect((await one.get(`/web/v4/leads/notes?filter[entity_id]=${goes}`)).body._embedded.notes).toEqual(
        [],
      )
    }
  })
})
