import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actingOf, requirePaid, withActing } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { NoteRow } from '../db/tables.ts'
import { answersTexts } from '../http/bodies/json-text.ts'
import { nameOfItem } from '../http/bodies/validation.ts'
import { self } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { type QueryValue, withNames } from '../http/queries/bracket-query.ts'
import { baseOf, keysetPage, pageOf, positionOf } from '../http/queries/paging.ts'
import { addNotes } from './add.ts'
import { deleteNotes, editNotes, type NamedPatch, pinNote, restoreNote } from './edit.ts'
import { cardFileRoutes } from './file-routes.ts'
import { listNotes, type NoteQuery, noteTexts, readNote, showNotes } from './list.ts'
import { operationsOfKind, operationsOfRecord, ownOperations } from './operations.ts'
import { type CardType, cardKinds, cardTypes, type Parents } from './parents.ts'
import type { NewNote, Note, NotePatch } from './schemas.ts'
import { linkOf, type Showing } from './view.ts'

/** The maximum size of a batch, in bytes. A single note can also exceed the default limit. */
const BATCH_BODY = 2 * 1024 * 1024

/** `/{kind}/notes` and `/{kind}/{entity_id}/notes`, and the files of cards. */
export function noteRoutes(ctx: Context, parents: Parents): FastifyPluginAsyncTypebox {
  return async (v4) => {
    for (const type of cardTypes) {
      await mount(v4, notesOfKind(ctx, parents, type))
      await mount(v4, cardFileRoutes(ctx, parents, type))
    }
  }
}

/** The notes of one kind of record, as one surface serves them. */
interface NoteResource {
  ctx: Context
  parents: Parents
  type: CardType
  base: (request: FastifyRequest) => string
}

function notesOfKind(ctx: Context, parents: Parents, type: CardType): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const resource: NoteResource = { ctx, parents, type, base: baseOf(v4) }
    const ofKind = operationsOfKind(type, cardKinds[type])
    const ofRecord = operationsOfRecord(cardKinds[type])
    const all = `/${type}/notes`
    const below = `/${type}/:entity_id/notes`
    const batch = { bodyLimit: BATCH_BODY }

    v4.get(all, { schema: ofKind.list }, (request, reply) => list(resource, request, reply))
    v4.get(below, { schema: ofRecord.list }, (request, reply) =>
      list(resource, request, reply, request.params.entity_id),
    )
    v4.get(`${all}/:id`, { schema: ofKind.get }, (request) => get(resource, request, request.params))
    v4.get(`${below}/:id`, { schema: ofRecord.get }, (request) => get(resource, request, request.params))
    v4.post(all, { ...batch, schema: ofKind.create }, (request) => create(resource, request))
    v4.post(below, { ...batch, schema: ofRecord.create }, (request) =>
      create(resource, request, request.params.entity_id),
    )
    v4.patch(all, { ...batch, schema: ofKind.updateMany }, (request) => updateMany(resource, request))
    v4.patch(below, { ...batch, schema: ofRecord.updateMany }, (request) =>
      updateMany(resource, request, request.params.entity_id),
    )
    v4.patch(`${below}/:id`, { ...batch, schema: ofRecord.update }, (request) =>
      update(resource, request, request.params),
    )
    // Added to the platform's two statuses (N3).
    v4.patch(`${all}/:id`, { ...batch, schema: ofKind.update }, (request) =>
      update(resource, request, request.params),
    )
    await mount(v4, ownRoutes(resource))
  }
}

/** Deletion, its reversal and pins (V8). */
function ownRoutes(resource: NoteResource): FastifyPluginAsyncTypebox {
  const { ctx, parents, type } = resource
  const operations = ownOperations(type, cardKinds[type])
  return async (v4) => {
    v4.delete(`/${type}/notes/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await deleteNotes(ctx, actor, parents, { type, notes: [params], place: 'path' })
      return reply.code(204).send()
    })
    v4.delete(`/${type}/notes`, { schema: operations.deleteMany }, async ({ actor, body }, reply) => {
      await deleteNotes(ctx, actor, parents, { type, notes: body, place: 'item' })
      return reply.code(204).send()
    })
    v4.post(`/${type}/notes/:id/restore`, { schema: operations.restore }, async (request) => {
      const row = await restoreNote(ctx, request.actor, parents, type, request.params.id)
      return whole(resource, request, row)
    })
    for (const [name, is_pinned] of [
      ['pin', 1],
      ['unpin', 0],
    ] as const)
      v4.post(
        `/${type}/notes/:id/${name}`,
        { schema: operations[name] },
        async ({ actor, params }, reply) => {
          await pinNote(ctx, actor, parents, { type, id: params.id, is_pinned })
          return reply.code(204).send()
        },
      )
  }
}

/** The notes of the record in the address, or of the whole kind. */
async function list(
  resource: NoteResource,
  request: FastifyRequest,
  reply: FastifyReply,
  entity_id?: number,
) {
  const { ctx, parents, type } = resource
  requirePaid(ctx, request.actor)
  const query = request.query as { page: number; limit: number; position?: unknown } & NoteQuery
  const page = pageOf(query)
  const options = { ...showing(resource, request), page, after: positionOf(query), entity_id }
  const asked = await withActing(ctx, query)
  const reader = { db: ctx.db, actor: request.actor, parents, type }
  const { notes, next } = await listNotes(reader, asked, options, noteTexts)
  answersTexts(reply)
  return { ...keysetPage(request, page, next), _embedded: { notes } } as never
}

function get(resource: NoteResource, request: FastifyRequest, named: { id: number; entity_id?: number }) {
  const { ctx, parents, type } = resource
  requirePaid(ctx, request.actor)
  const reader = { db: ctx.db, actor: request.actor, parents, type }
  return readNote(reader, named, showing(resource, request))
}

async function create(
  resource: NoteResource,
  request: FastifyRequest & { body: NewNote[] },
  entity_id?: number,
) {
  const { ctx, parents, type, base } = resource
  const { actor, body } = request
  const rows = await addNotes(ctx, actor, parents, { type, entity_id }, body)
  const items = rows.map((row, i) => ({
    id: row.id,
    entity_id: row.entity_id,
    request_id: body[i]?.request_id ?? nameOfItem({}, i),
    _links: linkOf(base(request), row),
  }))
  return collection(resource, request, items, entity_id)
}

async function updateMany(
  resource: NoteResource,
  request: FastifyRequest & { body: NamedPatch[] },
  entity_id?: number,
) {
  const { ctx, parents, type, base } = resource
  const named = { type, place: 'item', entity_id } as const
  const rows = await editNotes(ctx, request.actor, parents, named, request.body)
  const items = rows.map((row) => ({
    id: row.id,
    entity_id: row.entity_id,
    updated_at: row.updated_at,
    _links: linkOf(base(request), row),
  }))
  return collection(resource, request, items, entity_id)
}

async function update(
  resource: NoteResource,
  request: FastifyRequest & { body: NotePatch },
  { id, entity_id }: { id: number; entity_id?: number },
) {
  const { ctx, parents, type } = resource
  const named = { type, place: 'path', entity_id } as const
  const [row] = await editNotes(ctx, request.actor, parents, named, [{ ...request.body, id }])
  return whole(resource, request, row as NoteRow)
}

const showing = ({ ctx, base }: NoteResource, request: FastifyRequest): Showing => ({
  base: base(request),
  withPinned: withNames((request.query as { with?: QueryValue }).with, ['is_pinned']).size > 0,
  acting: actingOf(ctx, request),
})

async function whole(resource: NoteResource, request: FastifyRequest, row: NoteRow) {
  const [note] = await showNotes(resource.ctx.db, request.actor, [row], showing(resource, request))
  return note as Note
}

const collection = <Item>(
  { type, base }: NoteResource,
  request: FastifyRequest,
  items: Item[],
  entity_id?: number,
) => ({
  _links: self(`${base(request)}/${type}${entity_id === undefined ? '' : `/${entity_id}`}/notes`),
  _embedded: { notes: items },
})
