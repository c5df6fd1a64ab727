import type { Rights } from '../../src/accounts/members/rights.ts'
import type { ChatPart, Declared, IdPlace, Kind, NoteKind, RecordKind, Right } from './declaration.ts'
import type { Caller } from './people.ts'

/** The object of an id, with everything that rights on it depend on. */
export interface Resource {
  kind: Kind
  id: number | string
  /** The state, as part of a cell's name. */
  state: string
  /** 0 if the object does not exist. */
  account_id: number
  is_deleted: boolean
  responsible_user_id: number
  /** The group of the responsible user. */
  group_id: number
  created_by: number
  stage: { pipeline_id: number; status_id: number } | null
  catalog_id: number | null
  /**
   * The record that determines the rights of a chat. A contact does so for chats that never had a lead, or whose lead
   * is in the trash.
   */
  holder: Holder | null
  /**
   * The parent: of a task, a purchase, a note or a part of a chat, the subject of an event, or the record of a chat.
   */
  parent: Resource | null
  /** The number in its texts. */
  mark: number
}

export type Holder = 'lead' | 'contact' | 'contact of a lead in the trash'

type RecordRight = Exclude<Right, 'add'>

export const cards: readonly Kind[] = ['leads', 'contacts', 'companies', 'customers']
const records: readonly Kind[] = [
  ...cards,
  'catalog_elements',
  'catalogs',
  'tasks',
  'transactions',
  'events',
  'chats',
  'talks',
  'messages',
]
export const isNote = (kind: Kind): kind is NoteKind => kind.startsWith('notes of ')
export const isOfChat = (kind: Kind): kind is ChatPart => kind === 'talks' || kind === 'messages'
export const isRecord = (kind: Kind): boolean => records.includes(kind) || isNote(kind)

/** The kind of the parent, if there is only one. */
export function parentOf(kind: Kind): RecordKind {
  if (isOfChat(kind)) return 'chats'
  return isNote(kind) ? (kind.slice('notes of '.length) as RecordKind) : 'customers'
}

/** Whether a kind has the rights of its parent. Events of records in the trash stay visible. */
const hangs = (kind: Kind): boolean =>
  kind === 'transactions' || kind === 'events' || kind === 'chats' || isOfChat(kind) || isNote(kind)

/** Customers have the rights of leads. */
const groupOfRights = (kind: Kind): 'leads' | 'contacts' | 'companies' =>
  kind === 'contacts' || kind === 'companies' ? kind : 'leads'

/**
 * Whether the caller's rights cover the object. An independent implementation of the rules of A10, in the platform's
 * terms.
 */
export function reaches(caller: Caller, right: Right | undefined, resource: Resource): boolean {
  if (resource.account_id !== caller.account_id) return false
  if (caller.is_admin || !isRecord(resource.kind) || right === undefined) return true
  if (resource.kind === 'catalog_elements')
    return listRight(caller.rights, right, resource.catalog_id) === 'A'
  if (resource.kind === 'catalogs') return listRight(caller.rights, right, resource.catalog_id) !== 'D'
  if (right === 'add') return false
  if (resource.kind === 'tasks') return reachesTask(caller, right, resource)
  if (hangs(resource.kind)) return reaches(caller, right, resource.parent as Resource)
  const stage = resource.kind === 'leads' ? stageRight(caller.rights, right, resource) : undefined
  if (stage) return stage === 'A'
  return isWithin(caller, caller.rights[groupOfRights(resource.kind)][right], resource)
}

const isWithin = ({ user_id, group_id }: Caller, width: string, resource: Resource): boolean =>
  width === 'A' ||
  (width === 'G' && resource.group_id === group_id) ||
  (width === 'M' && resource.responsible_user_id === user_id)

function stageRight(
  { status_rights }: Rights,
  right: RecordRight,
  { stage }: Resource,
): 'A' | 'D' | undefined {
  return status_rights?.find(
    ({ pipeline_id, status_id }) => pipeline_id === stage?.pipeline_id && status_id === stage.status_id,
  )?.rights[right]
}

function listRight({ catalog_access, catalog_rights }: Rights, right: Right, id: number | null): string {
  const own = catalog_rights?.find(({ catalog_id }) => catalog_id === id)
  return own ? own.rights[right] : catalog_access ? 'A' : 'D'
}

/** A task is visible to its responsible user, to people who can edit it, and to people who can see its record. */
function reachesTask(caller: Caller, right: RecordRight, task: Resource): boolean {
  const { tasks } = caller.rights
  if (right === 'export') return false
  if (right !== 'view') return isWithin(caller, tasks[right], task)
  if (isWithin(caller, tasks.edit, task) || task.responsible_user_id === caller.user_id) return true
  return task.parent ? reaches(caller, 'view', task.parent) : task.created_by === caller.user_id
}

/** Whether the caller can see all objects of the kind or list. Then a missing one is not a secret. */
export function seesAll(caller: Caller, kind: Kind, list: number | null = null): boolean {
  const { is_admin, rights } = caller
  if (is_admin || !isRecord(kind)) return true
  const { catalog_access, catalog_rights, status_rights } = rights
  if (kind === 'tasks') return rights.tasks.edit === 'A'
  if (isNote(kind)) kind = parentOf(kind)
  if (list !== null) return listRight(rights, 'view', list) === 'A'
  if (kind === 'catalog_elements' || kind === 'catalogs')
    return catalog_access && (catalog_rights ?? []).every((one) => one.rights.view === 'A')
  if (kind === 'transactions') return rights.leads.view === 'A'
  if (kind === 'events') return false
  if (kind === 'chats' || isOfChat(kind)) return seesAll(caller, 'leads') && seesAll(caller, 'contacts')
  const stages = kind === 'leads' ? (status_rights ?? []) : []
  return rights[groupOfRights(kind)].view === 'A' && stages.every((one) => one.rights.view === 'A')
}

function hasRight(
  { is_admin, rights }: Caller,
  needed: Exclude<Declared['needs'], string | undefined>,
): boolean {
  if (is_admin) return true
  if ('add' in needed) return rights[groupOfRights(needed.add)].add === 'A'
  const stages = needed.edit === 'leads' ? (rights.status_rights ?? []) : []
  return rights[groupOfRights(needed.edit)].edit !== 'D' || stages.some((one) => one.rights.edit === 'A')
}

/** How the caller is refused regardless of ids; undefined if they are not. */
function gateOf(caller: Caller, { needs, paid }: Declared): number | undefined {
  if (caller.refused) return caller.refused
  if (needs === 'admin' && !caller.is_admin) return 403
  if (needs === 'integration' && !(caller.is_admin && caller.surface === '/api/v4')) return 403
  if (paid && !caller.is_paid) return 402
  if (typeof needs === 'object' && !hasRight(caller, needs)) return 403
  return undefined
}

/** The list in whose address an element is searched. */
export const listOf = (place: IdPlace, resource: Resource, caller: Caller, main: number): number | null => {
  if (place.within !== 'its list' && place.within !== 'main list') return null
  const isHere = resource.account_id === caller.account_id && resource.catalog_id !== null
  return place.within === 'its list' && isHere ? resource.catalog_id : main
}

/**
 * The expected status. `own` returns the caller's own object of a kind, for further rights of a request. `main` is the
 * list of list settings.
 */
export function expectedOf(
  caller: Caller,
  declared: Declared,
  method: string,
  place: IdPlace | null,
  resource: Resource | null,
  own: (kind: Kind) => Resource,
  main: number,
): number {
  const gate = gateOf(caller, declared)
  if (gate !== undefined || !place || !resource) return gate ?? declared.answers
  const list = listOf(place, resource, caller, main)
  const isRead = method === 'GET'
  const isListSeen = list === null || seesAll(caller, place.of, list)
  const nothing = isListSeen ? (place.missing ?? 404) : 404
  const forbidden = declared.hides ? 400 : isRead ? nothing : 403
  if (place.of === 'messages')
    return expectedOfMessage(caller, declared, place, resource, own('chats'), forbidden)
  for (const [kind, right] of place.beside ?? []) if (!reaches(caller, right, own(kind))) return forbidden
  const record = place.within === 'its record' ? resource.parent : null
  const isBelow = record !== null && isThere(caller, record, parentOf(place.of))
  if (isBelow && !reaches(caller, place.right, record)) return forbidden
  if (place.at.startsWith('filter')) return declared.answers
  const exists =
    // A phone number does not reveal its record.
    (resource.kind === place.of || place.at === 'telephone') &&
    resource.account_id === caller.account_id &&
    resource.is_deleted === (place.trashed ?? false) &&
    (list === null || resource.catalog_id === list) &&
    (!isNote(resource.kind) || isOnRecord(place, resource, isRead))
  if (exists && reaches(caller, place.right, resource)) return declared.answers
  if (isRead || exists || !seesAll(caller, place.of, list)) return forbidden
  return place.missing ?? (place.at.startsWith('path') || (record && !isBelow) ? 404 : 400)
}

/** A message is searched in its chat. A caller with the required right on the chat may learn that it is missing. */
function expectedOfMessage(
  caller: Caller,
  { answers }: Declared,
  { within, right }: IdPlace,
  resource: Resource,
  own: Resource,
  forbidden: number,
): number {
  const chat = within === 'its record' ? (resource.parent ?? own) : own
  if (!isThere(caller, chat, 'chats')) return seesAll(caller, 'chats') ? 404 : forbidden
  if (!reaches(caller, right, chat)) return forbidden
  return resource.kind === 'messages' && resource.parent === chat ? answers : 404
}

/** Whether a note belongs to the record in the address. On a record in the trash it can be read, but not written. */
const isOnRecord = ({ within }: IdPlace, { parent }: Resource, isRead: boolean): boolean =>
  within !== 'own record' && (isRead || !parent?.is_deleted)

/** Whether an address can contain the record. */
const isThere = ({ account_id }: Caller, resource: Resource, kind: Kind): boolean =>
  resource.kind === kind && resource.account_id === account_id && !resource.is_deleted
