import { type World, world } from '../world.ts'
import { findTalkOf, makeChat, makeMessage } from './chats-of-scene.ts'
import type { Kind, SettingKind } from './declaration.ts'
import { isNote, isOfChat, isRecord, parentOf, type Thing } from './expected.ts'
import { type Home, isMadeAtOnce, makeMany, makeRecord, makeSetting, raiseIds, settle } from './makers.ts'
import { type Caller, gather, type People } from './people.ts'
import { statesOf } from './states.ts'

/** The properties of an object. By default, it belongs to the administrator and has no special rights. */
export interface Wish
  extends Partial<Pick<Thing, 'is_deleted' | 'stage' | 'catalog_id' | 'holder' | 'parent'>> {
  account_id: number
  responsible?: Pick<Caller, 'user_id' | 'group_id'>
  /** The responsible user of the contact of a chat's lead. */
  beside?: Pick<Caller, 'user_id' | 'group_id'>
}

/** The accounts, people and objects of the matrix. */
export interface Scene {
  world: World
  people: People
  /** The account of nearly all objects. */
  here: number
  home: Home
  /** The states of an id, by kind. */
  states(kind: Kind): Promise<Thing[]>
  make(kind: Kind, wish: Wish, state?: string): Promise<Thing>
  /** The caller's own object; for a setting, one of their account. */
  own(caller: Caller, kind: Kind): Promise<Thing>
  /** The pipeline or list of the settings in the caller's account. */
  main(caller: Caller, kind: 'pipelines' | 'catalogs'): number
  /** An unchanged copy of each object. */
  others(things: Thing[]): Promise<Thing[]>
  /** Every created record, by the number of its marks and by its id. */
  marked: Map<number, Thing>
  byId: Map<string, Thing>
  next(): number
}

export async function stage(): Promise<Scene> {
  const all = await world()
  await raiseIds(all)
  const accounts = {
    here: all.account,
    elsewhere: await all.addAccount('elsewhere'),
    unpaid: await all.addAccount('unpaid'),
  }
  const homes = new Map<number, Home>()
  for (const account of Object.values(accounts)) {
    const isHere = account === accounts.here
    const admin = isHere ? all.admin : await all.addPerson({ name: 'Olga', is_admin: true, account })
    homes.set(account.id, await settle(all, admin))
  }
  const homeOf = (account_id: number) => homes.get(account_id) as Home
  const home = homeOf(accounts.here.id)
  await stopPaying(all, accounts.unpaid.id)

  let token = ''
  let count = 0
  const next = () => ++count
  const marked = new Map<number, Thing>()
  const byId = new Map<string, Thing>()
  const make = async (kind: Kind, wish: Wish, state = 'another'): Promise<Thing> => {
    const at = homeOf(wish.account_id)
    const thing = thingOf(kind, wish, at, state)
    if (kind === 'transactions' || isNote(kind) || isOfChat(kind))
      thing.parent ??= await make(parentOf(kind), { ...wish, is_deleted: false })
    if (kind === 'events') thing.parent ??= await make('leads', wish)
    const mark = next()
    if (kind === 'chats') {
      const ends = endsOf(thing, wish, at).map((end): [Thing, number] => [end, next()])
      thing.parent = ends[0]?.[0] as Thing
      await makeChat(all, at, thing, mark, ends)
      for (const [end, mark] of ends) remember(end, mark)
      remember(thing, mark)
      return thing
    }
    if (isOfChat(kind)) {
      await (kind === 'talks' ? findTalkOf(all, thing) : makeMessage(all, at, thing, mark))
      remember(thing, mark)
      return thing
    }
    if (!isRecord(kind)) {
      thing.id = await makeSetting(all, at, kind as SettingKind, mark, token)
      return thing
    }
    // The purchased element is in a list that not everybody can see.
    const bought = kind === 'transactions' && {
      account_id: wish.account_id,
      catalog_id: at.lists[1] as number,
    }
    await makeRecord(all, at, thing, mark, bought ? await make('catalog_elements', bought) : null)
    remember(thing, mark)
    return thing
  }
  const remember = (thing: Thing, mark: number) => {
    thing.mark = mark
    marked.set(mark, thing)
    byId.set(String(thing.id), thing)
  }
  const another = ({ kind, state, responsible_user_id, group_id, ...wish }: Thing): Promise<Thing> =>
    make(kind, { ...wish, responsible: { user_id: responsible_user_id, group_id } }, state)
  const others = async (things: Thing[]): Promise<Thing[]> => {
    const [first] = things
    const isBatch = first && isMadeAtOnce(first.kind) && things.every((one) => isAlike(one, first))
    if (!isBatch) return inTurn(things, another)
    const made = things.map((thing): [Thing, number] => [{ ...thing }, next()])
    await makeMany(homeOf(first.account_id), made)
    for (const [thing, mark] of made) remember(thing, mark)
    return made.map(([thing]) => thing)
  }
  for (const [account_id, { lists }] of homes)
    while (lists.length < 3) lists.push((await make('catalogs', { account_id })).id as number)
  const people = await gather(all, accounts, new Map([...homes].map(([id, { admin }]) => [id, admin])), {
    pipeline_id: home.pipeline_id,
    closed_stage: home.stages[1],
    open_stage: home.stages[2],
    open_list: home.lists[0] as number,
    closed_list: home.lists[1] as number,
  })
  token = people.token

  const standing = new Map<string, Promise<Thing>>()
  const states = new Map<Kind, Promise<Thing[]>>()
  const once = <K, V>(made: Map<K, V>, key: K, make: () => V): V => {
    if (!made.has(key)) made.set(key, make())
    return made.get(key) as V
  }
  const scene: Scene = {
    world: all,
    people,
    here: accounts.here.id,
    home,
    marked,
    byId,
    next,
    make,
    states: (kind) => once(states, kind, () => statesOf(scene, home, homeOf(accounts.elsewhere.id), kind)),
    own: (caller, kind) => {
      const { account_id, user_id } = caller
      // Lists have no owner, so the open list is used.
      if (kind === 'catalogs') return Promise.resolve(byId.get(String(scene.main(caller, kind))) as Thing)
      const key = isRecord(kind) ? `${kind} of ${user_id}` : `${kind} in ${account_id}`
      return once(standing, key, () => make(kind, { account_id, responsible: caller }, 'own'))
    },
    main: ({ account_id }, kind) =>
      kind === 'pipelines' ? homeOf(account_id).pipeline_id : (homeOf(account_id).lists[0] as number),
    others,
  }
  return scene
}

const isAlike = (one: Thing, other: Thing): boolean =>
  one.kind === other.kind && one.account_id === other.account_id

async function inTurn<T, V>(list: T[], make: (one: T) => Promise<V>): Promise<V[]> {
  const made: V[] = []
  for (const one of list) made.push(await make(one))
  return made
}

const stopPaying = ({ ctx }: World, id: number): Promise<unknown> =>
  ctx.db.transaction().execute((tx) =>
    tx
      .updateTable('accounts')
      .set({ paid_until: ctx.now() - 1 })
      .where('id', '=', id)
      .execute(),
  )

const thingOf = (kind: Kind, wish: Wish, { admin }: Home, state: string): Thing => ({
  kind,
  id: 0,
  state,
  account_id: wish.account_id,
  is_deleted: wish.is_deleted ?? false,
  responsible_user_id: wish.responsible?.user_id ?? admin.id,
  group_id: wish.responsible?.group_id ?? 0,
  created_by: admin.id,
  stage: wish.stage ?? null,
  catalog_id: wish.catalog_id ?? null,
  holder: wish.holder ?? null,
  parent: wish.parent ?? null,
  mark: 0,
})

/** The records of a chat. The first one determines its rights. */
function endsOf({ holder }: Thing, { beside, ...wish }: Wish, at: Home): Thing[] {
  const other = { account_id: wish.account_id, ...(beside && { responsible: beside }) }
  const { stage, ...held } = { ...wish, parent: null, holder: null, is_deleted: false }
  const end = (kind: Kind, wish: Wish) => thingOf(kind, wish, at, 'with a chat')
  if (holder === 'contact') return [end('contacts', held)]
  if (holder === 'contact of a lead in the trash')
    return [end('contacts', held), end('leads', { ...other, is_deleted: true })]
  return [end('leads', { ...held, stage: stage ?? null }), end('contacts', other)]
}
