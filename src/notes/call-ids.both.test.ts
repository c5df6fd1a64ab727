import { expect, test } from 'vitest'
import { faultsOf } from '../../test/faults.ts'
import { add, addAll, traces } from '../../test/fixtures/records.ts'
import { world } from '../../test/world.ts'

const callOf = (uniq?: string) => ({
  note_type: 'call_in',
  params: { uniq, duration: 1, source: 'exchange', phone: '1' },
})
const TAKEN = [400, '0 NotUnique params.uniq']

async function withLead() {
  const all = await world()
  const { browser } = all.admin
  const lead = await add(browser, 'leads')
  const notes = `/web/v4/leads/${lead}/notes`
  const send = (...drafts: object[]) => browser.post(notes, drafts)
  const addOne = (uniq?: string) => add(browser, `leads/${lead}/notes`, callOf(uniq))
  const edit = (id: number, params: object) => browser.patch(`/web/v4/leads/notes/${id}`, { params })
  return { ...all, browser, lead, notes, send, addOne, edit }
}

test('the uniq of a call is unique in the account, across types and records', async () => {
  const { browser, send, addOne, ctx } = await withLead()
  await addOne('u-1')
  const contact = await add(browser, 'contacts')
  const before = await traces(ctx)
  expect(faultsOf(await send(callOf('u-1')))).toEqual(TAKEN)
  const out = { ...callOf('u-1'), note_type: 'call_out', request_id: 'r' }
  const elsewhere = await browser.post(`/web/v4/contacts/${contact}/notes`, [callOf('u-2'), out])
  expect(faultsOf(elsewhere)).toEqual([400, 'r NotUnique params.uniq'])
  expect(faultsOf(await send(callOf('u-3'), callOf('u-4'), callOf('u-3')))).toEqual([
    400,
    '2 NotUnique params.uniq',
  ])
  expect(await traces(ctx)).toEqual(before)
  expect((await send(callOf('U-1'), callOf('u-2'))).status).toBe(200)
})

test('another account can have the same uniq', async () => {
  const { addOne, addAccount, addPerson } = await withLead()
  await addOne('u-1')
  const { browser } = await addPerson({ account: await addAccount('other'), is_admin: true })
  const lead = await add(browser, 'leads')
  expect((await browser.post(`/web/v4/leads/${lead}/notes`, [callOf('u-1')])).status).toBe(200)
})

test('a changed uniq becomes free, and two notes can swap theirs in one request', async () => {
  const { browser, send, addOne, edit, ctx } = await withLead()
  const [one, two] = [await addOne('u-1'), await addOne('u-2')]
  const before = await traces(ctx)
  expect(faultsOf(await edit(two, { uniq: 'u-1' }))).toEqual(TAKEN)
  expect(await traces(ctx)).toEqual(before)
  const swapped = await browser.patch('/web/v4/leads/notes', [
    { id: one, params: { uniq: 'u-2' } },
    { id: two, params: { uniq: 'u-1' } },
  ])
  expect(swapped.status).toBe(200)
  expect((await edit(two, { uniq: 'u-3', duration: 5 })).body.params.uniq).toBe('u-3')
  expect((await send(callOf('u-1'))).status).toBe(200)
  expect(faultsOf(await send(callOf('u-3')))).toEqual(TAKEN)
})

test('a deleted call keeps its uniq, so that it can be restored but not added again', async () => {
  const { browser, send, addOne } = await withLead()
  const id = await addOne('u-1')
  await browser.delete(`/web/v4/leads/notes/${id}`)
  expect(faultsOf(await send(callOf('u-1')))).toEqual(TAKEN)
  expect((await browser.post(`/web/v4/leads/notes/${id}/restore`)).status).toBe(200)
})

test('a generated uniq is reserved, too', async () => {
  const { browser, send, addOne } = await withLead()
  const id = await addOne()
  const { params } = (await browser.get(`/web/v4/leads/notes/${id}`)).body
  expect(faultsOf(await send(callOf(params.uniq)))).toEqual(TAKEN)
})

test('a batch of 250 calls takes few statements', async () => {
  const { browser, lead, send } = await withLead()
  const calls = Array.from({ length: 250 }, (_, i) => callOf(`u-${i}`))
  expect(await addAll(browser, `leads/${lead}/notes`, calls)).toHaveLength(250)
  expect(faultsOf(await send(...calls))).toHaveLength(101)
})
