import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { Self, self } from '../http/hal.ts'
import { baseOf } from '../http/queries/paging.ts'
import { changeProducts, readProducts } from './products.ts'

const catalog_id = Type.Union([Type.Integer(), Type.Null()], {
  description: 'The list of products; null before products were enabled for the first time.',
})
const is_enabled = Type.Boolean({ description: 'Whether the account has a list of products.' })
const sums_leads = Type.Boolean({
  description: 'Whether the price of a lead is the sum of its products: quantity by price.',
})
const Settings = Type.Object(
  { is_enabled, catalog_id, sums_leads, _links: Self },
  { title: 'ProductsSettings' },
)
/** The older name of the same operation. `enabled` is a text in a form. */
const SettingsV2 = Type.Object({
  is_enabled,
  catalog_id,
  _links: Type.Object({ self: Type.Object({ href: Type.String(), method: Type.String() }) }),
})

const operations = {
  get: {
    operationId: 'catalogs.products.settings.get',
    summary: 'Shows whether products are enabled.',
    returns: 'The settings of products.',
    tags: ['Lists'],
    response: { 200: Settings },
  },
  update: {
    operationId: 'catalogs.products.settings.update',
    summary: 'Enables or disables products. Enabling creates their list and its fields.',
    returns: 'The settings after the change.',
    tags: ['Lists'],
    body: Type.Object(
      { is_enabled: Type.Optional(is_enabled), sums_leads: Type.Optional(sums_leads) },
      { title: 'ProductsSettingsPatch', minProperties: 1 },
    ),
    response: { 200: Settings },
  },
  getV2: {
    operationId: 'legacy.products_settings.get',
    summary: 'Shows whether products are enabled.',
    returns: 'The settings of products.',
    tags: ['Legacy'],
    response: { 200: SettingsV2 },
  },
  updateV2: {
    operationId: 'legacy.products_settings.update',
    summary: 'Enables or disables products.',
    returns: 'The settings after the change.',
    tags: ['Legacy'],
    body: Type.Object({
      enabled: Type.Union([Type.Boolean(), Type.Enum(['1', '0', 'true', 'false', ''])], {
        description: 'Whether the account has a list of products. A text in a form.',
      }),
    }),
    response: { 200: SettingsV2 },
  },
}

const AT = '/catalogs/products/settings'

/** `/api/v4/catalogs/products/settings`. Everybody can read, administrators can write. */
export function productsSettingsRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.get(AT, { schema: operations.get }, async (request) => ({
      ...(await readProducts(ctx, request.actor)),
      _links: self(base(request) + AT),
    }))
    v4.patch(AT, { schema: operations.update }, async (request) => ({
      ...(await changeProducts(ctx, request.actor, request.body)),
      _links: self(base(request) + AT),
    }))
  }
}

const linksV2 = (method: 'get' | 'post') => ({ self: { href: '/api/v2/products_settings', method } })

/** `/api/v2/products_settings`, which most clients call. */
export function productsSettingsV2Routes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v2) => {
    v2.get('/products_settings', { schema: operations.getV2 }, async ({ actor }) => ({
      ...(await readProducts(ctx, actor)),
      _links: linksV2('get'),
    }))
    v2.post('/products_settings', { schema: operations.updateV2 }, async ({ actor, body }) => ({
      ...(await changeProducts(ctx, actor, { is_enabled: [true, '1', 'true'].includes(body.enabled) })),
      _links: linksV2('post'),
    }))
  }
}
