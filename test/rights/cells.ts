import { sampled } from '../sample.ts'
import type { Declared, IdPlace, Kind, Template } from './declaration.ts'
import { declaredRights } from './declared-rights.ts'
import { expectedOf, isRecord, listOf, parentOf, type Resource } from './expected.ts'
import { phoneOf } from './makers.ts'
import type { Caller } from './people.ts'
import type { Scene } from './scene.ts'
import { linkEverything, MISSING } from './states.ts'

/** One request of the matrix: a caller, a route, and an id in one of its places. */
export interface Cell {
  name: string
  method: string
  /** Below the prefix of the API. */
  path: string
  declared: Declared
  place: IdPlace | null
  template: Template
  caller: Caller
  resource: Resource | null
  /** The list in whose address an element is searched. */
  list: number | null
  expected: number
}

/** The cells of a route and place. */
export interface Sheet {
  name: string
  isWrite: boolean
  cells: Cell[]
}

/** An existing and a missing id: enough for unauthenticated callers. */
const SIMPLE = [MISSING, 'there', 'Mona’s', 'open list']
/** People who differ only by stage rights, and the kinds that these affect. */
const OF_STAGES = ['Stan', 'Sue']
const STAGED: readonly Kind[] = ['leads', 'tasks', 'notes of leads', 'events', 'chats', 'talks', 'messages']
/** All kinds of cards share their code. Leads are tested with all people, and the others with these. */
const PEOPLE_OF_OTHERS = ['administrator', 'Vera', 'Mona', 'Gil', 'Dan']
const OTHER_CARDS: readonly string[] = ['contacts', 'companies', 'customers']
/** Settings only distinguish administrators. */
const PEOPLE_OF_SETTINGS = ['administrator', 'Alma', 'Mona', 'Dan']

/** The samples of the short form: of the callers of a route, and of the callers and states of a place. */
const OF_ROUTE = { step: 8, least: 2 }
const OF_PLACE = { step: 40, least: 1 }

/** Runs only routes below this path, such as `/chats`. */
const ONLY = process.env.RIGHTS_ONLY

/** All requests, by route and place. */
export async function sheetsOf(scene: Scene): Promise<Sheet[]> {
  const sheets: Sheet[] = []
  await linkEverything(scene)
  for (const [route, declared] of Object.entries(declaredRights)) {
    const [method, path] = route.split(' ') as [string, string]
    if (ONLY && !path.startsWith(ONLY)) continue
    const isWrite = method !== 'GET'
    const { callers, refused } = scene.people
    if (declared.asks) {
      const cells = []
      for (const caller of sampled([...callers, ...refused], sheets.length, OF_ROUTE))
        cells.push(
          await cellOf(scene, { route, declared, place: null, template: declared.asks }, caller, null),
        )
      sheets.push({ name: route, isWrite, cells })
    }
    for (const [i, place] of (declared.ids ?? []).entries()) {
      const resources = await scene.states(place.of)
      const cells = []
      // One place is enough for an unauthenticated caller.
      const people = i > 0 || declared.asks ? callers : [...callers, ...refused]
      const telling = people.flatMap((caller) =>
        resources
          .filter((one) => isTelling(scene, caller, path, place.of, one))
          .map((resource) => ({ caller, resource })),
      )
      const chosen = new Set(sampled(telling, sheets.length, OF_PLACE))
      const askers = new Set([...chosen].map(({ caller }) => caller))
      // The answer for what is hidden from a caller is compared with that for a missing id.
      const isAsked = (one: (typeof telling)[number]) =>
        chosen.has(one) || (one.resource.state === MISSING && askers.has(one.caller))
      for (const { caller, resource } of telling.filter(isAsked))
        cells.push(await cellOf(scene, { route, declared, place, template: place.request }, caller, resource))
      sheets.push({ name: `${method} ${path}, ${place.at} of ${place.of}`, isWrite, cells })
    }
  }
  return sheets
}

function isTelling(scene: Scene, caller: Caller, path: string, kind: Kind, resource: Resource): boolean {
  const isNamed = (names: string[]) => names.includes(caller.name.split(' ', 1)[0] as string)
  if (!isRecord(kind) && !caller.refused && !isNamed(PEOPLE_OF_SETTINGS)) return false
  const isOfOthers = [kind, path.split('/')[1] as string].some((name) => OTHER_CARDS.includes(name))
  const isSimple =
    caller.refused ||
    caller.account_id !== scene.here ||
    (isOfOthers && (!isNamed(PEOPLE_OF_OTHERS) || caller.surface === '/api/v4')) ||
    (isNamed(OF_STAGES) && !STAGED.includes(kind))
  return !isSimple || SIMPLE.includes(resource.state)
}

async function cellOf(
  scene: Scene,
  {
    route,
    declared,
    place,
    template,
  }: { route: string; declared: Declared; place: IdPlace | null; template: Template },
  caller: Caller,
  resource: Resource | null,
): Promise<Cell> {
  const [method, path] = route.split(' ') as [string, string]
  const owned = new Map<Kind, Resource>()
  if (!caller.refused) {
    for (const [kind] of place?.beside ?? []) owned.set(kind, await scene.own(caller, kind))
    // Created in advance, because a later change would look like a trace.
    for (const name of placeholdersOf(path, template)) {
      const kind = ownedFor(name, place) ?? /^(?:own|new) (?!telephone)(.+)$/.exec(name)?.[1]
      if (kind) await scene.own(caller, kind as Kind)
    }
  }
  const own = (kind: Kind) => owned.get(kind) as Resource
  const main = caller.refused ? 0 : scene.main(caller, 'catalogs')
  const where = place ? `, ${place.at} of ${place.of} ${resource?.state}` : ''
  return {
    name: `${method} ${caller.surface}${path}${where}: ${caller.name}`,
    method,
    path,
    declared,
    place,
    template,
    caller,
    resource,
    list: place && resource && !caller.refused ? listOf(place, resource, caller, main) : null,
    expected: expectedOf(caller, declared, method, place, resource, own, main),
  }
}

/** The kind of the caller's own object that a placeholder stands for. */
function ownedFor(name: string, place: IdPlace | null): Kind | undefined {
  if (name === 'its parent') return parentOf(place?.of ?? 'transactions')
  return name === 'its file' ? 'files' : undefined
}

export interface Answered {
  status: number
  text: string
  /** The request's own names and ids, which the answer may repeat. */
  sent: string
  headers: Record<string, unknown>
}

/** Sends the cell's request with `id` in its place. Creates `{new …}` objects if the request is expected to succeed. */
export async function ask(scene: Scene, cell: Cell, id: number | string | null): Promise<Answered> {
  const { caller, method, path, template } = cell
  const names = new Map<string, number | string>()
  for (const name of placeholdersOf(path, template)) names.set(name, await resolve(scene, cell, name, id))
  const fill = (text: string) => text.replaceAll(/\{([^}]+)\}/g, (_, name) => String(names.get(name)))
  const params = template.params ?? {}
  const url = path.replaceAll(/:(\w+)/g, (_, name) => fill(params[name] ?? '{id}'))
  const query = template.query ? `?${fill(template.query)}` : ''
  const body = template.body === undefined ? undefined : filled(template.body, names, fill)
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  const address = `${caller.surface}${url}${query}`
  const { status, text, headers } =
    verb === 'get' ? await caller.client.get(address) : await caller.client[verb](address, body)
  return { status, text, headers, sent: `${address} ${JSON.stringify(body)}` }
}

const placeholdersOf = (path: string, { params = {}, ...rest }: Template): Set<string> => {
  const used = [...path.matchAll(/:(\w+)/g)].map(([, name]) => params[name as string] ?? '{id}')
  return new Set(
    [...(used.join(' ') + JSON.stringify(rest)).matchAll(/\{([\w ]+)\}/g)].map(([, name]) => name as string),
  )
}

async function resolve(
  scene: Scene,
  { caller, path, place, resource, expected, list }: Cell,
  name: string,
  id: number | string | null,
): Promise<number | string> {
  if (name === 'id') return id ?? 0
  if (name === 'n') return scene.next()
  if (caller.refused) return 0
  if (name === 'its list') return list ?? 0
  if (name === 'its review') return expected < 300 ? reviewOf(scene, id) : 1
  if (name === 'its telephone') return phoneOf(scene.byId.get(String(id))?.mark)
  if (name === 'own telephone') return phoneOf((await scene.own(caller, 'contacts')).mark)
  if (name === 'its parent' && resource?.parent) return resource.parent.id
  const standing = ownedFor(name, place)
  if (standing) {
    const own = await scene.own(caller, standing)
    if (name === 'its file' && expected < 300) {
      const files = `/web/v4/${path.split('/')[1]}/${id}/files`
      await scene.world.admin.browser.put(files, [{ file_uuid: own.id }])
    }
    return own.id
  }
  const [which, ...rest] = name.split(' ')
  const kind = rest.join(' ') as Kind
  if (which === 'main') return scene.main(caller, kind as 'pipelines' | 'catalogs')
  const own = await scene.own(caller, kind)
  return which === 'new' && expected < 300 ? ((await scene.others([own]))[0] as Resource).id : own.id
}

/** Sends a template for review. */
async function reviewOf({ world }: Scene, template: number | string | null): Promise<number> {
  const { body } = await world.admin.browser.post(`/web/v4/chats/templates/${template}/review`, {})
  return body._embedded.reviews[0].id
}

function filled(
  value: unknown,
  names: Map<string, number | string>,
  fill: (text: string) => string,
): unknown {
  if (typeof value === 'string') {
    const whole = /^\{([^}]+)\}$/.exec(value)?.[1]
    return whole === undefined ? fill(value) : names.get(whole)
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, names, fill))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, names, fill)]))
}
