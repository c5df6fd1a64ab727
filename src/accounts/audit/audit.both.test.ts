import { expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { type World, world } from '../../../test/world.ts'
import { type AuditDraft, findActor, listAudit, recordAudit } from '../accounts.ts'

const asking = { integration: null, request_id: 'r', address: '192.0.2.1' }

async function write({ ctx, account, admin }: World, count: number, more: Partial<AuditDraft> = {}) {
  const drafts = Array.from(
    { length: count },
    (_, index): AuditDraft => ({
      account_id: account.id,
      user_id: admin.id,
      request_id: 'r',
      action: 'group.added',
      details: { id: index },
      ...more,
    }),
  )
  await ctx.db.transaction().execute((tx) => recordAudit(ctx, tx, ...drafts))
}

async function actorOf({ ctx, account }: World, user_id: number) {
  const actor = await findActor(ctx, { account_id: account.id, user_id }, asking)
  if (!actor) throw new Error('no actor')
  return actor
}

test('the audit log is listed newest first, in pages, for the account or for one integration', async () => {
  const place = await world()
  const admin = await actorOf(place, place.admin.id)
  await write(place, 60)
  await write(place, 3, { integration_id: 'one' })
  const first = await listAudit(place.ctx, admin)
  expect(first.entries).toHaveLength(50)
  expect(first.entries[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{26}$/),
    at: place.clock.now(),
    user: { id: place.admin.id, name: 'Ada' },
    integration_id: 'one',
    by_integration: null,
    channel_id: null,
    action: 'group.added',
    details: { id: 2 },
    address: null,
    request_id: 'r',
  })
  const second = await listAudit(place.ctx, admin, { before: first.next as string })
  expect([second.entries.length, second.entries.at(-1)?.details, second.next]).toEqual([13, { id: 0 }, null])
  const own = await listAudit(place.ctx, admin, { integration_id: 'one' })
  expect(own.entries.map(({ details }) => details.id)).toEqual([2, 1, 0])
})

onEmbedded('the audit log is readable only by administrators of the account', async () => {
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

test('the audit log is filtered by person and area, in pages', async () => {
  const place = await world()
  const { admin } = place
  const ann = await place.addPerson()
  await write(place, 51)
  await write(place, 30, { action: 'field.added', user_id: ann.id })
  await write(place, 30, { action: 'field.removed' })
  const all = async (filter: string) => {
    const found: { action: string; user: { id: number } }[] = []
    for (let before = ''; ; ) {
      const answer = await admin.browser.get(`/web/audit?${filter}${before}`)
      expect(answer.status).toBe(200)
      found.push(...answer.body.entries)
      if (answer.body.next === null) return found
      before = `&before=${answer.body.next}`
    }
  }
  expect((await all('')).length).toBe(111)
  const people = await all('filter[area]=people')
  expect([people.length, new Set(people.map(({ action }) => action))]).toEqual([51, new Set(['group.added'])])
  const fields = await all('filter[area]=fields')
  expect(fields.map(({ action }) => action)).toEqual([
    ...Array(30).fill('field.removed'),
    ...Array(30).fill('field.added'),
  ])
  expect((await all(`filter[user_id]=${ann.id}`)).length).toBe(30)
  expect((await all(`filter[user_id]=${ann.id}&filter[area]=people`)).length).toBe(0)
  expect((await all(`filter[user_id]=${ann.id}&filter[area]=fields`)).length).toBe(30)
  expect(await all('filter[area]=marketing')).toEqual([])
  const refused = await Promise.all(
    ['filter[area]=toString', 'filter[user_id]=x', 'before=%00', 'before=1'].map((query) =>
      admin.browser.get(`/web/audit?${query}`),
    ),
  )
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  expect((await ann.browser.get('/web/audit')).status).toBe(403)
  expect((await place.stranger.get('/web/audit')).status).toBe(401)
})

test('an entry with an earlier time is listed below later ones', async () => {
  const place = await world()
  const admin = await actorOf(place, place.admin.id)
  const now = place.clock.now()
  const times = [now, now - 40 * 86_400, now - 86_400]
  for (const at of times) {
    place.clock.set(at)
    await write(place, 2, { action: 'role.added' })
  }
  const { entries } = await listAudit(place.ctx, admin)
  const added = entries.filter(({ action }) => action === 'role.added')
  expect(added.map(({ at }) => at)).toEqual(times.toSorted((a, b) => b - a).flatMap((at) => [at, at]))
  expect(added.map(({ details }) => details.id)).toEqual([1, 0, 1, 0, 1, 0])
})
