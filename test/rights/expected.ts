import type { Rights } from '../../src/accounts/rights.ts'
import type { ChatPart, Declared, IdPlace, Kind, NoteKind, RecordKind, Right } from './declaration.ts'
import type { Caller } from './people.ts'

/** What an id may name, and all that rights on it depend on. */
export interface Thing {
  kind: Kind
  id: number | string
  /** What it is, in the name of a cell. */
  state: string
  /** 0: there is no such thing. */
  account_id: number
  is_deleted: boolean
  responsible_user_id: number
  /** Of the person who is responsible. */
  group_id: number
  created_by: number
  stage: { pipeline_id: number; status_id: number } | null
  catalog_id: number | null
  /** Of a chat: whose it is. A contact has those that never had a lead, and those whose lead lies in the trash. */
  holder: Holder | null
  /** What a task, a purchase, a note or a part of a chat hangs on, what an event is about, and what holds a chat. */
  parent: Thing | null
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

/** What things of a kind hang on, where they hang on one kind alone. */
export function parentOf(kind: Kind): RecordKind {
  if (isOfChat(kind)) return 'chats'
  return isNote(kind) ? (kind.slice('notes of '.length) as RecordKind) : 'customers'
}

/** What is under the rights of what it hangs on; what happened to a record in the trash stays told. */
const hangs = (kind: Kind): boolean =>
  kind === 'transactions' || kind === 'events' || kind === 'chats' || isOfChat(kind) || isNote(kind)

/** Customers are under the rights of leads. */
const groupOfRights = (kind: Kind): 'leads' | 'contacts' | 'companies' =>
  kind === 'contacts' || kind === 'companies' ? kind : 'leads'

/** Whether these rights reach to the thing, wherever it is. The rules of A10 once more, in the words of the platform. */
export function reaches(caller: Caller, right: Right | undefined, thing: Thing): boolean {
  if (thing.account_id !== caller.account_id) return false
  if (caller.is_admin || !isRecord(thing.kind) || right === undefined) return true
  if (thing.kind === 'catalog_elements') return listRight(caller.rights, right, thing.catalog_id) === 'A'
  if (thing.kind === 'catalogs') return listRight(caller.rights, right, thing.catalog_id) !== 'D'
  if (right === 'add') return false
  if (thing.kind === 'tasks') return reachesTask(caller, right, thing)
  if (hangs(thing.kind)) return reaches(caller, right, thing.parent as Thing)
  const stage = thing.kind === 'leads' ? stageRight(caller.rights, right, thing) : undefined
  if (stage) return stage === 'A'
  return isWithin(caller, caller.rights[groupOfRights(thing.kind)][right], thing)
}

const isWithin = ({ user_id, group_id }: Caller, width: string, thing: Thing): boolean =>
  width === 'A' ||
  (width === 'G' && thing.group_id === group_id) ||
  (width === 'M' && thing.responsible_user_id === user_id)

function stageRight({ status_rights }: Rights, right: RecordRight, { stage }: Thing): 'A' | 'D' | undefined {
  return status_rights?.find(
    ({ pipeline_id, status_id }) => pipeline_id === stage?.pipeline_id && status_id === stage.status_id,
  )?.rights[right]
}

function listRight({ catalog_access, catalog_rights }: Rights, right: Right, id: number | null): string {
  const own = catalog_rights?.find(({ catalog_id }) => catalog_id === id)
  return own ? own.rights[right] : catalog_access ? 'A' : 'D'
}

/** A task is seen by who is responsible, by who may change it, and by who sees what it is about. */
function reachesTask(caller: Caller, right: RecordRight, task: Thing): boolean {
  const { tasks } = caller.rights
  if (right === 'export') return false
  if (right !== 'view') return isWithin(caller, tasks[right], task)
  if (isWithin(caller, tasks.edit, task) || task.responsible_user_id === caller.user_id) return true
  return task.parent ? reaches(caller, 'view', task.parent) : task.created_by === caller.user_id
}

/** Whether nothing of the kind, or of one list, is hidden from him: then what is missing is no secret. */
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

const canAdd = ({ is_admin, rights }: Caller, kind: Kind): boolean =>
  is_admin || rights[groupOfRights(kind)].add === 'A'

/** How the caller is refused before any id counts; undefined when he is not. */
function gateOf(caller: Caller, { needs, paid }: Declared): number | undefined {
  if (caller.refused) return caller.refused
  if (needs === 'admin' && !caller.is_admin) return 403
  if (needs === 'integration' && !(caller.is_admin && caller.surface === '/api/v4')) return 403
  if (paid && !caller.is_paid) return 402
  if (typeof needs === 'object' && !canAdd(caller, needs.add)) return 403
  return undefined
}

/** The list below whose address an element is looked for. */
export const listOf = (place: IdPlace, thing: Thing, caller: Caller, main: number): number | null => {
  if (place.within !== 'its list' && place.within !== 'main list') return null
  const isHere = thing.account_id === caller.account_id && thing.catalog_id !== null
  return place.within === 'its list' && isHere ? thing.catalog_id : main
}

/**
 * The status that the declaration promises. `own` answers what of a kind is the caller's own: what a request needs
 * besides is asked of that. `main` is the list in which settings of lists stand.
 */
export function expectedOf(
  caller: Caller,
  declared: Declared,
  method: string,
  place: IdPlace | null,
  thing: Thing | null,
  own: (kind: Kind) => Thing,
  main: number,
): number {
  const gate = gateOf(caller, declared)
  if (gate !== undefined || !place || !thing) return gate ?? declared.answers
  const list = listOf(place, thing, caller, main)
  const isRead = method === 'GET'
  const isListSeen = list === null || seesAll(caller, place.of, list)
  const nothing = isListSeen ? (place.missing ?? 404) : 404
  const forbidden = declared.hides ? 400 : isRead ? nothing : 403
  if (place.of === 'messages')
    return expectedOfMessage(caller, declared, place, thing, own('chats'), forbidden)
  for (const [kind, right] of place.beside ?? []) if (!reaches(caller, right, own(kind))) return forbidden
  const record = place.within === 'its record' ? thing.parent : null
  const isBelow = record !== null && isThere(caller, record, parentOf(place.of))
  if (isBelow && !reaches(caller, place.right, record)) return forbidden
  if (place.at.startsWith('filter')) return declared.answers
  const exists =
    // Whose a telephone is, it does not say.
    (thing.kind === place.of || place.at === 'telephone') &&
    thing.account_id === caller.account_id &&
    thing.is_deleted === (place.trashed ?? false) &&
    (list === null || thing.catalog_id === list) &&
    (!isNote(thing.kind) || isOnRecord(place, thing, isRead))
  if (exists && reaches(caller, place.right, thing)) return declared.answers
  if (isRead || exists || !seesAll(caller, place.of, list)) return forbidden
  return place.missing ?? (place.at.startsWith('path') || (record && !isBelow) ? 404 : 400)
}

/** A message is looked for in its chat alone: whether it is there is no secret to who may ask for one there. */
function expectedOfMessage(
  caller: Caller,
  { answers }: Declared,
  { within, right }: IdPlace,
  thing: Thing,
  own: Thing,
  forbidden: number,
): number {
  const chat = within === 'its record' ? (thing.parent ?? own) : own
  if (!isThere(caller, chat, 'chats')) return seesAll(caller, 'chats') ? 404 : forbidden
  if (!reaches(caller, right, chat)) return forbidden
  return thing.kind === 'messages' && thing.parent === chat ? answers : 404
}

/** Whether a note is on the record below which it is looked for. On one in the trash it is read, and not written. */
const isOnRecord = ({ within }: IdPlace, { parent }: Thing, isRead: boolean): boolean =>
  within !== 'own record' && (isRead || !parent?.is_deleted)

/** Whether a record is there for an address to name. */
const isThere = ({ account_id }: Caller, thing: Thing, kind: Kind): boolean =>
  thing.kind === kind && thing.account_id === account_id && !thing.is_deleted
