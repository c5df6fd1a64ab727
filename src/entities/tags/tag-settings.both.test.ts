import { describe, expect, test } from 'vitest'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { add, addAll } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'
import { continueIds } from '../../db/dialect.ts'
import type { EntityTagRow } from '../../db/tables.ts'
import { eraseTags } from '../entities.ts'
import { insertEntityTags } from './tag-queries.ts'

const TAGS = '/web/v4/leads/tags'

async function tagged(all: World, ...names: string[]): Promise<number[]> {
  const answer = await all.admin.browser.post(
    TAGS,
    names.map((name) => ({ name })),
  )
  return answer.body._embedded.tags.map(({ id }: { id: number }) => id)
}

const names = async ({ admin }: World) =>
  (await admin.browser.get(TAGS)).body?._embedded.tags.map(({ name }: { name: string }) => name) ?? []

describe('PATCH /{kind}/tags', () => {
  test('renames and colours tags on every record that has them', async () => {
    const all = await world()
    const { browser } = all.admin
    const lead = await add(browser, 'leads', {
      name: 'Roof',
      tags_to_add: [{ name: 'hot' }, { name: 'new' }],
    })
    const [hot, fresh] = await tagged(all, 'hot', 'new')
    const answer = await browser.patch(TAGS, [
      { id: hot, name: ' warm ', color: 'ff8f92' },
      { id: fresh, color: null, request_id: 'b' },
      { id: hot, name: 'tepid' },
    ])
    const tepid = { id: hot, name: 'tepid', color: 'FF8F92' }
    expect([answer.status, answer.body._embedded.tags]).toEqual([
      200,
      [
        { ...tepid, request_id: '0' },
        { id: fresh, name: 'new', color: null, request_id: 'b' },
        { ...tepid, request_id: '2' },
      ],
    ])
    const shown = await browser.get(`/web/v4/leads/${lead}`)
    expect(shown.body._embedded.tags).toEqual([tepid, { id: fresh, name: 'new', color: null }])
    expect((await browser.get(`${TAGS}/${hot}`)).body).toEqual(tepid)
    const one = await browser.patch(`${TAGS}/${fresh}`, { name: 'old' })
    expect([one.status, one.body]).toEqual([200, { id: fresh, name: 'old', color: null }])
    const same = await browser.patch(`${TAGS}/${fresh}`, {})
    expect([same.status, same.body]).toEqual([200, one.body])
  })

  test.each(['red', { a: 1 }, true])('reads no colour of tags that are not of leads: %j', async (color) => {
    const { browser } = (await world()).admin
    const added = await browser.post('/web/v4/contacts/tags', [{ name: 'hot', color }])
    const [{ id }] = added.body._embedded.tags
    const changes = [
      await browser.patch('/web/v4/contacts/tags', [{ id, color }]),
      await browser.patch(`/web/v4/contacts/tags/${id}`, { color }),
    ]
    expect([added, ...changes].map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await browser.get(`/web/v4/contacts/tags/${id}`)).body.color).toBe(null)
  })

  test('refuses names that are blank or taken, and unknown tags, and changes nothing', async () => {
    const all = await world()
    const [a, b] = await tagged(all, 'a', 'b')
    const { browser } = all.admin
    const refused = async (body: object[]) => faultsOf(await browser.patch(TAGS, body))
    const refusals = await Promise.all([
      refused([
        { id: a, name: 'c' },
        { id: b, name: ' ' },
      ]),
      refused([{ id: a, name: 'b' }]),
      refused([
        { id: a, name: 'x' },
        { id: b, name: 'x' },
      ]),
      refused([
        { id: a, name: 'b' },
        { id: b, name: 'a' },
      ]),
      refused([
        { id: a, name: 'c' },
        { id: 999, name: 'd', request_id: 'none' },
      ]),
    ])
    expect(refusals).toEqual([
      [400, '1 NotBlank name'],
      [400, '0 NotUnique name'],
      [400, '1 NotUnique name'],
      [400, '0 NotUnique name'],
      [400, 'none NotSupportedChoice id'],
    ])
    expect((await browser.patch(`${TAGS}/999`, { name: 'd' })).status).toBe(404)
    expect((await browser.patch(`/web/v4/contacts/tags/${a}`, { name: 'd' })).status).toBe(404)
    expect(await names(all)).toEqual(['a', 'b'])
  })
})

test('GET /{kind}/tags finds names by their words, in any case and any alphabet', async () => {
  const all = await world()
  await tagged(all, 'Важный клиент', 'ÉTÉ', 'Hot deal', '100%')
  const found = async (query: string) => {
    const { status, body } = await all.admin.browser.get(`${TAGS}?query=${encodeURIComponent(query)}`)
    return status === 204 ? [] : body._embedded.tags.map(({ name }: { name: string }) => name)
  }
  expect(
    await Promise.all(['Важный', 'важн', 'КЛИЕНТ', 'été', 'HOT', 'deal hot', '0%', '_', ''].map(found)),
  ).toEqual([
    ['Важный клиент'],
    ['Важный клиент'],
    ['Важный клиент'],
    ['ÉTÉ'],
    ['Hot deal'],
    ['Hot deal'],
    ['100%'],
    [],
    ['Важный клиент', 'ÉTÉ', 'Hot deal', '100%'],
  ])
})

describe('DELETE /{kind}/tags/{id}', () => {
  test('takes the tag from all records and is recorded in the audit log', async () => {
    const all = await world()
    const { browser } = all.admin
    const lead = await add(browser, 'leads', {
      name: 'Roof',
      tags_to_add: [{ name: 'hot' }, { name: 'new' }],
    })
    const [hot = 0] = await tagged(all, 'hot')
    expect((await browser.delete(`${TAGS}/${hot}`)).status).toBe(204)
    const shown = await browser.get(`/web/v4/leads/${lead}`)
    expect(shown.body._embedded.tags.map(({ name }: { name: string }) => name)).toEqual(['new'])
    expect((await browser.get(`${TAGS}/${hot}`)).status).toBe(404)
    const left = () => all.ctx.db.selectFrom('entity_tags').select('tag_id').execute()
    // The request only queues the work, and the tag is gone already.
    expect(await left()).toHaveLength(2)
    for (const filter of [`filter[tags][0]=${hot}`, `filter[tags][0]=${hot}&filter[tags][1]=${hot + 1000}`])
      expect((await browser.get(`/web/v4/leads?${filter}`)).status).toBe(204)
    await eraseTags(all.ctx)
    expect(await left()).toHaveLength(1)
    const { body } = await browser.get('/web/audit?filter[area]=tags')
    expect(
      body.entries.map(({ action, details }: { action: string; details: object }) => [action, details]),
    ).toEqual([['tag.removed', { entity_type: 'leads', id: hot, name: 'hot' }]])
    // The name is free again.
    await tagged(all, 'hot')
    expect(await names(all)).toEqual(['new', 'hot'])
  })

  test('is done in batches, and repeated for a writer that read the tag before', async () => {
    const all = await world()
    const { browser } = all.admin
    const drafts = Array.from({ length: 250 }, () => ({ tags_to_add: [{ name: 'hot' }] }))
    for (let i = 0; i < 3; i++) await addAll(browser, 'leads', drafts)
    const [id] = await tagged(all, 'hot')
    const { db } = all.ctx
    const marks = () => db.selectFrom('entity_tags').selectAll().execute()
    const [late] = await marks()
    const deletions = [1, 2].map(() => browser.delete(`${TAGS}/${id}`))
    expect((await Promise.all(deletions)).map(({ status }) => status).sort()).toEqual([204, 404])
    // A restore continues the ids.
    await db.transaction().execute((tx) => continueIds(tx, 'tags'))
    expect((await tagged(all, 'cold'))[0]).toBeGreaterThan(id as number)
    await Promise.all([eraseTags(all.ctx), eraseTags(all.ctx)])
    expect(await marks()).toEqual([])
    await db.transaction().execute((tx) => insertEntityTags(tx, [late as EntityTagRow]))
    all.clock.advance(60)
    await eraseTags(all.ctx)
    expect([await marks(), await db.selectFrom('tag_erasures').selectAll().execute()]).toEqual([[], []])
  })

  onEmbedded('is for administrators; everybody can read a tag of their account only', async () => {
    const all = await world()
    const [id] = await tagged(all, 'hot')
    const person = (await all.addPerson()).browser
    const other = (await all.addPerson({ account: await all.addAccount('other'), is_admin: true })).browser
    expect([
      (await person.get(`${TAGS}/${id}`)).status,
      (await person.patch(`${TAGS}/${id}`, { name: 'x' })).status,
      (await person.delete(`${TAGS}/${id}`)).status,
      (await other.get(`${TAGS}/${id}`)).status,
      (await other.delete(`${TAGS}/${id}`)).status,
    ]).toEqual([200, 403, 403, 404, 404])
    expect(await names(all)).toEqual(['hot'])
  })
})

test('a record has a limited number of tags', async () => {
  const { admin } = await world()
  const { browser } = admin
  const tags = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `t${from + i}` }))
  const id = await add(browser, 'leads', { _embedded: { tags: tags(0, 250) }, tags_to_add: tags(250, 249) })
  const change = (draft: object) => browser.patch(`/web/v4/leads/${id}`, draft)
  expect(faultsOf(await change({ tags_to_add: tags(499, 2) }))).toEqual([400, '0 TooMany tags_to_add'])
  expect((await change({ tags_to_add: tags(499, 1) })).status).toBe(200)
  expect(faultsOf(await change({ tags_to_add: tags(500, 1) }))).toEqual([400, '0 TooMany tags_to_add'])
  expect((await change({ tags_to_add: tags(500, 1), tags_to_delete: tags(0, 1) })).status).toBe(200)
  expect((await browser.get(`/web/v4/leads/${id}`)).body._embedded.tags).toHaveLength(500)
})
