import type { Expression, SqlBool } from 'kysely'
import type { Actor } from '../accounts/accounts.ts'
import type { Db, Tx } from '../db/database.ts'

/** The kinds of records with notes, and the name of one record in the log. */
export const cardKinds = {
  leads: 'lead',
  contacts: 'contact',
  companies: 'company',
  customers: 'customer',
} as const
export type CardType = keyof typeof cardKinds
export const cardTypes = Object.keys(cardKinds) as CardType[]

/** The record of a note. */
export interface Parent {
  entity_type: CardType
  id: number
  responsible_user_id: number
}

/** A record in a request, with the name of the item that contains it and the path in that item. */
export interface NamedParent {
  entity_type: CardType
  id: number
  request_id: string
  path: string
  /** The detail of a missing record's fault, if the item names something on the record. */
  missing?: string
}

/** The records of a kind that a person can see: all, none or some. */
export type Visibility = 'all' | 'none' | PartialVisibility

export interface PartialVisibility {
  /** Whether the record whose id is in the column is visible. */
  covers(id_column: string): Expression<SqlBool>
  /** The ids of the visible records, in any order; null if there are more than `most`. */
  few(most: number): Promise<number[] | null>
}

/**
 * Questions of notes about their records, whose rights also apply to notes. Records are above notes, so they implement this
 * interface, and the surface passes it in.
 */
export interface Parents {
  /** The records of each kind that the actor can see, including deleted records. */
  visibilities(db: Db, actor: Actor): Promise<Record<CardType, Visibility>>
  /** Checks the record in an address for reading. Throws Refusal('not_found') if it is missing, deleted or hidden. */
  requireVisible(db: Db, actor: Actor, type: CardType, id: number): Promise<void>
  /** Locks records that the actor can edit and returns them in the given order, or refuses (R6). */
  lockEditable(tx: Tx, actor: Actor, named: readonly NamedParent[], place: 'path' | 'item'): Promise<Parent[]>
  /** The records of calls, by their phone numbers as given, if the actor can edit them. Locks them. */
  byPhones(tx: Tx, actor: Actor, phones: string[]): Promise<Map<string, Parent>>
}
