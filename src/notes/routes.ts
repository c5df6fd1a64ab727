import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { NoteRow } from '../db/tables.ts'
import { type QueryValue, withNames } from '../http/bracket-query.ts'
import { self } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { baseOf, keysetPage, pageOf, positionOf } from '../http/paging.ts'
import { nameOfItem } from '../http/validation.ts'
import { addNotes } from './add.ts'
import { deleteNotes, editNotes, pinNote, restoreNote } from './edit.ts'
import { cardFileRoutes } from './file-routes.ts'
import { listNotes, type NoteQuery, readNote, showNotes } from './list.ts'
import { noteOperations } from './operations.ts'
import { type CardType, cardKinds, cardTypes, type Parents } from './parents.ts'
import type { Note, NotePatch } from './schemas.ts'
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

function notesOfKind(ctx: Context, parents: Parents, type: CardType): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const operations = noteOperations(type, cardKinds[type])
    const showing = (request: FastifyRequest): Showing => ({
      base: base(request),
      withPinned: withNames((request.query as { with?: QueryValue }).with, ['is_pinned']).size > 0,
    })
    /** The list of a record in the address, or of the whole kind. */
    const page = async (request: FastifyRequest, entity_id?: number) => {
      requirePaid(ctx, request.actor)
      const query = request.query as { page: number; limit: number; position?: unknown }
      const options = {
        ...showing(request),
        page: pageOf(query),
        after: positionOf(query),
        entity_id,
      }
      const { notes, next } = await listNotes(
        ctx.db,
        request.actor,
        parents,
        type,
        query as NoteQuery,
        options,
      )
      return { ...keysetPage(request, options.page, next), _embedded: { notes } }
    }
    const one = (request: FastifyRequest, named: { id: number; entity_id?: number }) => {
      requirePaid(ctx, request.actor)
      return readNote(ctx.db, request.actor, parents, type, named, showing(request))
    }
    const whole = async (request: FastifyRequest, row: NoteRow) => {
      const [note] = await showNotes(ctx.db, request.actor, [row], showing(request))
      return note as Note
    }
    const collection = <Item>(request: FastifyRequest, notes: Item[], entity_id?: number) => ({
      _links: self(`${base(request)}/${type}${entity_id === undefined ? '' : `/${entity_id}`}/notes`),
      _embedded: { notes },
    })
    const add = async (request: FastifyRequest & { body: Parameters<typeof addNotes>[4] }, of?: number) => {
      const { actor, body } = request
      const rows = await addNotes(ctx, actor, parents, type, body, of)
      const items = rows.map((row, i) => ({
        id: row.id,
        entity_id: row.entity_id,
        request_id: body[i]?.request_id ?? nameOfItem({}, i),
        _links: linkOf(base(request), row),
      }))
      return collection(request, items, of)
    }
    const editAll = async (
      request: FastifyRequest & { body: Parameters<typeof editNotes>[4] },
      entity_id?: number,
    ) => {
      const named = { type, place: 'item', entity_id } as const
      const rows = await editNotes(ctx, request.actor, parents, named, request.body)
      const items = rows.map((row) => ({
        id: row.id,
        entity_id: row.entity_id,
        updated_at: row.updated_at,
        _links: linkOf(base(request), row),
      }))
      return collection(request, items, entity_id)
    }
    const edit = async (
      request: FastifyRequest & { body: NotePatch },
      { id, entity_id }: { id: number; entity_id?: number },
    ) => {
      const named = { type, place: 'path', entity_id } as const
      const [row] = await editNotes(ctx, request.actor, parents, named, [{ ...request.body, id }])
      return whole(request, row as NoteRow)
    }

    v4.get(`/${type}/notes`, { schema: operations.list }, (request) => page(request))
    v4.get(`/${type}/:entity_id/notes`, { schema: operations.listOfOne }, (request) =>
      page(request, request.params.entity_id),
    )
    v4.get(`/${type}/notes/:id`, { schema: operations.get }, (request) => one(request, request.params))
    v4.get(`/${type}/:entity_id/notes/:id`, { schema: operations.getOfOne }, (request) =>
      one(request, request.params),
    )
    v4.post(`/${type}/notes`, { bodyLimit: BATCH_BODY, schema: operations.create }, (request) => add(request))
    v4.post(
      `/${type}/:entity_id/notes`,
      {
        bodyLimit: BATCH_BODY,
        schema: operations.createOfOne,
      },
      (request) => add(request, request.params.entity_id),
    )
    v4.patch(`/${type}/notes`, { bodyLimit: BATCH_BODY, schema: operations.updateMany }, (request) =>
      editAll(request),
    )
    v4.patch(
      `/${type}/:entity_id/notes`,
      { bodyLimit: BATCH_BODY, schema: operations.updateManyOfOne },
      (request) => editAll(request, request.params.entity_id),
    )
    v4.patch(
      `/${type}/:entity_id/notes/:id`,
      { bodyLimit: BATCH_BODY, schema: operations.updateOfOne },
      (request) => edit(request, request.params),
    )
    // Added to the platform's two statuses (N3).
    v4.patch(`/${type}/notes/:id`, { bodyLimit: BATCH_BODY, schema: operations.update }, (request) =>
      edit(request, request.params),
    )
    // The platform's v4 cannot delete notes. This is ours (V8).
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
      return whole(request, row)
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
