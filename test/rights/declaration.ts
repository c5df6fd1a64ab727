import type { CardType, EntityType } from '../../src/entities/records/entity-types.ts'

/**
 * The kinds of objects. Records have an owner. Settings belong to the account, and every member may know them. Lists
 * belong to the account, but not everybody can see each of them.
 */
export type RecordKind =
  | EntityType
  | 'tasks'
  | 'transactions'
  | 'catalogs'
  | NoteKind
  | 'events'
  | 'chats'
  | ChatPart
/** Notes have the rights of their record. */
export type NoteKind = `notes of ${CardType}`
/** The parts of a chat. */
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
  | 'segments'
  | 'files'
  | 'intents'
  | 'templates'
  | 'bots'
  | 'automations'
  | `fields of ${FieldHome}`
  | `groups of ${EntityType}`
  | `tags of ${EntityType}`
export type FieldHome = EntityType | 'segments'
export type Kind = RecordKind | SettingKind

export type Right = 'view' | 'edit' | 'delete' | 'add' | 'export'

/**
 * A request with placeholders in braces. `{id}` is the id of the cell. `{own leads}` is one of the caller's own objects
 * (for a setting: of their account), and `{new leads}` is another one, created for this request only. `{main
 * pipelines}` is the parent of settings, and `{its list}` that of the element. `{its parent}` is the customer of the
 * purchase, the record of the note or the chat of the message. `{its file}` is attached to a record, `{its telephone}`
 * belongs to the contact and `{own telephone}` to the caller's own contact. `{its review}` is one of the template. `{n}` is a unique number. Other parameters
 * of the address are `{id}`.
 */
export interface Template {
  params?: Record<string, string>
  query?: string
  body?: unknown
}

/** A place of a request with an id, and the right that is required on its object. */
export interface IdPlace {
  /** The place: the address, a filter, an item of a batch, the target of a link, and so on. */
  at: string
  of: Kind
  /** Settings require no right. */
  right?: Right
  /**
   * The parent below which the object is searched: an element in its own list or that of the account's settings; a note
   * below its own record and a message in its own chat, or below one of the caller's, where it never is.
   */
  within?: 'its list' | 'main list' | 'its record' | 'own record'
  /** The object is searched in the trash. */
  trashed?: true
  /** Further rights that the request requires on the caller's own objects. */
  beside?: [Kind, Right][]
  /**
   * The status for a missing object if the caller can see all objects of the kind: 404 in an address, 400 elsewhere,
   * 200 in a filter. For reads, it applies to everybody.
   */
  missing?: number
  request: Template
}

/** The requirements of a route. */
export interface Declared {
  /**
   * Other callers are refused completely. By default, every member of the account is allowed. `edit`: the right to edit some
   * record of the kind.
   */
  needs?: 'admin' | 'integration' | { add: EntityType } | { edit: EntityType }
  /** Unavailable in an unpaid account. */
  paid?: true
  /** Objects that the caller cannot change are reported as missing (400). */
  hides?: true
  answers: number
  /** A request without ids, or with ids that every member may use. */
  asks?: Template
  ids?: IdPlace[]
  /**
   * Data of hidden records that may be shown: names of tags, which belong to the account; kind and id of linked
   * records, which are part of a record's history; and the ends of chats.
   */
  shows?: 'tags' | 'links' | 'ends of chats'
}

/** By method and path below the prefix of the API: `PATCH /leads/:id`. */
export type Declarations = Record<string, Declared>
