import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { NoteRow } from '../db/tables.ts'
import { collectFaults } from '../errors.ts'
import { nameOfItem } from '../http/bodies/validation.ts'
import { claimCallIds, TAKEN_CALL } from './call-ids.ts'
import type { NewCall } from './call-schemas.ts'
import type { Parent, Parents } from './parents.ts'
import { checkPeople, namedMembers } from './people.ts'
import { type NoteDraft, writeNotes } from './write.ts'

/**
 * Adds each call as a note on the record with its phone number. Returns the notes in the given order, and null for
 * calls without a record, which are not added. A fault in one call refuses all of them.
 */
export function addCalls(
  ctx: Context,
  parents: Parents,
  actor: Actor,
  calls: readonly NewCall[],
): Promise<(NoteRow | null)[]> {
  return ctx.db.transaction().execute(async (tx) => {
    const callers = calls.map((call) => ({ created_by: callerOf(call) ?? actor.user_id }))
    const members = await namedMembers(tx, actor, [...calls, ...callers])
    const { about, refuse } = collectFaults()
    calls.forEach((call, i) => {
      const addFault = about(nameOfItem(call, i))
      checkPeople(call, members, addFault)
      checkPeople(callers[i] ?? {}, members, (code, _path, detail) =>
        addFault(code, 'call_responsible', detail),
      )
    })
    refuse()
    const phones = calls.map(({ phone }) => phone)
    const found = await parents.byPhones(tx, actor, phones)
    const drafts = calls.flatMap((call) => {
      const parent = found.get(call.phone)
      return parent ? [noteOf(call, parent)] : []
    })
    const rows = await writeNotes(ctx, tx, actor, drafts)
    const taken = await claimCallIds(tx, rows)
    const written = rows.values()
    const notes = phones.map((phone) => (found.has(phone) ? (written.next().value ?? null) : null))
    calls.forEach((call, i) => {
      const note = notes[i]
      if (note && taken.has(note.id)) about(nameOfItem(call, i))('NotUnique', 'uniq', TAKEN_CALL)
    })
    refuse()
    return notes
  })
}

/** The person on the call, if they belong to the account. */
const callerOf = ({ call_responsible }: NewCall): number | undefined =>
  typeof call_responsible === 'number' ? call_responsible : undefined

/** The author is the person on the call, unless the call names another one. */
const noteOf = (call: NewCall, parent: Parent): NoteDraft => ({
  entity_type: parent.entity_type,
  entity_id: parent.id,
  note_type: call.direction === 'inbound' ? 'call_in' : 'call_out',
  // Stores the members that are params.
  params: call,
  responsible_user_id: call.responsible_user_id ?? parent.responsible_user_id,
  created_by: call.created_by ?? callerOf(call),
  updated_by: call.updated_by,
  created_at: call.created_at,
  updated_at: call.updated_at,
})
