import { expect, test } from 'vitest'
import { type Person, type World, world } from '../../test/world.ts'
import { fanOut } from './fan-out.ts'
import { insertAnnouncement } from './queries.ts'

/** Subscribes addresses to new leads, and returns the ids of the webhooks. */
async function subscribe({ browser }: Person, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < count; i++) {
    const draft = { destination: `http://hook.example/${i}`, settings: ['add_lead'] }
    ids.push((await browser.post('/web/v4/webhooks', draft)).body.id)
  }
  return ids
}

/** Announces so many new leads to these webhooks, `times` times. */
async function announce(
  { ctx }: World,
  account_id: number,
  { webhooks, leads, times }: { webhooks: number[]; leads: number; times: number },
): Promise<void> {
  const changes = Array.from({ length: leads }, (_, id) => ({
    ...{ codes: ['add_lead'], record: `leads ${id}`, item: { id }, webhooks },
  }))
  await ctx.db.transaction().execute(async (tx) => {
    for (let i = 0; i < times; i++)
      await insertAnnouncement(tx, {
        ...{ id: account_id * 1_000_000 + i, account_id, request_id: `${account_id}-${i}` },
        ...{ changes: JSON.stringify(changes), created_at: 0, trace_context: null },
      })
  })
}

/** The queued deliveries in their order, as accounts and requests. */
const queued = ({ ctx }: World) =>
  ctx.db.selectFrom('deliveries').select(['account_id', 'request_id']).orderBy('id').execute()

test('announcements of one account do not delay those of others', async () => {
  const here = await world({ ownServer: true })
  const counts = new Map<number, number>()
  const announceTimes = async (person: Person, times: number) => {
    counts.set(person.account.id, times)
    const webhooks = await subscribe(person, 1)
    await announce(here, person.account.id, { webhooks, leads: 1, times })
  }
  await announceTimes(here.admin, 45)
  for (let i = 0; i < 12; i++) {
    const account = await here.addAccount(`account${i}`)
    await announceTimes(await here.addPerson({ is_admin: true, account }), 1 + (i % 3))
  }
  const queueMore = fanOut(here.ctx)
  for (let i = 0; i < 2; i++) expect(await queueMore()).toBe(true)
  expect(new Set((await queued(here)).map(({ account_id }) => account_id))).toEqual(new Set(counts.keys()))
  while (await queueMore()) {}
  const all = await queued(here)
  for (const [id, times] of counts)
    expect(all.filter(({ account_id }) => account_id === id).map(({ request_id }) => request_id)).toEqual(
      Array.from({ length: times }, (_, i) => `${id}-${i}`),
    )
})

test('an announcement to many webhooks is queued in several transactions, and the next one after it', async () => {
  const here = await world({ ownServer: true })
  const webhooks = await subscribe(here.admin, 60)
  await announce(here, here.account.id, { webhooks, leads: 250, times: 2 })
  const queueMore = fanOut(here.ctx)
  const requestsOf = async () => {
    const rows = await here.ctx.db
      .selectFrom('deliveries')
      .select(['subject', 'request_id'])
      .orderBy('id')
      .execute()
    return Map.groupBy(rows, ({ subject }) => subject)
  }
  expect(await queueMore()).toBe(true)
  const first = await requestsOf()
  expect([...first.keys()]).toEqual(webhooks.slice(0, 10).map(String))
  // The other webhooks are stored, so another process goes on with them.
  const others = fanOut(here.ctx)
  while (await others()) {}
  const id = here.account.id
  const each = [...Array(5).fill(`${id}-0`), ...Array(5).fill(`${id}-1`)]
  const all = await requestsOf()
  expect([...all.keys()].toSorted()).toEqual(webhooks.map(String).toSorted())
  for (const requests of all.values()) expect(requests.map(({ request_id }) => request_id)).toEqual(each)
})

test('accounts take turns with the parts of announcements to many webhooks', async () => {
  const here = await world({ ownServer: true })
  const many = await subscribe(here.admin, 60)
  await announce(here, here.account.id, { webhooks: many, leads: 250, times: 1 })
  const account = await here.addAccount('other')
  const webhooks = await subscribe(await here.addPerson({ is_admin: true, account }), 1)
  await announce(here, account.id, { webhooks, leads: 1, times: 1 })
  const queueMore = fanOut(here.ctx)
  for (let i = 0; i < 2; i++) expect(await queueMore()).toBe(true)
  expect(new Set((await queued(here)).map(({ account_id }) => account_id)).size).toBe(2)
})

test('a process finds nothing if another one has just queued everything', async () => {
  const here = await world({ ownServer: true })
  const { account } = here.admin
  await announce(here, account.id, { webhooks: await subscribe(here.admin, 1), leads: 1, times: 1 })
  const processes = Array.from({ length: 4 }, () => fanOut(here.ctx))
  expect(await Promise.all(processes.map((queueMore) => queueMore()))).toEqual(Array(4).fill(false))
  expect(await queued(here)).toHaveLength(1)
})
