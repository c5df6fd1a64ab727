import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import type { NoteRow } from '../db/tables.ts'
import { collectFaults } from '../errors.ts'
import { nameOfItem } from '../http/bodies/validation.ts'
import { attachmentOf, NO_FILE, namedFiles } from './attachments.ts'
import { discard } from './edit.ts'
import type { StoredAttachment } from './note-types.ts'
import type { CardType, Parent, Parents } from './parents.ts'
import { selectAttachments } from './queries.ts'
import { writeNotes } from './write.ts'

/** The files of a card are its attachment notes. There is no separate list. */
export interface CardFile {
  file_uuid: string
  /** The id of the note. */
  id: number
}

/** A file in a body. */
export interface NamedFile {
  file_uuid: string
  request_id?: string | number | undefined
}

/** The card in the address. */
export interface Card {
  type: CardType
  entity_id: number
}

/** A page of a card's files, newest first, and whether there are more. */
export async function listCardFiles(
  db: Db,
  actor: Actor,
  parents: Parents,
  { type, entity_id }: Card,
  { limit, before_id }: { limit: number; before_id?: number | undefined },
): Promise<{ files: CardFile[]; hasMore: boolean }> {
  await parents.requireVisible(db, actor, type, entity_id)
  const rows = await selectAttachments(db, actor.account_id, type, entity_id)
    .$if(before_id !== undefined, (query) => query.where('notes.id', '<', before_id as number))
    .limit(limit + 1)
    .execute()
  const files = rows.slice(0, limit).map((row) => ({ file_uuid: uuidOf(row), id: row.id }))
  return { files, hasMore: rows.length > limit }
}

const uuidOf = ({ params }: NoteRow): string => (JSON.parse(params) as StoredAttachment).file_uuid

/** Attaches the files that are not attached yet. Each gets a note and an event. */
export async function attachFiles(
  ctx: Context,
  actor: Actor,
  parents: Parents,
  card: Card,
  named: readonly NamedFile[],
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const { entity_type, id, responsible_user_id } = await lockCard(tx, actor, parents, card)
    const uuids = named.map(nameOfFile)
    const files = await namedFiles(tx, actor.account_id, uuids)
    requireAll(named, files)
    const rows = await selectAttachments(tx, actor.account_id, entity_type, id).execute()
    const attached = new Set(rows.map(uuidOf))
    const added = [...new Set(uuids)].flatMap((uuid) => {
      const file = files.get(uuid)
      return file && !attached.has(uuid) ? [attachmentOf(file)] : []
    })
    await writeNotes(
      ctx,
      tx,
      actor,
      added.map((params) => ({
        entity_type,
        entity_id: id,
        note_type: 'attachment',
        params,
        responsible_user_id,
      })),
    )
  })
}

/** Detaches the files by deleting their notes. The files themselves are kept. */
export async function detachFiles(
  ctx: Context,
  actor: Actor,
  parents: Parents,
  card: Card,
  named: readonly NamedFile[],
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const { entity_type, id } = await lockCard(tx, actor, parents, card)
    const rows = await selectAttachments(tx, actor.account_id, entity_type, id).execute()
    const byUuid = Map.groupBy(rows, uuidOf)
    requireAll(named, byUuid)
    const gone = new Set(named.flatMap((file) => byUuid.get(nameOfFile(file)) ?? []))
    await discard(ctx, tx, actor, [...gone])
  })
}

const nameOfFile = ({ file_uuid }: NamedFile): string => file_uuid.toLowerCase()

function requireAll(named: readonly NamedFile[], known: ReadonlyMap<string, unknown>): void {
  const { about, refuse } = collectFaults()
  named.forEach((file, i) => {
    if (!known.has(nameOfFile(file))) about(nameOfItem(file, i))('NotSupportedChoice', 'file_uuid', NO_FILE)
  })
  refuse()
}

async function lockCard(tx: Tx, actor: Actor, parents: Parents, { type, entity_id }: Card): Promise<Parent> {
  const named = { entity_type: type, id: entity_id, request_id: '0', path: 'entity_id' }
  const [card] = await parents.lockEditable(tx, actor, [named], 'path')
  return card as Parent
}
