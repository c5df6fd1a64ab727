import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/client.ts'
import { onEmbedded } from '../../../test/databases/on-embedded.ts'
import { faultsOf } from '../../../test/faults.ts'
import { connect, register } from '../../../test/fixtures/integrations.ts'
import { addPipelines, wholesale } from '../../../test/fixtures/pipelines.ts'
import { addAll, traces } from '../../../test/fixtures/records.ts'
import { type World, world } from '../../../test/world.ts'

/** A caller with a token of a new integration. */
async function connected({ admin, stranger }: World, draft = {}) {
  const shop = await register(admin, draft)
  return { shop, api: stranger.as({ token: (await connect(stranger, shop)).access_token }) }
}

async function mainPipeline(api: Client): Promise<number> {
  const { pipelines } = (await api.get('/api/v4/leads/pipelines')).body._embedded
  return pipelines.find(({ is_main }: { is_main: boolean }) => is_main).id
}

describe('Multiple sources (A14)', () => {
  test('an installation without the checkbox creates one default source', async () => {
    const here = await world()
    const { api, shop } = await connected(here)
    const { status, headers, body } = await api.get('/api/v4/sources')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/hal+json')
    const id = body._embedded.sources[0].id
    const main = await mainPipeline(api)
    expect(body).toEqual({
      _total_items: 1,
      _links: { self: { href: 'http://demo.localhost:8080/api/v4/sources' } },
      _embedded: {
        sources: [
          {
            id,
            name: 'Shop',
            pipeline_id: main,
            external_id: shop.client_id,
            default: true,
            origin_code: null,
            services: [],
            _links: { self: { href: `http://demo.localhost:8080/api/v4/sources/${id}` } },
          },
        ],
      },
    })
    for (const name of ['external_id', 'external_id][', 'external_id][0']) {
      const found = async (value: string) =>
        (await api.get(`/api/v4/sources?filter[${name}]=${value}`)).status
      expect([name, await found(shop.client_id), await found('none')]).toEqual([name, 200, 204])
    }
  })

  test('a change of several returns the source of each item, with its request_id', async () => {
    const { api } = await connected(await world(), { multiple_sources: true })
    const added = await api.post('/api/v4/sources', [
      { name: 'One', external_id: 'one' },
      { name: 'Two', external_id: 'two' },
    ])
    const [one, two] = added.body._embedded.sources.map(({ id }: { id: number }) => id)
    const changed = await api.patch('/api/v4/sources', [
      { id: two, name: 'Second', request_id: 'b' },
      { id: one, name: 'First' },
      { id: two, default: true },
    ])
    expect([changed.status, changed.body._embedded.sources]).toMatchObject([
      200,
      [
        { id: two, name: 'Second', default: true, request_id: 'b' },
        { id: one, name: 'First', request_id: '1' },
        { id: two, name: 'Second', default: true, request_id: '2' },
      ],
    ])
  })

  test('an installation with it creates none, and the integration creates its own', async () => {
    const { api } = await connected(await world(), { multiple_sources: true })
    const pipeline_id = await mainPipeline(api)
    expect((await api.get('/api/v4/sources')).status).toBe(204)
    const drafts = [
      { name: 'One', external_id: 'one', default: true, request_id: 'r1' },
      {
        name: 'Two',
        external_id: 'two',
        pipeline_id,
        services: [{ type: 'whatsapp', pages: [{ id: 1, name: 'P', link: '1' }] }],
      },
    ]
    const added = await api.post('/api/v4/sources', drafts)
    expect(added.body._embedded.sources).toMatchObject([
      { name: 'One', external_id: 'one', default: true, request_id: 'r1' },
      {
        name: 'Two',
        external_id: 'two',
        default: false,
        request_id: '1',
        pipeline_id,
        services: drafts[1]?.services,
      },
    ])
    const { id } = added.body._embedded.sources[1]
    expect((await api.get(`/api/v4/sources/${id}`)).body).toMatchObject({ id, name: 'Two' })
    expect(
      (await api.patch(`/api/v4/sources/${id}`, { name: 'Second', external_id: 'changed' })).body,
    ).toMatchObject({ id, name: 'Second', external_id: 'two' })
    expect(
      (await api.patch('/api/v4/sources', [{ id, pipeline_id: null }])).body._embedded.sources,
    ).toMatchObject([{ id, pipeline_id: null, name: 'Second' }])
    expect((await api.delete(`/api/v4/sources/${id}`)).status).toBe(204)
    expect((await api.get(`/api/v4/sources/${id}`)).status).toBe(404)
  })

  onEmbedded('an invalid batch changes nothing', async () => {
    const { api } = await connected(await world(), { multiple_sources: true })
    await api.post('/api/v4/sources', [{ name: 'One', external_id: 'one', default: true }])
    const [one] = (await api.get('/api/v4/sources')).body._embedded.sources
    const good = { name: 'Two', external_id: 'two' }
    const bad = [
      [],
      {},
      'x',
      [good, { name: 'No id' }],
      [good, { name: 'Same', external_id: 'one' }],
      [good, good],
      [good, { name: 'Default', external_id: 'three', default: true }],
      [good, { name: 'Long', external_id: 'x'.repeat(37) }],
      [good, { name: 'Wrong', external_id: 'four', pipeline_id: '5' }],
      Array.from({ length: 100 }, (_, i) => ({ name: 'Many', external_id: String(i) })),
      Array.from({ length: 251 }, (_, i) => ({ name: 'Many', external_id: String(i) })),
    ]
    for (const body of bad)
      expect((await api.post('/api/v4/sources', body)).status, JSON.stringify(body).slice(0, 80)).toBe(400)
    const detail = 'source with id = 999999 not found'
    const changed = await api.patch('/api/v4/sources', [
      { id: one.id, name: 'X' },
      { id: 999_999, name: 'Y' },
    ])
    expect([changed.status, changed.body['validation-errors']]).toEqual([
      400,
      [{ request_id: '1', errors: [{ code: 'NotSupportedChoice', path: 'id', detail }] }],
    ])
    const deleted = await api.delete('/api/v4/sources', [{ id: one.id }, { id: 999_999 }])
    expect([deleted.status, deleted.body.detail, deleted.body.errors]).toEqual([
      400,
      'Invalid request items',
      [{ request_id: '1', errors: { code: 'EntityNotFound', path: 'id', detail } }],
    ])
    expect(await api.delete('/api/v4/sources/999999')).toMatchObject({ status: 404, body: { detail } })
    expect((await api.get('/api/v4/sources')).body._embedded.sources).toEqual([one])
  })

  onEmbedded('an unknown pipeline is refused with the name of its member', async () => {
    const here = await world()
    const { api } = await connected(here)
    const [source] = (await api.get('/api/v4/sources')).body._embedded.sources
    const elsewhere = await here.addPerson({ account: await here.addAccount('other'), is_admin: true })
    const theirs = (await elsewhere.browser.get('/web/v4/leads/pipelines')).body._embedded.pipelines[0].id
    for (const pipeline_id of [theirs, 999_999]) {
      const added = await api.post('/api/v4/sources', [
        { name: 'Two', external_id: 'two' },
        { name: 'Three', external_id: 'three', pipeline_id, request_id: 'x' },
      ])
      const changed = await api.patch('/api/v4/sources', [
        { id: source.id, name: 'X', pipeline_id, request_id: 'x' },
      ])
      for (const { status, body } of [added, changed])
        expect([status, body['validation-errors']]).toEqual([
          400,
          [
            {
              request_id: 'x',
              errors: [
                {
                  code: 'NotSupportedChoice',
                  path: 'pipeline_id',
                  detail: expect.stringMatching(
                    /^The value you selected is not a valid choice\. It should be \d+\.$/,
                  ),
                },
              ],
            },
          ],
        ])
    }
    expect((await api.get('/api/v4/sources')).body._embedded.sources).toEqual([source])
  })

  test('sources of a deleted pipeline lead into the main one', async () => {
    const here = await world()
    const { api } = await connected(here)
    const pipelines = '/web/v4/leads/pipelines'
    const draft = { name: 'Wholesale', sort: 2, is_main: false, is_unsorted_on: true }
    const [added] = (await here.admin.browser.post(pipelines, [draft])).body._embedded.pipelines
    const [{ id }] = (await api.get('/api/v4/sources')).body._embedded.sources
    await api.patch(`/api/v4/sources/${id}`, { pipeline_id: added.id })
    expect((await api.get(`/api/v4/sources/${id}`)).body.pipeline_id).toBe(added.id)
    expect((await here.admin.browser.delete(`${pipelines}/${added.id}`)).status).toBe(204)
    expect((await api.get(`/api/v4/sources/${id}`)).body.pipeline_id).toBe(await mainPipeline(api))
  })

  test('an integration only sees, changes and deletes its own sources', async () => {
    const here = await world()
    const mine = await connected(here)
    const other = await connected(here, { name: 'Other' })
    const seller = await here.addPerson({ name: 'Sam' })
    const [{ id }] = (await mine.api.get('/api/v4/sources')).body._embedded.sources
    expect((await other.api.get(`/api/v4/sources/${id}`)).status).toBe(404)
    expect((await other.api.patch(`/api/v4/sources/${id}`, { name: 'X' })).status).toBe(404)
    expect((await other.api.delete(`/api/v4/sources/${id}`)).status).toBe(404)
    expect((await here.stranger.get('/api/v4/sources')).status).toBe(401)
    expect((await seller.browser.get('/web/v4/sources')).status).toBe(403)
    expect((await mine.api.get(`/api/v4/sources/${id}`)).status).toBe(200)
  })
})

describe('The source of a lead (R26)', () => {
  const sourced = (external_id: string, more = {}) => ({
    ...more,
    _embedded: { source: { external_id, type: 'widget' } },
  })

  /** Two sources of an integration; the second one has a pipeline of its own. */
  async function withSources() {
    const here = await world()
    const { api } = await connected(here, { multiple_sources: true })
    const [side] = await addPipelines(here, wholesale)
    const added = await api.post('/api/v4/sources', [
      { name: 'One', external_id: 'one' },
      { name: 'Two', external_id: 'two', pipeline_id: side.id },
    ])
    const [one, two] = added.body._embedded.sources.map(({ id }: { id: number }) => id)
    return { here, api, side, one, two, main: await mainPipeline(api) }
  }

  test('is named by its external id, and gives the pipeline', async () => {
    const { api, side, one, two, main } = await withSources()
    const first = side._embedded.statuses[1]?.id
    const ids = await addAll(api, 'leads', [
      sourced('one'),
      sourced('two'),
      sourced('two', { pipeline_id: main }),
      sourced('two', { status_id: 142 }),
      { name: 'Alone' },
    ])
    const shown = async (id: number, names = '') => (await api.get(`/api/v4/leads/${id}${names}`)).body
    const leads = await Promise.all(ids.map((id) => shown(id)))
    expect(leads.map(({ source_id, pipeline_id }) => [source_id, pipeline_id])).toEqual([
      [one, main],
      [two, side.id],
      [two, main],
      [two, side.id],
      [null, main],
    ])
    expect([leads[1].status_id, leads[3].status_id]).toEqual([first, 142])
    const listed = (await api.get('/api/v4/leads?with=source&order[id]=asc')).body._embedded.leads
    expect(listed.map(({ _embedded }: { _embedded: { source: unknown } }) => _embedded.source)).toEqual([
      { id: one, name: 'One' },
      { id: two, name: 'Two' },
      { id: two, name: 'Two' },
      { id: two, name: 'Two' },
      null,
    ])
    await api.delete(`/api/v4/sources/${one}`)
    const gone = await shown(ids[0] as number, '?with=source')
    expect([gone.source_id, gone._embedded.source]).toEqual([one, null])
    // It is that of a new lead.
    await api.patch(`/api/v4/leads/${ids[0]}`, sourced('two'))
    expect((await shown(ids[0] as number)).source_id).toBe(one)
  })

  test('of leads/complex gives the pipeline, also of an incoming lead', async () => {
    const { api, side, two } = await withSources()
    const metadata = { category: 'forms', form_id: 1, form_name: 'Ask', form_page: 'https://shop.example' }
    const { source } = sourced('two')._embedded
    const added = await api.post('/api/v4/leads/complex', [
      { _embedded: { source, contacts: [{ name: 'Ann' }] } },
      { _embedded: { source, metadata } },
    ])
    const leads = await Promise.all(
      added.body.map(async ({ id }: { id: number }) => (await api.get(`/api/v4/leads/${id}`)).body),
    )
    const [unsorted, first] = side._embedded.statuses
    expect(leads.map(({ source_id, pipeline_id, status_id }) => [source_id, pipeline_id, status_id])).toEqual(
      [
        [two, side.id, first?.id],
        [two, side.id, unsorted?.id],
      ],
    )
  })

  test('must be one of the calling integration', async () => {
    const { here, api } = await withSources()
    const before = await traces(here.ctx)
    const other = (await connected(here, { multiple_sources: true })).api
    const refused = async (caller: Client, path: string) =>
      faultsOf(await caller.post(path, [{ name: 'A' }, sourced('one'), sourced('none', { request_id: 'b' })]))
    const path = '_embedded.source.external_id'
    expect(await refused(api, '/api/v4/leads')).toEqual([400, `b NotSupportedChoice ${path}`])
    expect(await refused(api, '/api/v4/leads/complex')).toEqual([400, `b NotSupportedChoice ${path}`])
    const both = [400, `1 NotSupportedChoice ${path}`, `b NotSupportedChoice ${path}`]
    expect(await refused(other, '/api/v4/leads')).toEqual(both)
    expect(await refused(here.admin.browser, '/web/v4/leads')).toEqual(both)
    expect(await traces(here.ctx)).toEqual(before)
  })
})
