import type { Expression, SqlBool } from 'kysely'
import type { Actor } from '../accounts/accounts.ts'
import type { Db, Tx } from '../db/database.ts'

/** The kinds of records that have notes, as the log calls one of them. */
export const cardKinds = {
  leads: 'lead',
  contacts: 'contact',
  companies: 'company',
  customers: 'customer',
} as const
export type CardType = keyof typeof cardKinds
export const cardTypes = Object.keys(cardKinds) as CardType[]

/** The record that a note is on. */
export interface Parent {
  entity_type: CardType
  id: number
  responsible_user_id: number
}

/** A record that a request names, what the request calls the item in which it does, and where in that item. */
export interface NamedParent {
  entity_type: CardType
  id: number
  request_id: string
  path: string
  /** The detail of the fault of a missing record, where the item names something on it. */
  missing?: string
}

/** How much of a kind somebody sees: all of it, none, or a part. */
export type Visibility = 'all' | 'none' | PartialVisibility

export interface PartialVisibility {
  /** Whether he sees the record whose id stands in the column. */
  covers(id_column: string): Expression<SqlBool>
  /** The ids of those that he sees, in any order; null when there are more than `most`. */
  few(most: number): Promise<number[] | null>
}

/**
 * What notes ask of the records that they are on, because who may see or change a record decides who may see or change
 * its notes. Records are above notes: they implement this, and the surface brings them together.
 */
export interface Parents {
  /** How much of each kind the actor sees, in the trash or not. */
  visibilities(db: Db, actor: Actor): Promise<Record<CardType, Visibility>>
  /** The record in an address that is read: Refusal('not_found') when it is missing, in the trash, or invisible. */
  requireVisible(db: Db, actor: Actor, type: CardType, id: number): Promise<void>
  /** Locks the records that the actor may edit, and answers them in the order given, or refuses (R6). */
  lockEditable(tx: Tx, actor: Actor, named: readonly NamedParent[], place: 'path' | 'item'): Promise<Parent[]>
  /** The records that calls belong to, by their telephone numbers as given; those that the actor may edit, locked. */
  byPhones(tx: Tx, actor: Actor, phones: string[]): Promise<Map<string, Parent>>
}
