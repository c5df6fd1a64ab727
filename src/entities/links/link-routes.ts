import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { LinkRow } from '../../db/tables.ts'
import { invalid, invalidChoice } from '../../errors.ts'
import { Self, wholeList } from '../../http/hal.ts'
import type { RequestOf } from '../../http/operation.ts'
import { listOf, partsOf, type Query, type QueryValue, textOf } from '../../http/queries/bracket-query.ts'
import {
  type Addressed,
  KeysetList,
  KeysetPaged,
  keysetPage,
  originOf,
  pageOf,
  positionOf,
} from '../../http/queries/paging.ts'
import { one, several } from '../../http/queries/query-parameters.ts'
import { numberOf } from '../../http/queries/query-values.ts'
import { loadAccess } from '../records/access.ts'
import { batchOf, RequestId } from '../records/draft-schemas.ts'
import { type CardType, type EntityType, entityTypes, isEntityType } from '../records/entity-types.ts'
import { MAIN_CONTACT } from '../records/link-types.ts'
import {
  type LinkDraft,
  type LinkedKind,
  type LinkFilter,
  type LinkPlace,
  type LinksPage,
  linkRecords,
  listLinks,
  listLinksOf,
  requestedLinks,
  unlinkRecords,
} from './link-list.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const ById = Type.Object({ id: Id })
const Metadata = Type.Union(
  [
    Type.Null(),
    Type.Object({
      quantity: Type.Optional(Type.Number({ minimum: 0, maximum: 1e15 })),
      // Typed clients write every member of the metadata, with 0 for the list of a record that is in none.
      catalog_id: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      is_main: Type.Optional(Type.Boolean({ description: 'Of a contact: whether it is the main one.' })),
      main_contact: Type.Optional(Type.Boolean({ description: 'As `is_main`, under the name in answers.' })),
      price_id: Type.Optional(Type.Union([Id, Type.Null()])),
      updated_by: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    }),
  ],
  { description: 'Of a main contact, or of an element of a list.' },
)
const written = {
  to_entity_id: Id,
  to_entity_type: Type.Enum(Object.keys(entityTypes) as EntityType[]),
  metadata: Type.Optional(Metadata),
  request_id: RequestId,
}
export const NewLinks = Type.Array(Type.Object(written, { title: 'NewLink' }), batchOf)
const NewLinksOfMany = Type.Array(
  Type.Object({ entity_id: Id, ...written }, { title: 'NewLinkOfRecord' }),
  batchOf,
)

const ShownLink = Type.Object(
  {
    entity_id: Type.Optional(Type.Integer()),
    entity_type: Type.Optional(Type.String()),
    to_entity_id: Type.Integer(),
    to_entity_type: Type.String(),
    metadata: Type.Union(
      [
        Type.Null(),
        Type.Object({
          main_contact: Type.Boolean({ description: 'Whether it is the main contact of the lead.' }),
        }),
        Type.Object({
          quantity: Type.Number(),
          catalog_id: Type.Integer(),
          price_id: Type.Union([Type.Integer(), Type.Null()]),
        }),
      ],
      {
        description: 'Of a contact of a lead, or of an element of a list, from either side. Otherwise null.',
      },
    ),
  },
  { title: 'RecordLink' },
)
export const LinkList = Type.Object({
  _total_items: Type.Integer(),
  _links: Self,
  _embedded: Type.Object({ links: Type.Array(ShownLink) }),
})

/** Links in a page of a list. Few records have more, and clients of the platform expect all links in one answer. */
const LINKS = 1_000
export const LinksQuery = Type.Object({
  ...KeysetPaged.properties,
  limit: Type.Integer({ minimum: 1, maximum: LINKS, default: LINKS }),
})
export const LinkPage = KeysetList('links', ShownLink, { _total_items: Type.Integer() })

export const linkFiltersOf = (type: EntityType) => [
  ...one('filter[to_entity_id]', { type: 'integer' }, 'The id of the linked record.'),
  ...one(
    'filter[to_entity_type]',
    { type: 'string', enum: entityTypes[type].links },
    'The kind of the linked record.',
  ),
  ...one('filter[to_catalog_id]', { type: 'integer' }, 'The list of the linked element.'),
]

/** The records of which the links are listed. */
const ofRecords = (type: CardType) =>
  several('filter[entity_id]', RECORDS, `The ${type}.`).map((parameter) => ({ ...parameter, required: true }))

const RECORDS = { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 250 }

/** The operations on the links of one kind of record. */
const operationsOf = (type: CardType, { singular: one } = entityTypes[type]) => ({
  listOfOne: {
    operationId: `${one}.links.list`,
    summary: `Lists the links of one ${one}.`,
    returns: 'One page of up to a thousand links.',
    tags: ['Links'],
    parameters: linkFiltersOf(type),
    params: ById,
    querystring: LinksQuery,
    response: { 200: LinkPage },
  },
  list: {
    operationId: `${type}.links.list`,
    summary: `Lists the links of several ${type}.`,
    returns: 'One page of up to a thousand links.',
    tags: ['Links'],
    parameters: [...ofRecords(type), ...linkFiltersOf(type)],
    querystring: LinksQuery,
    response: { 200: LinkPage },
  },
  link: {
    operationId: `${type}.link`,
    summary: `Links one ${one} to other records.`,
    returns: 'The links that were requested, as they are now.',
    tags: ['Links'],
    params: ById,
    body: NewLinks,
    response: { 200: LinkList },
  },
  linkMany: {
    operationId: `${type}.link_many`,
    summary: `Links several ${type} to other records.`,
    returns: 'The links that were requested, as they are now.',
    tags: ['Links'],
    body: NewLinksOfMany,
    response: { 200: LinkList },
  },
  unlink: {
    operationId: `${type}.unlink`,
    summary: `Removes links of one ${one}.`,
    returns: 'The links were removed.',
    tags: ['Links'],
    params: ById,
    body: NewLinks,
  },
  unlinkMany: {
    operationId: `${type}.unlink_many`,
    summary: `Removes links of several ${type}.`,
    returns: 'The links were removed.',
    tags: ['Links'],
    body: NewLinksOfMany,
  },
})

type Operations = ReturnType<typeof operationsOf>

/** `/{kind}/{id}/links`, `/{kind}/{id}/link`, `/{kind}/{id}/unlink`, and their batch forms. */
export function linkRoutes(ctx: Context, type: CardType): FastifyPluginAsyncTypebox {
  const operations = operationsOf(type)
  return async (v4) => {
    v4.get(`/${type}/:id/links`, { schema: operations.listOfOne }, (request) =>
      answerLinks(ctx, { type }, request),
    )
    v4.get(`/${type}/links`, { schema: operations.list }, (request) => list(ctx, type, request))
    v4.post(`/${type}/:id/link`, { schema: operations.link }, (request) => link(ctx, { type }, request))
    v4.post(`/${type}/link`, { schema: operations.linkMany }, (request) => linkMany(ctx, type, request))
    v4.post(`/${type}/:id/unlink`, { schema: operations.unlink }, async (request, reply) => {
      await unlink(ctx, { type }, request)
      return reply.code(204).send()
    })
    v4.post(`/${type}/unlink`, { schema: operations.unlinkMany }, async ({ actor, body }, reply) => {
      await unlinkRecords(ctx, actor, { type }, draftsOfMany(body), 'item')
      return reply.code(204).send()
    })
  }
}

/** The links of one record. */
export async function answerLinks(
  ctx: Context,
  kind: LinkedKind,
  request: RequestOf<Operations['listOfOne']>,
) {
  const access = await loadAccess(ctx.db, request.actor)
  const filter = filterOf(kind.type, request.query as unknown as Query)
  const found = await listLinksOf(ctx, access, kind, request.params.id, filter, placeOf(request.query))
  return onePage(request, found, shown)
}

async function list(ctx: Context, type: CardType, request: RequestOf<Operations['list']>) {
  const access = await loadAccess(ctx.db, request.actor)
  const query = request.query as unknown as Query
  const filter = filterOf(type, query)
  const found = await listLinks(ctx, access, type, idsOf(query.filter), filter, placeOf(request.query))
  return onePage(request, found, shownWithRecord)
}

const placeOf = (query: Static<typeof LinksQuery>): LinkPlace => ({
  ...pageOf(query),
  after: positionOf(query),
})

function onePage(
  request: Addressed & { query: Static<typeof LinksQuery> },
  { rows, next, total }: LinksPage,
  show: (row: LinkRow) => object,
) {
  const { _page, _links } = keysetPage(request, pageOf(request.query), next)
  return { _total_items: total, _page, _links, _embedded: { links: rows.map(show) } } as never
}

/** Links one record. */
export async function link(ctx: Context, kind: LinkedKind, request: RequestOf<Operations['link']>) {
  const drafts = draftsOf(request.params.id, request.body)
  await linkRecords(ctx, request.actor, kind, drafts, 'path')
  return answer(request, await made(ctx, kind.type, request, drafts))
}

/** Removes links of one record. */
export async function unlink(ctx: Context, kind: LinkedKind, request: RequestOf<Operations['unlink']>) {
  await unlinkRecords(ctx, request.actor, kind, draftsOf(request.params.id, request.body), 'path')
}

async function linkMany(ctx: Context, type: CardType, request: RequestOf<Operations['linkMany']>) {
  const drafts = draftsOfMany(request.body)
  await linkRecords(ctx, request.actor, { type }, drafts, 'item')
  return answer(request, await made(ctx, type, request, drafts))
}

async function made(ctx: Context, type: EntityType, { actor }: FastifyRequest, drafts: LinkDraft[]) {
  const rows = await requestedLinks(ctx, await loadAccess(ctx.db, actor), type, drafts)
  return rows.map(shownWithRecord)
}

interface WrittenLink {
  to_entity_id: number
  to_entity_type: string
  metadata?: {
    quantity?: number
    catalog_id?: number
    is_main?: boolean
    main_contact?: boolean
    price_id?: number | null
  } | null
  request_id?: string | number
}

/** Copies the known members only: below the address of a record, an `entity_id` in an item is ignored. */
const draftOf = (
  entity_id: number,
  { to_entity_id, to_entity_type, metadata, request_id }: WrittenLink,
): LinkDraft => ({
  entity_id,
  to_entity_id,
  to_entity_type,
  request_id,
  is_main: metadata?.is_main ?? metadata?.main_contact,
  quantity: metadata?.quantity,
  catalog_id: metadata?.catalog_id || undefined,
  price_id: metadata?.price_id,
})

const draftsOf = (entity_id: number, items: WrittenLink[]) => items.map((item) => draftOf(entity_id, item))

const draftsOfMany = (items: (WrittenLink & { entity_id: number })[]) =>
  items.map((item) => draftOf(item.entity_id, item))

const answer = (request: FastifyRequest, links: object[]) =>
  wholeList('links', links, originOf(request) + request.url) as never

const shownWithRecord = (row: LinkRow) => ({
  entity_id: row.entity_id,
  entity_type: row.entity_type,
  ...shown(row),
})

function shown({
  entity_type,
  to_entity_id,
  to_entity_type,
  is_main,
  quantity,
  catalog_id,
  price_id,
}: LinkRow) {
  const hasMain = to_entity_type === 'contacts' && MAIN_CONTACT.includes(entity_type)
  // A link is the same from either side, and so is what an element has in it.
  const metadata =
    entity_type === 'catalog_elements' || to_entity_type === 'catalog_elements'
      ? { quantity: quantity ?? 1, catalog_id: catalog_id ?? 0, price_id }
      : hasMain
        ? { main_contact: is_main === 1 }
        : null
  return { to_entity_id, to_entity_type, metadata }
}

const MAX_RECORDS = 250

function idsOf(filter: QueryValue | undefined): number[] {
  const ids = listOf(partsOf(filter).entity_id).map((id) => numberOf('filter.entity_id', id))
  if (ids.length === 0) throw invalid('filter.entity_id', 'FieldMissing', 'This field is missing.')
  if (ids.length > MAX_RECORDS)
    throw invalid('filter.entity_id', 'TooMany', `This filter accepts at most ${MAX_RECORDS} values.`)
  return ids
}

/** `filter[to_entity_id]`, `filter[to_entity_type]` and `filter[to_catalog_id]`, alone or combined. */
function filterOf(type: EntityType, { filter }: Query): LinkFilter {
  const { to_entity_id, to_entity_type, to_catalog_id } = partsOf(filter)
  const one = (name: string, value: QueryValue | undefined) =>
    value === undefined ? null : numberOf(`filter.${name}`, textOf(value))
  const kinds: readonly string[] = entityTypes[type].links
  if (
    to_entity_type !== undefined &&
    !(isEntityType(textOf(to_entity_type)) && kinds.includes(textOf(to_entity_type)))
  )
    throw invalidChoice('filter.to_entity_type', kinds)
  return {
    to_entity_id: one('to_entity_id', to_entity_id),
    to_entity_type: (to_entity_type as LinkFilter['to_entity_type'] | undefined) ?? null,
    to_catalog_id: one('to_catalog_id', to_catalog_id),
  }
}
