import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { ById } from '../../accounts/members/schemas.ts'
import type { Context } from '../../context.ts'
import type { TagRow } from '../../db/tables.ts'
import { ANY_CASE } from '../../http/bodies/lenient-bodies.ts'
import { Self, wholeList, withRequestIds } from '../../http/hal.ts'
import { listOf, partsOf, type QueryValue, textOf } from '../../http/queries/bracket-query.ts'
import { baseOf, Paged, pageLinks, pageOf } from '../../http/queries/paging.ts'
import { ids, one, texts } from '../../http/queries/query-parameters.ts'
import { numberOf } from '../../http/queries/query-values.ts'
import { batchOf, RequestId } from '../records/draft-schemas.ts'
import type { CardType } from '../records/entity-types.ts'
import { ShownTag } from '../records/record-schemas.ts'
import { addTags, listTags } from './tag-list.ts'
import { changeTags, readTag, removeTag, type TagPatch } from './tag-settings.ts'
import { haveColors } from './tags.ts'

/** Colours of tags of leads. */
// biome-ignore format: a table
const tagColors = [
  'EBEBEB', 'D0D0D0', 'F2DDF7', 'D1A4DC', 'FF8F92', 'FFC8C8', 'C7DB8C', 'DDEBB5', '8699DA', 'AABDFF', 'FFCE5A', 'FFE193',
  '90CDB0', 'C6F4DE', 'A9A5D7', 'D8D5FF', '86C0FC', '832161', '6A0F49', '0C7C59', '10599D', '9D2B32', '247BA0',
] as const

const Links = Type.Object({
  self: Type.Object({ href: Type.String() }),
  next: Type.Optional(Type.Object({ href: Type.String() })),
  prev: Type.Optional(Type.Object({ href: Type.String() })),
})
const TagList = Type.Object({
  _page: Type.Integer(),
  _links: Links,
  _embedded: Type.Object({ tags: Type.Array(ShownTag) }),
})
/** The tags of the items of a request. */
const AnsweredTags = Type.Object({
  _total_items: Type.Integer(),
  _links: Self,
  _embedded: Type.Object({
    tags: Type.Array(
      Type.Object({ ...ShownTag.properties, request_id: Type.Union([Type.String(), Type.Integer()]) }),
    ),
  }),
})

const TagNameText = Type.String({ minLength: 1, maxLength: 255 })
const colorOf = (type: CardType) =>
  haveColors(type) && {
    color: Type.Optional(
      Type.Union([Type.Enum([...tagColors], { format: ANY_CASE }), Type.Null()], {
        description: 'Six hexadecimal digits, without `#`. Null: no colour.',
      }),
    ),
  }
const NewTag = (type: CardType) => Type.Object({ name: TagNameText, ...colorOf(type), request_id: RequestId })
const ChangedTag = (type: CardType) => Type.Object({ name: Type.Optional(TagNameText), ...colorOf(type) })

/** The operations on the tags of one kind of record. */
const operationsOf = (type: CardType) => ({
  list: {
    operationId: `${type}.tags.list`,
    summary: `Lists the tags that ${type} have.`,
    returns: 'One page of tags.',
    tags: ['Tags'],
    parameters: [
      ...one('query', { type: 'string' }, 'Words of the name, or parts of them.'),
      ...texts('name'),
      ...ids('id'),
    ],
    querystring: Paged,
    response: { 200: TagList },
  },
  create: {
    operationId: `${type}.tags.create`,
    summary: `Adds tags for ${type}.`,
    returns: 'The new tags.',
    tags: ['Tags'],
    body: Type.Array(NewTag(type), batchOf),
    response: { 200: AnsweredTags },
  },
  updateMany: {
    operationId: `${type}.tags.update_many`,
    summary: `Changes tags of ${type}, all of the batch or none.`,
    returns: 'The tags after the change.',
    tags: ['Tags'],
    body: Type.Array(
      Type.Object({ ...ChangedTag(type).properties, ...ById.properties, request_id: RequestId }),
      batchOf,
    ),
    response: { 200: AnsweredTags },
  },
  get: {
    operationId: `${type}.tags.get`,
    summary: `Shows one tag of ${type}.`,
    returns: 'The tag.',
    tags: ['Tags'],
    params: ById,
    response: { 200: ShownTag },
  },
  update: {
    operationId: `${type}.tags.update`,
    summary: `Changes one tag of ${type}.`,
    returns: 'The tag after the change.',
    tags: ['Tags'],
    params: ById,
    body: ChangedTag(type),
    response: { 200: ShownTag },
  },
  remove: {
    operationId: `${type}.tags.delete`,
    summary: `Deletes one tag and takes it from all ${type}.`,
    returns: 'The tag was deleted.',
    tags: ['Tags'],
    params: ById,
  },
})

/** `/{kind}/tags`. */
export function tagRoutes(ctx: Context, type: CardType): FastifyPluginAsyncTypebox {
  const operations = operationsOf(type)
  return async (v4) => {
    const base = baseOf(v4)
    v4.get(`/${type}/tags`, { schema: operations.list }, async (request) => {
      const { filter, query } = request.query as { filter?: QueryValue; query?: QueryValue }
      const page = pageOf(request.query)
      const named = partsOf(filter)
      const { tags, hasNext } = await listTags(ctx, request.actor, type, {
        ids: listOf(named.id).map((id) => numberOf('filter.id', id)),
        names: typeof named.name === 'string' ? [named.name] : listOf(named.name),
        query: textOf(query),
        page,
      })
      return { _page: page.page, _links: pageLinks(request, page, hasNext), _embedded: { tags } }
    })
    v4.post(`/${type}/tags`, { schema: operations.create }, async (request) => {
      const body = request.body as { name: string; color?: string | null; request_id?: string | number }[]
      const tags = await addTags(ctx, request.actor, type, body)
      return wholeList('tags', withRequestIds(tags, body), `${base(request)}/${type}/tags`)
    })
    v4.patch(`/${type}/tags`, { schema: operations.updateMany }, async (request) => {
      const patches = request.body as TagPatch[]
      const tags = await changeTags(ctx, request.actor, type, patches, 'item')
      return wholeList('tags', withRequestIds(tags, patches), `${base(request)}/${type}/tags`)
    })
    v4.get(`/${type}/tags/:id`, { schema: operations.get }, async ({ actor, params }) =>
      readTag(ctx, actor, type, params.id),
    )
    v4.patch(`/${type}/tags/:id`, { schema: operations.update }, async ({ actor, params, body }) => {
      const [tag] = await changeTags(ctx, actor, type, [{ ...(body as object), id: params.id }], 'path')
      return tag as TagRow
    })
    v4.delete(`/${type}/tags/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await removeTag(ctx, actor, type, params.id)
      return reply.code(204).send()
    })
  }
}
