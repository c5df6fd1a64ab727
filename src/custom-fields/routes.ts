import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { invalidChoice } from '../errors.ts'
import { answersTexts } from '../http/bodies/json-text.ts'
import { wholeList, withRequestIds } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import type { RequestOf } from '../http/operation.ts'
import { listOf, partsOf, type QueryValue } from '../http/queries/bracket-query.ts'
import { baseOf, countedPage, pageLinks, pageOf } from '../http/queries/paging.ts'
import { directionOf, numberOf } from '../http/queries/query-values.ts'
import { fieldTypeNames } from './fields/field-types.ts'
import type { Field } from './fields/fields.ts'
import {
  addFields,
  changeFields,
  type FieldHooks,
  readField,
  readFields,
  removeField,
} from './settings/field-changes.ts'
import { fieldText, fieldView } from './settings/field-view.ts'
import { groupRoutes } from './settings/group-routes.ts'
import {
  collectionOf,
  fieldOperations,
  type Place,
  pathOf,
  places,
  usageOperation,
} from './settings/operations.ts'
import { usageOf } from './settings/usage.ts'

/** Lists of choices can be long. */
const BODY_LIMIT = 1_048_576

/** `/{leads|contacts|companies|customers|customers/segments|catalogs/{id}}/custom_fields`, and their groups. */
export function customFieldRoutes(ctx: Context, hooks: FieldHooks): FastifyPluginAsyncTypebox {
  return async (v4) => {
    for (const place of places) await mount(v4, fieldRoutes(ctx, hooks, place))
    await mount(v4, groupRoutes(ctx, hooks))
  }
}

/** The fields of one place, as one surface serves them. */
interface FieldResource {
  ctx: Context
  hooks: FieldHooks
  place: Place
  base: (request: FastifyRequest) => string
}

type Operations = ReturnType<typeof fieldOperations>

function fieldRoutes(ctx: Context, hooks: FieldHooks, place: Place): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const resource: FieldResource = { ctx, hooks, place, base: baseOf(v4) }
    const operations = fieldOperations(place)
    const path = `${place.path}/custom_fields`

    v4.get(path, { schema: operations.list }, (request, reply) => list(resource, request, reply))
    v4.get(`${path}/:id`, { schema: operations.get }, (request) => get(resource, request))
    // Ours: what deleting the field would affect.
    v4.get(`${path}/:id/usage`, { schema: usageOperation(place) }, async ({ actor, params }) => ({
      records: await usageOf(ctx, hooks, actor, collectionOf(place, params), params.id),
    }))
    v4.post(path, { bodyLimit: BODY_LIMIT, schema: operations.create }, (request, reply) =>
      create(resource, request, reply),
    )
    v4.patch(path, { bodyLimit: BODY_LIMIT, schema: operations.updateMany }, (request) =>
      updateMany(resource, request),
    )
    v4.patch(`${path}/:id`, { bodyLimit: BODY_LIMIT, schema: operations.update }, (request) =>
      update(resource, request),
    )
    v4.delete(`${path}/:id`, { schema: operations.remove }, async ({ actor, params, query }, reply) => {
      await removeField(ctx, hooks, actor, collectionOf(place, params), params.id, query.origin)
      return reply.code(204).send()
    })
  }
}

async function list(resource: FieldResource, request: RequestOf<Operations['list']>, reply: FastifyReply) {
  const { ctx, hooks, place } = resource
  const selection = readSelection(request.query)
  const { list } = await readFields(ctx, hooks, request.actor, collectionOf(place, request.params))
  const found = inOrder(
    list.filter(({ id, type }) => isAmong(selection.ids, id) && isAmong(selection.types, type)),
    selection.order,
  )
  const page = pageOf(request.query)
  const head = countedPage(request, page, found.length)
  const address = addressOf(resource, request)
  const shown = found.slice(page.offset, page.offset + page.limit)
  answersTexts(reply)
  return {
    ...head,
    _links: { ...head._links, ...lastLink(request, page.limit, head._page_count) },
    _embedded: { custom_fields: shown.map((field) => fieldText(field, address)) },
  } as never
}

async function get(resource: FieldResource, request: RequestOf<Operations['get']>) {
  const { ctx, hooks, place } = resource
  const { params, actor } = request
  const field = await readField(ctx, hooks, actor, collectionOf(place, params), params.id)
  return fieldView(field, addressOf(resource, request))
}

async function create(
  resource: FieldResource,
  request: RequestOf<Operations['create']>,
  reply: FastifyReply,
) {
  const { ctx, hooks, place } = resource
  const { actor, params, body } = request
  const added = await addFields(ctx, hooks, actor, collectionOf(place, params), body)
  return reply.code(201).send(collection(addressOf(resource, request), added, body)) as never
}

async function updateMany(resource: FieldResource, request: RequestOf<Operations['updateMany']>) {
  const { ctx, hooks, place } = resource
  const { actor, params, body } = request
  const changed = await changeFields(ctx, hooks, actor, collectionOf(place, params), body, 'item')
  return collection(addressOf(resource, request), changed, body)
}

async function update(resource: FieldResource, request: RequestOf<Operations['update']>) {
  const { ctx, hooks, place } = resource
  const { actor, params, body } = request
  const patch = { ...body, id: params.id }
  const [field] = await changeFields(ctx, hooks, actor, collectionOf(place, params), [patch], 'path')
  return fieldView(field as Field, addressOf(resource, request))
}

/** The URL of the collection of a request. */
function addressOf({ place, base }: FieldResource, request: FastifyRequest): string {
  return `${base(request)}${pathOf(place, request.params as { catalog_id?: number })}/custom_fields`
}

function collection(address: string, fields: Field[], sent: { request_id?: string | number }[]) {
  const views = fields.map((field) => fieldView(field, address))
  return wholeList('custom_fields', withRequestIds(views, sent), address)
}

const lastLink = (request: FastifyRequest, limit: number, page: number) =>
  page > 1 ? { last: pageLinks(request, { page, limit, offset: 0 }, false).self } : {}

interface Selection {
  ids: Set<number>
  types: Set<string>
  order: Order | null
}

/** `filter[id]`, `filter[type]` and `order[sort|id]`. */
function readSelection(query: unknown): Selection {
  const { filter, order } = query as Record<string, QueryValue | undefined>
  const { id, type } = partsOf(filter)
  const types = listOf(type)
  if (types.some((one) => !(fieldTypeNames as string[]).includes(one)))
    throw invalidChoice('filter.type', fieldTypeNames)
  const ids = listOf(id).map((one) => numberOf('filter.id', one))
  return { ids: new Set(ids), types: new Set(types), order: readOrder(order) }
}

/** Whether a filter without values, or with this one, finds it. */
const isAmong = <Value>(values: Set<Value>, value: Value) => values.size === 0 || values.has(value)

type Order = ['sort' | 'id', 'asc' | 'desc']

function readOrder(order: QueryValue | undefined): Order | null {
  if (typeof order !== 'object') return null
  const [name, direction] = Object.entries(order).find(([one]) => one === 'sort' || one === 'id') ?? []
  if (name === undefined) return null
  return [name as Order[0], directionOf(name, direction as QueryValue)]
}

/** Sorts fields by sort, then by id. */
function inOrder(fields: Field[], order: Order | null): Field[] {
  if (!order) return fields
  const [name, direction] = order
  const sorted = fields.toSorted((a, b) => a[name] - b[name] || a.id - b.id)
  return direction === 'asc' ? sorted : sorted.reverse()
}
