import { describe, expect, test } from 'vitest'
import type { Answer } from '../../test/client.ts'
import { onEmbedded } from '../../test/databases/on-embedded.ts'
import { faultsOf } from '../../test/faults.ts'
import { add, log, traces } from '../../test/fixtures/records.ts'
import { BEGINNING, type World, world } from '../../test/world.ts'

const V4 = 'http://demo.localhost:8080/web/v4'
const hello = { note_type: 'common', params: { text: 'Hello' } }
const call = { duration: 61, source: 'exchange', phone: '1' }

async function withNote(draft: object = hello) {
  const all = await world()
  const { browser } = all.admin
  const lead = await add(browser, 'leads', { name: 'Roof' })
  const notes = `/web/v4/leads/${lead}/notes`
  const addOne = (draft: object = hello) => add(browser, `leads/${lead}/notes`, draft)
  const id = await addOne(draft)
  const note = `/web/v4/leads/notes/${id}`
  const read = async (at = id) => (await browser.get(`/web/v4/leads/notes/${at}`)).body
  const edit = (patch: object) => browser.patch(note, patch)
  all.clock.advance(60)
  return { ...all, browser, lead, notes, note, id, addOne, read, edit }
}

async function recorded({ ctx }: World, act: () => Promise<unknown>) {
  const known = (await log(ctx)).length
  await act()
  return (await log(ctx)).slice(known).map(({ type, entity, after }) => [type, entity, after])
}

const linkOf = (lead: number, id: number) => ({ self: { href: `${V4}/leads/${lead}/notes/${id}` } })
const statusOf = ({ status }: Answer) => status

describe('Editing a note', () => {
  test('returns the whole note, for each form of the address', async () => {
    const { browser, lead, id, read, admin, account } = await withNote()
    for (const path of [`leads/${lead}/notes/${id}`, `leads/notes/${id}`]) {
      const answer = await browser.patch(`/web/v4/${path}`, { params: { text: path } })
      const note = {
        id,
        entity_id: lead,
        created_by: admin.id,
        updated_by: admin.id,
        created_at: BEGINNING,
        updated_at: BEGINNING + 60,
        responsible_user_id: admin.id,
        group_id: 0,
        note_type: 'common',
        params: { text: path },
        account_id: account.id,
        _links: linkOf(lead, id),
      }
      expect([answer.status, answer.body]).toEqual([200, note])
      expect(await read()).toEqual(note)
    }
  })

  test('changes several at once, of any record or of one', async () => {
    const { browser, lead, id, addOne, notes, read } = await withNote()
    const other = await add(browser, 'leads')
    const [second, far] = [await addOne(), await add(browser, `leads/${other}/notes`, hello)]
    const shown = (of: number, note: number) => ({
      id: note,
      entity_id: of,
      updated_at: BEGINNING + 60,
      _links: linkOf(of, note),
    })
    const any = await browser.patch('/web/v4/leads/notes', [
      { id: far, entity_id: other, params: { text: 'A' } },
      { id, params: { text: 'B' }, request_id: 5 },
    ])
    expect([any.status, any.body]).toEqual([
      200,
      {
        _links: { self: { href: `${V4}/leads/notes` } },
        _embedded: { notes: [shown(other, far), shown(lead, id)] },
      },
    ])
    const one = await browser.patch(notes, [
      { id: second, params: { text: 'C' } },
      { id, params: { text: 'D' } },
    ])
    expect(one.body).toEqual({
      _links: { self: { href: `http://demo.localhost:8080${notes}` } },
      _embedded: { notes: [shown(lead, second), shown(lead, id)] },
    })
    const texts = [await read(far), await read(), await read(second)].map(({ params }) => params.text)
    expect(texts).toEqual(['A', 'D', 'C'])
  })

  test('keeps the params that are not given', async () => {
    const { edit, read } = await withNote({ note_type: 'call_in', params: { uniq: 'u', ...call } })
    const body = (await edit({ params: { link: 'https://x.example/1.mp3', call_status: 4, other: 1 } })).body
    expect(body.params).toEqual({ uniq: 'u', ...call, link: 'https://x.example/1.mp3', call_status: 4 })
    expect(await read()).toEqual(body)
  })

  test('accepts the author and time of the change', async () => {
    const { edit, read, addPerson } = await withNote()
    const ann = (await addPerson()).id
    const written = { created_by: 0, updated_by: ann, created_at: 1, updated_at: 2, responsible_user_id: ann }
    expect((await edit(written)).body).toMatchObject(written)
    expect(await read()).toMatchObject({ ...written, params: { text: 'Hello' } })
  })

  test('without a difference keeps the time of the last change, and records no event', async () => {
    const all = await withNote()
    const { edit, read } = all
    const events = await recorded(all, async () => {
      const { updated_at: _, ...note } = await read()
      expect((await edit(note)).body.updated_at).toBe(BEGINNING)
      expect((await edit({ params: { text: 'Hello', other: 1 } })).body.updated_at).toBe(BEGINNING)
      expect((await edit({})).body.updated_at).toBe(BEGINNING)
      expect((await edit({ params: { text: 'Other' } })).body.updated_at).toBe(BEGINNING + 60)
    })
    expect(events).toEqual([])
  })

  onEmbedded.each<[string, object, string]>([
    ['another type', { note_type: 'call_in' }, 'NotSupportedChoice note_type'],
    ['another record', { entity_id: 999_999 }, 'NotSupportedChoice entity_id'],
    ['a param of another type', { params: { text: 5 } }, 'InvalidType params.text'],
    ['a missing param', { params: { text: null } }, 'NotNullable params.text'],
    ['invalid params', { params: 'text' }, 'InvalidType params'],
    ['an unknown person', { responsible_user_id: 999_999 }, 'NotSupportedChoice responsible_user_id'],
    ['no author', { created_by: 999_999 }, 'NotSupportedChoice created_by'],
    ['no time', { updated_at: -1 }, 'OutOfRange updated_at'],
  ])('with %s is refused with its path, and changes nothing', async (_what, patch, fault) => {
    const { edit, read, browser, notes, id, addOne, ctx } = await withNote()
    const second = await addOne()
    const [before, stood] = [await traces(ctx), [await read(), await read(second)]]
    expect(faultsOf(await edit(patch))).toEqual([400, `0 ${fault}`])
    const batch = [
      { id: second, params: { text: 'New' } },
      { id, ...patch },
    ]
    for (const path of ['/web/v4/leads/notes', notes])
      expect(faultsOf(await browser.patch(path, batch))).toEqual([400, `1 ${fault}`])
    expect([await traces(ctx), [await read(), await read(second)]]).toEqual([before, stood])
  })

  test('accepts the same type and record', async () => {
    const { edit, lead } = await withNote()
    expect(statusOf(await edit({ note_type: 'common', entity_id: lead, params: { text: 'New' } }))).toBe(200)
  })

  test('is impossible for system notes, which record what happened', async () => {
    const { browser, lead } = await withNote()
    const [created] = (await browser.get(`/web/v4/leads/${lead}/notes`)).body._embedded.notes
    expect(created).toMatchObject({ note_type: 'lead_created', params: { text: 'Roof' } })
    const answer = await browser.patch(`/web/v4/leads/notes/${created.id}`, { params: { text: 'No' } })
    expect(faultsOf(answer)).toEqual([400, '0 NotSupportedChoice note_type'])
  })

  test('refuses a note that occurs twice in a batch, and changes nothing', async () => {
    const { browser, id, notes, ctx } = await withNote()
    const before = await traces(ctx)
    const batch = [
      { id, params: { text: 'A' } },
      { id, params: { text: 'B' }, request_id: 'again' },
    ]
    for (const path of ['/web/v4/leads/notes', notes])
      expect(faultsOf(await browser.patch(path, batch))).toEqual([400, 'again NotUnique id'])
    expect(await traces(ctx)).toEqual(before)
  })

  onEmbedded('is 404 for a missing, foreign or deleted note, and 400 in a batch', async () => {
    const { browser, lead, id, notes, addOne, ctx } = await withNote()
    const gone = await addOne()
    await browser.delete(`/web/v4/leads/notes/${gone}`)
    const other = await add(browser, 'leads')
    const contact = await add(browser, 'contacts')
    const before = await traces(ctx)
    const patch = { params: { text: 'New' } }
    for (const path of [
      'leads/notes/999999',
      `leads/notes/${gone}`,
      `contacts/notes/${id}`,
      `leads/${other}/notes/${id}`,
      `leads/999999/notes/${id}`,
      `contacts/${contact}/notes/${id}`,
    ])
      expect([path, statusOf(await browser.patch(`/web/v4/${path}`, patch))]).toEqual([path, 404])
    const batch = [
      { id, ...patch },
      { id: gone, ...patch },
      { id: 999_999, ...patch, request_id: 'x' },
    ]
    const faults = [400, '1 NotSupportedChoice id', 'x NotSupportedChoice id']
    for (const path of ['/web/v4/leads/notes', notes])
      expect(faultsOf(await browser.patch(path, batch))).toEqual(faults)
    expect(faultsOf(await browser.patch(`/web/v4/leads/${other}/notes`, [{ id, ...patch }]))).toEqual([
      400,
      '0 NotSupportedChoice id',
    ])
    expect(statusOf(await browser.patch('/web/v4/leads/999999/notes', [{ id, ...patch }]))).toBe(404)
    expect(await traces(ctx)).toEqual(before)
    expect((await browser.get(`/web/v4/leads/${lead}/notes/${id}`)).body.params).toEqual({ text: 'Hello' })
  })

  test('is impossible while the record is in the trash, and possible after it was restored', async () => {
    const { browser, lead, notes, edit, note, ctx } = await withNote()
    await browser.delete(`/web/v4/leads/${lead}`)
    const before = await traces(ctx)
    expect(statusOf(await browser.get(notes))).toBe(404)
    expect(statusOf(await browser.post(notes, [hello]))).toBe(404)
    expect(faultsOf(await browser.post('/web/v4/leads/notes', [{ ...hello, entity_id: lead }]))).toEqual([
      400,
      '0 NotSupportedChoice entity_id',
    ])
    expect(statusOf(await edit({ params: { text: 'New' } }))).toBe(404)
    expect(statusOf(await browser.delete(note))).toBe(404)
    expect(await traces(ctx)).toEqual(before)
    await browser.post(`/web/v4/leads/${lead}/restore`)
    expect((await browser.get(notes)).body._embedded.notes.length).toBe(2)
    expect(statusOf(await edit({ params: { text: 'New' } }))).toBe(200)
  })
})

describe('A message to the cashier', () => {
  const message = (status: string) => ({ note_type: 'message_cashier', params: { text: 'Take 5', status } })
  test.each([
    ['created', 'shown', 200],
    ['created', 'canceled', 200],
    ['created', 'created', 200],
    ['shown', 'shown', 200],
    ['shown', 'created', 400],
    ['shown', 'canceled', 400],
    ['canceled', 'shown', 400],
    ['canceled', 'created', 400],
  ])('that is %s becomes %s: %i', async (from, to, status) => {
    const { edit, read } = await withNote(message(from))
    const answer = await edit({ params: { status: to } })
    if (status === 400) expect(faultsOf(answer)).toEqual([400, '0 NotSupportedChoice params.status'])
    else expect(answer.status).toBe(200)
    expect((await read()).params).toEqual({ status: status === 200 ? to : from, text: 'Take 5' })
  })
})

describe('Deleting a note', () => {
  test('removes it from lists and addresses and is recorded; it can be restored', async () => {
    const all = await withNote()
    const { browser, note, notes, lead, id, admin, read } = all
    const stood = await read()
    const listed = async (path: string) => (await browser.get(path)).body._embedded.notes.length
    const events = await recorded(all, async () => expect(statusOf(await browser.delete(note))).toBe(204))
    expect(events).toEqual([['common_note_deleted', ['lead', lead], [{ note: { id } }]]])
    expect([await listed(notes), await listed(`/web/v4/leads/notes?filter[id]=${id}`)]).toEqual([1, 0])
    for (const path of [note, `${notes}/${id}`]) expect(statusOf(await browser.get(path))).toBe(404)
    expect(statusOf(await browser.delete(note))).toBe(404)
    expect(statusOf(await browser.post(`${note}/pin`))).toBe(404)
    const restored = await browser.post(`${note}/restore`)
    expect([restored.status, restored.body]).toEqual([
      200,
      { ...stood, updated_by: admin.id, updated_at: BEGINNING + 60 },
    ])
    expect(await read()).toEqual(restored.body)
    expect(statusOf(await browser.post(`${note}/restore`))).toBe(404)
  })

  test('deletes several at once or none', async () => {
    const all = await withNote()
    const { browser, id, addOne, lead, ctx } = all
    const silent = await addOne({ note_type: 'sms_in', params: { text: 'x', phone: '1' } })
    const before = await traces(ctx)
    const refused = await browser.delete('/web/v4/leads/notes', [{ id }, { id: 999_999, request_id: 'x' }])
    expect(faultsOf(refused)).toEqual([400, 'x NotSupportedChoice id'])
    expect((await browser.delete('/web/v4/leads/notes', [])).status).toBe(400)
    expect(await traces(ctx)).toEqual(before)
    const events = await recorded(all, () =>
      browser.delete('/web/v4/leads/notes', [{ id }, { id: silent }, { id }]),
    )
    expect(events).toEqual([['common_note_deleted', ['lead', lead], [{ note: { id } }]]])
    expect((await browser.get('/web/v4/leads/notes')).body._embedded.notes.length).toBe(1)
  })
})

describe('Pinning a note', () => {
  onEmbedded('is visible on request and changes nothing else', async () => {
    const all = await withNote()
    const { browser, note, notes, id, read } = all
    const stood = await read()
    const pinned = async () => {
      const one = (await browser.get(`${note}?with=is_pinned`)).body
      const listed = (await browser.get(`${notes}?with=is_pinned&filter[id]=${id}`)).body._embedded.notes[0]
      expect(listed).toEqual(one)
      return one.is_pinned
    }
    expect(await pinned()).toBe(false)
    const events = await recorded(all, async () => {
      for (const _ of [1, 2]) expect(statusOf(await browser.post(`${note}/pin`))).toBe(204)
      expect(await pinned()).toBe(true)
      expect(await read()).toEqual(stood)
      for (const _ of [1, 2]) expect(statusOf(await browser.post(`${note}/unpin`))).toBe(204)
    })
    expect([await pinned(), events]).toEqual([false, []])
    expect(statusOf(await browser.post('/web/v4/leads/notes/999999/pin'))).toBe(404)
  })
})

describe('Merging records', () => {
  test('moves their notes to the remaining one', async () => {
    const { browser, lead, id, note } = await withNote()
    const stays = await add(browser, 'leads')
    await browser.post('/web/v4/leads/merge', { id: stays, merge: [lead] })
    expect((await browser.get(note)).body).toMatchObject({ entity_id: stays, _links: linkOf(stays, id) })
    expect(statusOf(await browser.patch(note, { params: { text: 'New' } }))).toBe(200)
    expect(statusOf(await browser.get(`/web/v4/leads/${lead}/notes/${id}`))).toBe(404)
  })
})
