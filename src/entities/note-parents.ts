import type { Db } from '../db/database.ts'
import type { EntityRow } from '../db/tables.ts'
import type { CardType, Parent, Parents, Visibility } from '../notes/notes.ts'
import { type Access, loadAccess, seesAll, seesNothing } from './records/access.ts'
import { cardTypes } from './records/entity-types.ts'
import { isVisible, visibleIds } from './records/queries.ts'
import { readRecord, requireRecords } from './records/records.ts'
import { findCallRecords } from './search/phone-matches.ts'

/**
 * Record access for the notes slice: a person who can see a record can see its notes, and a person who can edit it
 * can write them.
 */
export const noteParents: Parents = {
  async visibilities(db, actor) {
    const access = await loadAccess(db, actor)
    const visibilities = cardTypes.map((type): [CardType, Visibility] => [
      type,
      visibilityOf(db, access, type),
    ])
    return Object.fromEntries(visibilities) as Record<CardType, Visibility>
  },

  async requireVisible(db, actor, type, id) {
    await readRecord(db, await loadAccess(db, actor), type, id)
  },

  async lockEditable(tx, actor, named, place) {
    const rows = await requireRecords(tx, await loadAccess(tx, actor), 'edit', named, place)
    return rows.map(parentOf)
  },

  async byPhones(tx, actor, phones) {
    const found = await findCallRecords(tx, actor, phones)
    return new Map([...found].map(([phone, row]) => [phone, parentOf(row)]))
  },
}

function visibilityOf(db: Db, access: Access, type: CardType): Visibility {
  if (seesAll(access, type)) return 'all'
  if (seesNothing(access, type)) return 'none'
  return {
    covers: (id_column) => isVisible(db, access, type, null, id_column),
    few: (most) => visibleIds(db, access, type, null, most),
  }
}

const parentOf = ({ entity_type, id, responsible_user_id }: EntityRow): Parent => ({
  entity_type: entity_type as CardType,
  id,
  responsible_user_id,
})
