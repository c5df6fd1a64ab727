import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { invalidChoice } from '../errors.ts'
import { listOf, type QueryValue } from '../http/bracket-query.ts'
import { self } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { baseOf, countedPage, pageLinks, pageOf } from '../http/paging.ts'
import { directionOf } from '../http/query-values.ts'
import {
  addFields,
  changeFields,
  type FieldCollection,
  type FieldHooks,
  readField,
  readFields,
  removeField,
} from './field-changes.ts'
import { fieldTypeNames } from './field-types.ts'
import { fieldView } from './field-view.ts'
import type { Field, FieldOwner } from './fields.ts'
import { groupRoutes } from './group-routes.ts'
import { fieldOperations, type Place, places } from './operations.ts'
import { usageOf } from './usage.ts'

/** Lists of choices can be long. */
const BODY_LIMIT = 1_048_576

/** `/{leads|contacts|companies|customers|customers/segments|catalogs/{id}}/custom_fields`, and their groups. */
export function customFieldRoutes(ctx: Context, hooks: FieldHooks): FastifyPluginAsyncTypebox {
  return async (v4) => {
    for (const place of places) {
      await mount(v4, readRoutes(ctx, hooks, place))
      await mount(v4, writeRoutes(ctx, hooks, place))
    }
    await mount(v4, groupRoutes(ctx))
  }
}

const collectionOf = (owner: FieldOwner, { catalog_id }: { catalog_id?: number }): FieldCollection => ({
  owner,
  catalog_id: catalog_id ?? null,
})

/** The URL of the collection of a request. */
const addressOf = (base: string, path: string, { catalog_id }: { catalog_id?: number }): string =>
  base + path.replace(':catalog_id', String(catalog_id))

function readRoutes(ctx: Context, hooks: FieldHooks, place: Place): FastifyPluginAsyncTypebox {
  const { owner } = place
  const path = `${place.path}/custom_fields`
  const operations = fieldOperations(place)
  return async (v4) => {
    const base = baseOf(v4)

    v4.get(path, { schema: operations.list }, async (request) => {
      const asked = readAsked(request.query)
      const { list } = await readFields(ctx, hooks, request.actor, collectionOf(owner, request.params))
      const found = inOrder(
        list.filter(({ type }) => !asked.types || asked.types.has(type)),
        asked.order,
      )
      const page = pageOf(request.query)
      const head = countedPage(request, page, found.length)
      const address = addressOf(base(request), path, request.params)
      const shown = found.slice(page.offset, page.offset + page.limit)
      return {
        ...head,
        _links: { ...head._links, ...lastLink(request, page.limit, head._page_count) },
        _embedded: { custom_fields: shown.map((field) => fieldView(field, address)) },
      }
    })
    v4.get(`${path}/:id`, { schema: operations.get }, async (request) => {
      const { params, actor } = request
      const field = await readField(ctx, hooks, actor, collectionOf(owner, params), params.id)
      return fieldView(field, addressOf(base(request), path, params))
    })
    // Ours: what deleting the field would affect.
    v4.get(`${path}/:id/usage`, { schema: operations.usage }, async ({ actor, params }) => ({
      records: await usageOf(ctx, hooks, actor, collectionOf(owner, params), params.id),
    }))
  }
}

const lastLink = (request: FastifyRequest, limit: number, page: number) =>
  page > 1 ? { last: pageLinks(request, { page, limit, offset: 0 }, false).self } : {}

/** `filter[type]` and `order[sort|id]`. */
function readAsked(query: unknown): { types: Set<string> | null; order: Order | null } {
  const { filter, order } = query as Record<string, QueryValue | undefined>
  const types = typeof filter === 'object' && 'type' in filter ? listOf(filter.type as QueryValue) : []
  if (types.some((type) => !(fieldTypeNames as string[]).includes(type)))
    throw invalidChoice('filter.type', fieldTypeNames)
  return { types: types.length > 0 ? new Set(types) : null, order: readOrder(order) }
}

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

function writeRoutes(ctx: Context, hooks: FieldHooks, place: Place): FastifyPluginAsyncTypebox {
  const { owner } = place
  const path = `${place.path}/custom_fields`
  const operations = fieldOperations(place)
  return async (v4) => {
    const base = baseOf(v4)
    const listed = (address: string, fields: Field[], sent: { request_id?: string | number }[]) => ({
      _total_items: fields.length,
      _links: self(address),
      _embedded: {
        custom_fields: fields.map((field, i) => ({
          ...fieldView(field, address),
          request_id: sent[i]?.request_id ?? String(i),
        })),
      },
    })

    v4.post(
      path,
      {
        bodyLimit: BODY_LIMIT,
        schema: operations.create,
      },
      async (request, reply) => {
        const { actor, params, body } = request
        const added = await addFields(ctx, hooks, actor, collectionOf(owner, params), body)
        return reply.code(201).send(listed(addressOf(base(request), path, params), added, body))
      },
    )
    v4.patch(
      path,
      {
        bodyLimit: BODY_LIMIT,
        schema: operations.updateMany,
      },
      async (request) => {
        const { actor, params, body } = request
        const changed = await changeFields(ctx, hooks, actor, collectionOf(owner, params), body, 'item')
        return listed(addressOf(base(request), path, params), changed, body)
      },
    )
    v4.patch(
      `${path}/:id`,
      {
        bodyLimit: BODY_LIMIT,
        schema: operations.update,
      },
      async (request) => {
        const { actor, params, body } = request
        const patch = { ...body, id: params.id }
        const changed = await changeFields(ctx, hooks, actor, collectionOf(owner, params), [patch], 'path')
        return fieldView(changed[0] as Field, addressOf(base(request), path, params))
      },
    )
    v4.delete(
      `${path}/:id`,
      {
        schema: operations.remove,
      },
      async (request, reply) => {
        const { actor, params, query } = request
        await removeField(ctx, hooks, actor, collectionOf(owner, params), params.id, query.origin)
        return reply.code(204).send()
      },
    )
  }
}
