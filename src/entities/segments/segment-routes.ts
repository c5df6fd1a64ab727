import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { ById, Name } from '../../accounts/members/schemas.ts'
import type { Context } from '../../context.ts'
import {
  type FieldSet,
  findFields,
  parseStored,
  ShownValues,
  showValues,
  WrittenValues,
} from '../../custom-fields/custom-fields.ts'
import { ANY_CASE } from '../../http/bodies/lenient-bodies.ts'
import { Self, self } from '../../http/hal.ts'
import { baseOf, CountedList, countedPage, Paged, pageOf } from '../../http/queries/paging.ts'
import { segmentColors } from './segment-types.ts'
import {
  addSegment,
  type CountedSegment,
  changeSegment,
  listSegments,
  readSegment,
  removeSegment,
} from './segments.ts'

const PRICE_TYPES = 'The ids of fields with prices. Stored as they were sent.'

const Segment = Type.Object(
  {
    id: Type.Integer(),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    account_id: Type.Integer(),
    name: Type.String(),
    color: Type.String({ description: 'Without `#`.' }),
    available_products_price_types: Type.Array(Type.Integer(), { description: PRICE_TYPES }),
    customers_count: Type.Integer({ description: 'Customers outside the trash.' }),
    custom_fields_values: ShownValues,
    filter: Type.Union([Type.String(), Type.Null()], {
      description: 'The query of a list of customers, which chooses members. Not on the platform.',
    }),
    _links: Self,
  },
  { title: 'Segment' },
)
type Segment = Static<typeof Segment>

const written = {
  color: Type.Optional(Type.Enum([...segmentColors], { format: ANY_CASE })),
  available_products_price_types: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      maxItems: 250,
      description: PRICE_TYPES,
    }),
  ),
  custom_fields_values: Type.Optional(WrittenValues),
  filter: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 8_000 }), Type.Null()], {
      description: 'Null: members are chosen by hand only. Not on the platform.',
    }),
  ),
}
const NewSegment = Type.Object({ name: Name(255), ...written }, { title: 'NewSegment' })
const SegmentPatch = Type.Object({ name: Type.Optional(Name(255)), ...written }, { title: 'SegmentPatch' })

const AT = '/customers/segments'
const operations = {
  list: {
    operationId: 'customers.segments.list',
    summary: 'Lists the segments of customers.',
    returns: 'One page of segments.',
    tags: ['Customers'],
    querystring: Paged,
    response: { 200: CountedList('segments', Segment) },
  },
  get: {
    operationId: 'customers.segments.get',
    summary: 'Shows one segment of customers.',
    returns: 'The segment.',
    tags: ['Customers'],
    params: ById,
    response: { 200: Segment },
  },
  create: {
    operationId: 'customers.segments.create',
    summary: 'Adds a segment of customers.',
    returns: 'The new segment.',
    tags: ['Customers'],
    body: NewSegment,
    response: { 200: Segment },
  },
  update: {
    operationId: 'customers.segments.update',
    summary: 'Changes one segment of customers.',
    returns: 'The segment after the change.',
    tags: ['Customers'],
    params: ById,
    body: SegmentPatch,
    response: { 200: Segment },
  },
  remove: {
    operationId: 'customers.segments.delete',
    summary: 'Deletes one segment. Its customers stay.',
    returns: 'The segment was deleted.',
    tags: ['Customers'],
    params: ById,
  },
}

/** `/customers/segments`. Everybody can read segments, administrators can change them. */
export function segmentRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const one = async (request: FastifyRequest, id: number): Promise<Segment> => {
      const segment = await readSegment(ctx, request.actor, id)
      return viewIn(base(request), await segmentFields(ctx, request))(segment)
    }
    v4.get(AT, { schema: operations.list }, async (request) => {
      const page = pageOf(request.query)
      const all = await listSegments(ctx, request.actor)
      const view = viewIn(base(request), await segmentFields(ctx, request))
      const segments = all.slice(page.offset, page.offset + page.limit).map(view)
      return { ...countedPage(request, page, all.length), _embedded: { segments } }
    })
    v4.get(`${AT}/:id`, { schema: operations.get }, (request) => one(request, request.params.id))
    v4.post(AT, { schema: operations.create }, async (request) =>
      one(request, await addSegment(ctx, request.actor, request.body)),
    )
    v4.patch(`${AT}/:id`, { schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      await changeSegment(ctx, actor, params.id, body)
      return one(request, params.id)
    })
    v4.delete(`${AT}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await removeSegment(ctx, actor, params.id)
      return reply.code(204).send()
    })
  }
}

const segmentFields = (ctx: Context, { actor }: FastifyRequest) =>
  findFields(ctx.db, actor.account_id, 'segments')

const viewIn =
  (base: string, fields: FieldSet) =>
  (row: CountedSegment): Segment => ({
    id: row.id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    account_id: row.account_id,
    name: row.name,
    color: row.color,
    available_products_price_types: JSON.parse(row.price_types),
    customers_count: row.customers_count,
    custom_fields_values: showValues(fields, parseStored(row.field_values)),
    filter: row.filter,
    _links: self(`${base}${AT}/${row.id}`),
  })
