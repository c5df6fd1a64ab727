import { expect, test } from 'vitest'
import { type World, world } from '../../test/world.ts'
import { findActor, listAudit, recordAudit } from './accounts.ts'

const asking = { integration: null, request_id: 'r', address: '192.0.2.1' }

async function write({ ctx, account, admin }: World, count: number, integration_id?: string) {
  const draft = {
    account_id: account.id,
    user_id: admin.id,
    request_id: 'r',
    ...(integration_id && { integration_id }),
  }
  const drafts = Array.from({ length: count }, (_, index) => ({
    ...draft,
    action: `test.${index}`,
    details: { index },
  }))
  await ctx.db.transaction().execute((tx) => recordAudit(ctx, tx, ...drafts))
}

async function actorOf({ ctx, account }: World, user_id: number) {
  const actor = await findActor(ctx, { account_id: account.id, user_id }, asking)
  if (!actor) throw new Error('no actor')
  return actor
}

test('the audit log is read newest first, page by page, all of it or that of one integration', async () => {
  const place = await world()
  const admin = await actorOf(place, place.admin.id)
  await write(place, 60)
  await write(place, 3, 'one')
  const first = await listAudit(place.ctx, admin)
  expect(first.entries).toHaveLength(50)
  expect(first.entries[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{26}$/),
    at: place.clock.now(),
    user: { id: place.admin.id, name: 'Ada' },
    integration_id: 'one',
    action: 'test.2',
    details: { index: 2 },
    address: null,
    request_id: 'r',
  })
  const second = await listAudit(place.ctx, admin, { before: first.next as string })
  expect([second.entries.length, second.entries.at(-1)?.action, second.next]).toEqual([13, 'test.0', null])
  const own = await listAudit(place.ctx, admin, { integration_id: 'one' })
  expect(own.entries.map(({ action }) => action)).toEqual(['test.2', 'test.1', 'test.0'])
})

test('it is for administrators, each of his own account', async () => {
  const place = await world()
  await write(place, 1)
  const ann = await place.addPerson()
  await expect(listAudit(place.ctx, await actorOf(place, ann.id))).rejects.toMatchObject({
    reason: 'forbidden',
  })
  const other = await place.addAccount('other')
  const boss = await place.addPerson({ account: other, is_admin: true })
  expect(await listAudit(place.ctx, await actorOf({ ...place, account: other }, boss.id))).toEqual({
    entries: [],
    next: null,
  })
  const admin = await actorOf(place, place.admin.id)
  await expect(listAudit(place.ctx, admin, { before: 'a\u0000' })).rejects.toMatchObject({
    reason: 'invalid',
  })
})
