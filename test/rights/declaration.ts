import type { CardType, EntityType } from '../../src/entities/entity-types.ts'

/** What ids name. Records are somebody's; settings are the account's, and everybody in it may know of them. */
/** Lists lie between: they are the account's, but not everybody sees each of them. */
export type RecordKind =
  | EntityType
  | 'tasks'
  | 'transactions'
  | 'catalogs'
  | NoteKind
  | 'events'
  | 'chats'
  | ChatPart
/** Notes are their record's. */
export type NoteKind = `notes of ${CardType}`
/** What is a chat's. */
export type ChatPart = 'talks' | 'messages'
export type SettingKind =
  | 'users'
  | 'roles'
  | 'groups'
  | 'sources'
  | 'pipelines'
  | 'statuses'
  | 'loss_reasons'
  | 'customer_statuses'
  | 'audiences'
  | 'files'
  | 'intents'
  | `fields of ${FieldHome}`
  | `groups of ${EntityType}`
  | `tags of ${EntityType}`
export type FieldHome = EntityType | 'segments'
export type Kind = RecordKind | SettingKind

export type Right = 'view' | 'edit' | 'delete' | 'add' | 'export'

/**
 * A request, with names in braces where ids are put in: `{id}` is the id that the cell is about, `{own leads}` one of
 * the caller's own (of a setting: one of his account's), `{new leads}` the same, made for this request
 * alone, `{main pipelines}` what settings stand in, `{its list}` that of the element,
 * `{its parent}` the customer of the purchase, the record of the note or the chat of the message, `{its file}` one that hangs on the record,
 * `{its telephone}` that of the contact, `{own telephone}` that of the caller's own, and `{n}` a number that no other request has.
 * Parameters of the address that are not named are `{id}`.
 */
export interface Template {
  params?: Record<string, string>
  query?: string
  body?: unknown
}

/** One place of a request where an id stands, and what a person needs on what it names. */
export interface IdPlace {
  /** Where: the address, a filter, an item of a batch, the far end of a link, and so on. */
  at: string
  of: Kind
  /** Settings need none. */
  right?: Right
  /**
   * An element is looked for in this list alone: its own, or that of the account's settings; a note on this record, and a
   * message in this chat: its own, or one of the caller's, which it never is on.
   */
  within?: 'its list' | 'main list' | 'its record' | 'own record'
  /** It is looked for in the trash. */
  trashed?: true
  /** What the request needs besides, on the caller's own. */
  beside?: [Kind, Right][]
  /**
   * For who sees everything of the kind: 404 in an address and 400 elsewhere; 200 in a filter, which finds nothing. Of what is
   * read, for everybody.
   */
  missing?: number
  request: Template
}

/** What a route asks of who calls it. */
export interface Declared {
  /** How far one comes without it: not at all. Absent: every member of the account. */
  needs?: 'admin' | 'integration' | { add: EntityType }
  /** Closed in an account that is not paid. */
  paid?: true
  /** What may not be changed is as if it was not there (400), whoever asks. */
  hides?: true
  answers: number
  /** A request that names no id but what every member may name. */
  asks?: Template
  ids?: IdPlace[]
  /**
   * The names of tags are the account's, and shown to all. What was linked to a record is part of what happened to it:
   * its kind and id are told, and no more; so is what a chat was with.
   */
  shows?: 'tags' | 'links' | 'ends of chats'
}

/** By method and path below the prefix of the API: `PATCH /leads/:id`. */
export type Declarations = Record<string, Declared>
