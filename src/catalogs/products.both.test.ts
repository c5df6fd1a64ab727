import { expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { world } from '../../test/world.ts'

const AT = '/web/v4/catalogs/products/settings'

test('products that several requests enable at the same time have one list with its fields', async () => {
  const { browser } = (await world()).admin
  const answers = await Promise.all([1, 2, 3].map(() => browser.patch(AT, { is_enabled: true })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const { catalogs } = (await browser.get('/web/v4/catalogs')).body._embedded
  expect(catalogs.map(({ type }: { type: string }) => type)).toEqual(['products'])
  const fields = (await browser.get(`/web/v4/catalogs/${catalogs[0].id}/custom_fields`)).body
  expect(fields._embedded.custom_fields).toHaveLength(5)
})

test('enabling products creates their list with its fields once; disabling hides it', async () => {
  const all = await world()
  const { browser } = all.admin
  const _links = { self: { href: `http://demo.localhost:8080${AT}` } }
  expect((await browser.get(AT)).body).toEqual({
    is_enabled: false,
    catalog_id: null,
    sums_leads: false,
    _links,
  })
  const enabled = await browser.patch(AT, { is_enabled: true })
  const catalog_id = enabled.body.catalog_id
  expect([enabled.status, enabled.body]).toEqual([
    200,
    { is_enabled: true, catalog_id: expect.any(Number), sums_leads: false, _links },
  ])
  const list = (await browser.get(`/web/v4/catalogs/${catalog_id}`)).body
  expect([list.name, list.type, list.can_show_in_cards]).toEqual(['Products', 'products', true])
  const fields = (await browser.get(`/web/v4/catalogs/${catalog_id}/custom_fields`)).body
  expect(
    fields._embedded.custom_fields.map(({ code, type }: { code: string; type: string }) => [code, type]),
  ).toEqual([
    ['SKU', 'text'],
    ['DESCRIPTION', 'textarea'],
    ['PRICE', 'price'],
    ['GROUP', 'category'],
    ['EXTERNAL_ID', 'text'],
  ])
  expect((await browser.patch(AT, { is_enabled: false })).body).toEqual({
    is_enabled: false,
    catalog_id,
    sums_leads: false,
    _links,
  })
  expect((await browser.patch(AT, { is_enabled: true })).body.catalog_id).toBe(catalog_id)
  const again = (await browser.get(`/web/v4/catalogs/${catalog_id}/custom_fields`)).body
  expect(again._embedded.custom_fields).toHaveLength(5)
})

test('a change of the settings names one or more of them', async () => {
  const { admin } = await world()
  for (const body of [{}, { is_enabled: null, sums_leads: null }]) {
    const refused = await admin.browser.patch(AT, body)
    expect([refused.status, refused.body['validation-errors']]).toEqual([
      400,
      [
        {
          request_id: '0',
          errors: [
            {
              code: 'FieldMissing',
              path: 'is_enabled',
              detail: 'One or more of these fields are required: is_enabled, sums_leads.',
            },
          ],
        },
      ],
    ])
  }
})

test('the older address has the same setting, as JSON and as a form', async () => {
  const all = await world()
  const { access_token } = await connect(all.stranger, await register(all.admin))
  const v2 = all.stranger.as({ token: access_token })
  const enabled = await v2.post('/api/v2/products_settings', { enabled: true })
  expect([enabled.status, enabled.body]).toEqual([
    200,
    {
      is_enabled: true,
      catalog_id: expect.any(Number),
      _links: { self: { href: '/api/v2/products_settings', method: 'post' } },
    },
  ])
  expect((await all.admin.browser.get(AT)).body.is_enabled).toBe(true)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await v2.post('/api/v2/products_settings', 'enabled=0', form)).body.is_enabled).toBe(false)
  expect((await v2.get('/api/v2/products_settings')).body.is_enabled).toBe(false)
  const person = await all.addPerson()
  expect([
    (await person.browser.get(AT)).status,
    (await person.browser.patch(AT, { is_enabled: true })).status,
    (await all.stranger.get('/api/v2/products_settings')).status,
  ]).toEqual([200, 403, 401])
})
