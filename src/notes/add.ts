import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { NoteRow } from '../db/tables.ts'
import { collectFaults } from '../errors.ts'
import { nameOfItem } from '../http/bodies/validation.ts'
import { attachmentOf, NO_FILE, namedFiles, type WrittenAttachment } from './attachments.ts'
import { claimCallIds, TAKEN_CALL } from './call-ids.ts'
import type { CardType, NamedParent, Parent, Parents } from './parents.ts'
import { checkPeople, namedMembers } from './people.ts'
import type { NewNote } from './schemas.ts'
import { writeNotes } from './write.ts'

/** The records of new notes: one that the address names, or that of each note. */
export interface NotedRecords {
  type: CardType
  entity_id?: number | undefined
}

/** Adds all the notes or none, and returns them in the given order. */
export function addNotes(
  ctx: Context,
  actor: Actor,
  parents: Parents,
  records: NotedRecords,
  drafts: NewNote[],
): Promise<NoteRow[]> {
  return ctx.db.transaction().execute((tx) => addNotesInside(ctx, tx, actor, parents, records, drafts))
}

/** Adds notes within the caller's transaction. */
export async function addNotesInside(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  parents: Parents,
  records: NotedRecords,
  drafts: NewNote[],
): Promise<NoteRow[]> {
  const { type, entity_id } = records
  const [cards, ids] = await Promise.all([
    lockParents(tx, actor, parents, records, drafts),
    nextIds(tx, 'notes', drafts.length),
  ])
  const { about, refuse } = collectFaults()
  const members = await namedMembers(tx, actor, drafts)
  const files = await namedFiles(
    tx,
    actor.account_id,
    drafts.flatMap((draft) => fileOf(draft) ?? []),
  )
  const whole = drafts.map((draft, i) => {
    const addFault = about(nameOfItem(draft, i))
    checkPeople(draft, members, addFault)
    if (entity_id !== undefined && draft.entity_id !== undefined && draft.entity_id !== entity_id)
      addFault('NotSupportedChoice', 'entity_id', `This value must be ${entity_id}, the id in the address.`)
    const uuid = fileOf(draft)
    const file = uuid === undefined ? undefined : files.get(uuid.toLowerCase())
    if (uuid !== undefined && !file) addFault('NotSupportedChoice', 'params.file_uuid', NO_FILE)
    return file ? { ...draft, params: attachmentOf(file, draft.params as WrittenAttachment) } : draft
  })
  refuse()
  const rows = await writeNotes(
    ctx,
    tx,
    actor,
    whole.map((draft, i) => {
      const { id, responsible_user_id } = (cards[i] ?? cards[0]) as Parent
      return { responsible_user_id, ...draft, entity_type: type, entity_id: id }
    }),
    ids,
  )
  const taken = await claimCallIds(tx, rows)
  rows.forEach(({ id }, i) => {
    if (taken.has(id)) about(nameOfItem(drafts[i] ?? {}, i))('NotUnique', 'params.uniq', TAKEN_CALL)
  })
  refuse()
  return rows
}

const fileOf = ({ note_type, params }: NewNote): string | undefined =>
  note_type === 'attachment' ? (params as WrittenAttachment).file_uuid : undefined

/** Locks the record in the address, or the record of each note. */
function lockParents(
  tx: Tx,
  actor: Actor,
  parents: Parents,
  { type: entity_type, entity_id }: NotedRecords,
  drafts: NewNote[],
): Promise<Parent[]> {
  if (entity_id !== undefined)
    return parents.lockEditable(
      tx,
      actor,
      [{ entity_type, id: entity_id, request_id: '0', path: 'entity_id' }],
      'path',
    )
  const named = drafts.map(
    (draft, i): NamedParent => ({
      entity_type,
      id: draft.entity_id as number,
      request_id: nameOfItem(draft, i),
      path: 'entity_id',
    }),
  )
  return parents.lockEditable(tx, actor, named, 'item')
}
