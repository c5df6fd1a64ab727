import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TObject, type TSchema, Type } from 'typebox'
import { type Actor, requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { RecordHooks } from '../../entities/entities.ts'
import { mount } from '../../http/mount.ts'
import type { StageUse } from '../../pipelines/pipelines.ts'
import { answerOf } from '../bodies.ts'
import { answer, answerList } from '../link-routes.ts'
import type { LegacyQuery } from '../list-parameters.ts'
import { BatchesWithDelete, withDeleted } from '../v2/bodies.ts'
import type { Done, Sets } from '../v2/resources.ts'
import { pipelineRoutes } from './pipeline-routes.ts'
import { type Resource, resourcesOfFirst } from './resources.ts'

const BODY_LIMIT = 2 * 1024 * 1024
const RequestId = Type.Union([Type.String(), Type.Integer()])
const Errors = Type.Array(Type.Unknown(), { maxItems: 0 })

const byIds = (item: TObject): TSchema => Type.Record(Type.String(), item)
/** Items that were written. One that the person may not see has its id alone. */
const writtenOf = ({ properties: { id, ...others } }: TObject): TObject =>
  Type.Object({
    id: id as TSchema,
    ...Object.fromEntries(Object.entries(others).map(([name, schema]) => [name, Type.Optional(schema)])),
    request_id: Type.Optional(RequestId),
  })

/** The items that each action wrote. An action that was not sent is absent. */
const actionsOf = (path: string, item: TObject): TSchema => {
  const done = (items: TSchema) => Type.Optional(Type.Object({ [path]: items, errors: Errors }))
  return Type.Object({
    add: done(Type.Array(writtenOf(item))),
    update: done(byIds(writtenOf(item))),
    delete: done(byIds(Type.Object({ id: Type.Integer() }))),
  })
}

const named = (path: string) => path.replace('_', ' ')

const listOperation = (path: string, { item, query, isById }: Resource) => ({
  operationId: `legacy.${path}.list`,
  summary: `Lists ${named(path)} in the legacy form.`,
  returns: `The ${named(path)}${isById ? ', by their ids' : ''}.`,
  tags: ['Legacy'],
  querystring: query,
  response: { 200: answerOf({ [path]: isById ? byIds(item) : Type.Array(item) }) },
  otherResponses: { 204: { description: 'Nothing was found.' } },
})

const setOperation = (path: string, { item }: Resource) => ({
  operationId: `legacy.${path}.set`,
  summary: `Adds, changes and deletes ${named(path)} in the legacy form.`,
  description: 'The rules are those of the API v4. All items are written, or none.',
  returns: `The ${named(path)} of each action that was sent, the changed and the deleted ones by their ids.`,
  tags: ['Legacy'],
  body: Type.Object({ request: Type.Object({ [path]: BatchesWithDelete }) }),
  response: { 200: answerOf({ [path]: actionsOf(path, item) }) },
})

/** Customers, purchases, lists and pipelines of the first API (docs/wire/legacy.md). */
export function firstApiRoutes(
  ctx: Context,
  hooks: Pick<RecordHooks, 'written'>,
  use: StageUse,
): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    for (const [path, resource] of Object.entries(resourcesOfFirst(hooks))) {
      legacy.get(`/${path}/list`, { schema: listOperation(path, resource) }, async (request, reply) => {
        const { actor, query, headers } = request
        if (resource.isPaid) requirePaid(ctx, actor)
        const found = resource.list(ctx, actor, query as LegacyQuery, headers['if-modified-since'])
        return answerList(ctx, reply, path, found, resource.isById ? byId : undefined)
      })
      const schema = setOperation(path, resource)
      legacy.post(`/${path}/set`, { bodyLimit: BODY_LIMIT, schema }, async ({ actor, body }) => {
        const { request } = body as { request: Record<string, object> }
        const sets = withDeleted(request[path], named(path), `request.${path}.`)
        const done = await resource.set(ctx, actor, sets)
        return answer(ctx, { [path]: await written(ctx, actor, { path, resource, sets, done }) }) as never
      })
    }
    await mount(legacy, pipelineRoutes(ctx, use))
  }
}

const byId = (items: readonly { id: number }[]) => Object.fromEntries(items.map((item) => [item.id, item]))

interface Work {
  path: string
  resource: Resource
  sets: Sets
  done: Done
}

/** The items that a request wrote, by the actions that were sent. Clients look whether `errors` is empty. */
async function written(ctx: Context, actor: Actor, { path, resource, sets, done }: Work) {
  /** The items as the list has them. One filter accepts as many ids as one action. */
  const shown = async (items: readonly { id: number }[]) => {
    const ids = items.map(({ id }) => String(id))
    const asked = { id: ids, limit_rows: ids.length, limit_offset: 0 }
    const found = byId(ids.length > 0 ? await resource.list(ctx, actor, asked) : [])
    return items.map(({ id }) => ({ ...found[id], id }))
  }
  const added = await shown(done.add)
  const parts: [string, number, object][] = [
    ['add', added.length, added.map((item, i) => ({ ...item, request_id: done.add[i]?.request_id }))],
    ['update', done.update.length, byId(await shown(done.update))],
    ['delete', sets.gone.length, byId(sets.gone.map((id) => ({ id })))],
  ]
  const sent = parts.filter(([, count]) => count > 0)
  return Object.fromEntries(sent.map(([action, , items]) => [action, { [path]: items, errors: [] }]))
}
