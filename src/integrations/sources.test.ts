import { describe, expect, test } from 'vitest'
import { connect, register } from '../../test/integrations.ts'
import { type World, world } from '../../test/world.ts'

/** The caller with a token of a new integration. */
async function connected({ admin, stranger }: World, draft = {}) {
  const shop = await register(admin, draft)
  return { shop, api: stranger.as({ token: (await connect(stranger, shop)).access_token }) }
}

describe('Multiple sources (A14)', () => {
  test('without the checkbox an installation creates one default source', async () => {
    const here = await world()
    const { api, shop } = await connected(here)
    const { status, headers, body } = await api.get('/api/v4/sources')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/hal+json')
    const id = body._embedded.sources[0].id
    expect(body).toEqual({
      _total_items: 1,
      _links: { self: { href: 'http://demo.localhost:8080/api/v4/sources' } },
      _embedded: {
        sources: [
          {
            id,
            name: 'Shop',
            pipeline_id: null,
            external_id: shop.client_id,
            default: true,
            origin_code: null,
            services: [],
            _links: { self: { href: `http://demo.localhost:8080/api/v4/sources/${id}` } },
          },
        ],
      },
    })
  })

  test('with it none, and the integration creates every source it needs', async () => {
    const { api } = await connected(await world(), { multiple_sources: true })
    expect((await api.get('/api/v4/sources')).body._embedded.sources).toEqual([])
    const drafts = [
      { name: 'One', external_id: 'one', default: true, request_id: 'r1' },
      {
        name: 'Two',
        external_id: 'two',
        pipeline_id: 5,
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
        pipeline_id: 5,
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

  test('a bad batch leaves nothing', async () => {
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
    for (const body of [
      [
        { id: one.id, name: 'X' },
        { id: 999_999, name: 'Y' },
      ],
    ])
      expect((await api.patch('/api/v4/sources', body)).status).toBe(404)
    expect((await api.delete('/api/v4/sources', [{ id: one.id }, { id: 999_999 }])).status).toBe(404)
    expect((await api.get('/api/v4/sources')).body._embedded.sources).toEqual([one])
  })

  test('only the own sources are seen, changed and deleted', async () => {
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
