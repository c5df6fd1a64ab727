import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { AudienceMemberRow, AudienceRow, EntityRow } from '../db/tables.ts'
import { type Access, loadAccess, readRecord, requireRecords, visibleLinks } from '../entities/entities.ts'
import { type CardType, eventEntityType } from '../entities/records/entity-types.ts'
import { invalid, noSuch } from '../errors.ts'
import { recordEvents } from '../events/events.ts'
import { addSystemNotes } from '../notes/notes.ts'
import {
  audiencesOfRecord,
  deleteMember,
  findMember,
  holdAudience,
  insertMember,
} from './audience-queries.ts'
import { noSuchAudience } from './audiences.ts'

/** An audience of a record, and the time at which the record was added. */
export type AudienceOfRecord = AudienceRow & Pick<AudienceMemberRow, 'added_at'>

/** The maximum number of contacts in a note about an audience. */
const MAX_CONTACTS = 250

/** The audiences of a record. The record must be visible. */
export async function listAudiencesOf(
  ctx: Context,
  actor: Actor,
  type: CardType,
  id: number,
): Promise<AudienceOfRecord[]> {
  const access = await loadAccess(ctx.db, actor)
  await readRecord(ctx.db, access, type, id)
  return audiencesOfRecord(ctx.db, actor.account_id, id)
}

/**
 * Adds a record to an audience, if the actor can change the record. If it is in the audience already, nothing changes.
 */
export function putIntoAudience(
  ctx: Context,
  actor: Actor,
  type: CardType,
  id: number,
  audience_id: number,
): Promise<AudienceOfRecord> {
  return change(ctx, actor, type, id, audience_id, async (tx, access, row, audience) => {
    if (!audience) throw invalid('audience_id', 'NotSupportedChoice', noSuch('audience'))
    const known = await findMember(tx, actor.account_id, audience_id, id)
    if (known) return { ...audience, added_at: known.added_at }
    const { account_id, entity_type } = row
    const member = { account_id, audience_id, entity_type, entity_id: id, added_at: ctx.now() }
    await insertMember(tx, member)
    await recordTargeting(ctx, tx, access, row, audience, 'targeting_in')
    return { ...audience, added_at: member.added_at }
  })
}

/** Removes a record from an audience. If it is not in the audience, nothing changes. */
export async function takeOutOfAudience(
  ctx: Context,
  actor: Actor,
  type: CardType,
  id: number,
  audience_id: number,
): Promise<void> {
  await change(ctx, actor, type, id, audience_id, async (tx, access, row, audience) => {
    if (!audience) throw noSuchAudience()
    const member = await findMember(tx, actor.account_id, audience_id, id)
    if (!member) return
    await deleteMember(tx, member)
    await recordTargeting(ctx, tx, access, row, audience, 'targeting_out')
  })
}

/** Applies a change after locking the record, which the actor must be able to edit, and the audience. */
function change<T>(
  ctx: Context,
  actor: Actor,
  type: CardType,
  id: number,
  audience_id: number,
  apply: (tx: Tx, access: Access, row: EntityRow, audience: AudienceRow | undefined) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    const access = await loadAccess(tx, actor)
    const audience = await holdAudience(tx, actor.account_id, audience_id)
    const named = { entity_type: type, id, request_id: '0', path: 'id' }
    const [row] = (await requireRecords(tx, access, 'edit', [named], 'path')) as [EntityRow]
    return apply(tx, access, row, audience)
  })
}

async function recordTargeting(
  ctx: Context,
  tx: Tx,
  access: Access,
  row: EntityRow,
  { name, service }: AudienceRow,
  note_type: 'targeting_in' | 'targeting_out',
): Promise<void> {
  const { actor } = access
  const { entity_type, id: entity_id, responsible_user_id } = row
  const linked =
    entity_type === 'contacts' ? [] : await visibleLinks(tx, access, [entity_id], 'contacts', MAX_CONTACTS)
  const contacts = entity_type === 'contacts' ? [entity_id] : linked.map(({ to_entity_id }) => to_entity_id)
  const params = { contacts, campaign: name, service }
  const note = { note_type, params, entity_type, entity_id, responsible_user_id }
  const [id] = (await addSystemNotes(ctx, tx, actor, [note])) as [number]
  await recordEvents(ctx, tx, actor, [
    {
      type: `${note_type}_note_added`,
      entity_type: eventEntityType(row),
      entity_id,
      after: [{ note: { id } }],
    },
  ])
}
