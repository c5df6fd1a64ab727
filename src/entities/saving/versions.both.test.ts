import { describe, expect, test } from 'vitest'
import { client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { add, addAll, log } from '../../../test/fixtures/records.ts'
import { times } from '../../../test/long.ts'
import { type World, world } from '../../../test/world.ts'

const kinds = ['leads', 'contacts', 'companies', 'customers', 'elements'] as const

/** A record of the kind, at its URL. */
async function recordOf({ admin }: World, kind: (typeof kinds)[number]): Promise<string> {
  const path =
    kind === 'elements'
      ? `catalogs/${await add(admin.browser, 'catalogs', { name: 'Goods' })}/elements`
      : kind
  return `/web/v4/${path}/${await add(admin.browser, path, { name: 'First' })}`
}

const tagOf = ({ headers }: { headers: Record<string, unknown> }) => headers.etag as string

describe.each(kinds)('A version of %s', (kind) => {
  test('is returned when it is read, and a write with the same version succeeds', async () => {
    const all = await world()
    const { browser } = all.admin
    const at = await recordOf(all, kind)
    const read = await browser.get(at)
    expect(tagOf(read)).toMatch(/^"[\w-]{22}"$/)
    expect(tagOf(await browser.get(at))).toBe(tagOf(read))
    const written = await browser.patch(at, { name: 'Second' }, { 'if-match': tagOf(read) })
    expect([written.status, tagOf(written) === tagOf(read)]).toEqual([200, false])
    const again = await browser.get(at)
    expect([again.body.name, tagOf(again)]).toEqual(['Second', tagOf(written)])
    // Reverting a change restores the version.
    await browser.patch(at, { name: 'First' })
    expect(tagOf(await browser.get(at))).toBe(tagOf(read))
  })

  onEmbedded('a write with an old version is rejected, and changes nothing', async () => {
    const all = await world()
    const { browser } = all.admin
    const at = await recordOf(all, kind)
    const read = await browser.get(at)
    await browser.patch(at, { name: 'Second' })
    const before = await log(all.ctx)
    const refused = await browser.patch(at, { name: 'Third' }, { 'if-match': tagOf(read) })
    expect([refused.status, refused.body.type, refused.headers.etag]).toEqual([
      412,
      expect.stringMatching(/#changed_meanwhile$/),
      undefined,
    ])
    expect((await browser.get(at)).body.name).toBe('Second')
    expect(await log(all.ctx)).toEqual(before)
  })

  test('exactly one of two concurrent writers with the same version succeeds', async () => {
    const all = await world()
    const { browser } = all.admin
    const { app } = process.env.TEST_DATABASE === 'postgres' ? await all.secondProcess() : all
    const other = client(app.http, browser.identity)
    const at = await recordOf(all, kind)
    for (let round = 0; round < times(4, 15); round++) {
      const headers = { 'if-match': tagOf(await browser.get(at)) }
      const names = [`a ${round}`, `b ${round}`]
      const answers = await Promise.all([
        browser.patch(at, { name: names[0] }, headers),
        other.patch(at, { name: names[1] }, headers),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
      const winner = answers.findIndex(({ status }) => status === 200)
      expect((await browser.get(at)).body.name).toBe(names[winner])
    }
  })

  test.each([
    ['anything', '*', 200],
    ['one of several', (tag: string) => `"x", ${tag}`, 200],
    ['a tag that a proxy has weakened', (tag: string) => `W/${tag}`, 200],
    ['another', '"x"', 412],
    ['what is no tag', 'x', 400],
    ['nothing at all', '', 400],
  ] as const)('is checked in If-Match: %s', async (_what, header, status) => {
    const all = await world()
    const { browser } = all.admin
    const at = await recordOf(all, kind)
    const tag = tagOf(await browser.get(at))
    const value = typeof header === 'string' ? header : header(tag)
    expect((await browser.patch(at, { name: 'Second' }, { 'if-match': value })).status).toBe(status)
  })

  onEmbedded('does not bypass rights and missing records', async () => {
    const all = await world()
    const at = await recordOf(all, kind)
    const headers = { 'if-match': tagOf(await all.admin.browser.get(at)) }
    expect((await all.stranger.patch(at, { name: 'x' }, headers)).status).toBe(401)
    const missing = at.replace(/\d+$/, '999')
    expect((await all.admin.browser.patch(missing, { name: 'x' }, headers)).status).toBe(404)
  })
})

describe('The version of a lead', () => {
  onEmbedded('changes with its fields and tags, and not with its tasks, links and write time', async () => {
    const all = await world()
    const { browser } = all.admin
    const [field] = (await browser.post('/web/v4/leads/custom_fields', [{ name: 'Size', type: 'text' }])).body
      ._embedded.custom_fields
    const id = await add(browser, 'leads', { name: 'Roof' })
    const at = `/web/v4/leads/${id}`
    const versions = [tagOf(await browser.get(at))]
    const write = async (patch: object) => {
      const written = tagOf(await browser.patch(at, patch))
      versions.push(written)
      expect(tagOf(await browser.get(at))).toBe(written)
    }
    await write({ custom_fields_values: [{ field_id: field.id, values: [{ value: 'big' }] }] })
    await write({ custom_fields_values: [{ field_id: field.id, values: [{ value: 'small' }] }] })
    await write({ tags_to_add: [{ name: 'red' }] })
    await write({ tags_to_add: [{ name: 'blue' }] })
    await write({ price: 5 })
    expect(new Set(versions).size).toBe(versions.length)
    const last = versions.at(-1)
    all.clock.advance(100)
    await addAll(browser, 'tasks', [
      { entity_type: 'leads', entity_id: id, text: 'Call', complete_till: all.clock.now() + 60 },
    ])
    const contact = await add(browser, 'contacts', { name: 'Anna' })
    await browser.post(`${at}/link`, [{ to_entity_type: 'contacts', to_entity_id: contact }])
    await browser.patch(at, { price: 5 })
    expect(tagOf(await browser.get(at))).toBe(last)
  })
})
