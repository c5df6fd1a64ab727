import { type World, world } from '../world.ts'
import type { Kind } from './declaration.ts'
import { isRecord, type Resource } from './expected.ts'
import { createHome, type Home, raiseIds } from './makers.ts'
import { type Accounts, type Caller, createPeople, type People } from './people.ts'
import { type ResourceDraft, Resources } from './resources.ts'
import { statesOf } from './states.ts'

/** The accounts, people and objects of the matrix. */
export class Scene {
  readonly world: World
  readonly people: People
  /** The account of nearly all objects. */
  readonly here: number
  readonly home: Home
  readonly #elsewhere: Home
  readonly #homes: ReadonlyMap<number, Home>
  readonly #resources: Resources
  readonly #own = new Map<string, Promise<Resource>>()
  readonly #states = new Map<Kind, Promise<Resource[]>>()

  constructor(
    world: World,
    accounts: Accounts,
    homes: ReadonlyMap<number, Home>,
    resources: Resources,
    people: People,
  ) {
    this.world = world
    this.people = people
    this.here = accounts.here.id
    this.home = homes.get(accounts.here.id) as Home
    this.#elsewhere = homes.get(accounts.elsewhere.id) as Home
    this.#homes = homes
    this.#resources = resources
  }

  /** Every created record, by the number of its marks. */
  get marked(): ReadonlyMap<number, Resource> {
    return this.#resources.marked
  }

  get byId(): ReadonlyMap<string, Resource> {
    return this.#resources.byId
  }

  /** A unique number. */
  next(): number {
    return this.#resources.next()
  }

  make(kind: Kind, draft: ResourceDraft, state?: string): Promise<Resource> {
    return this.#resources.make(kind, draft, state)
  }

  /** An unchanged copy of each object. */
  others(resources: Resource[]): Promise<Resource[]> {
    return this.#resources.others(resources)
  }

  /** The states of an id, by kind. */
  states(kind: Kind): Promise<Resource[]> {
    return once(this.#states, kind, () => statesOf(this, this.home, this.#elsewhere, kind))
  }

  /** The caller's own object; for a setting, one of their account. */
  own(caller: Caller, kind: Kind): Promise<Resource> {
    const { account_id, user_id } = caller
    // Lists have no owner, so the open list is used.
    if (kind === 'catalogs')
      return Promise.resolve(this.byId.get(String(this.main(caller, kind))) as Resource)
    const key = isRecord(kind) ? `${kind} of ${user_id}` : `${kind} in ${account_id}`
    return once(this.#own, key, () => this.make(kind, { account_id, responsible: caller }, 'own'))
  }

  /** The pipeline or list of the settings in the caller's account. */
  main({ account_id }: Caller, kind: 'pipelines' | 'catalogs'): number {
    const { pipeline_id, lists } = this.#homes.get(account_id) as Home
    return kind === 'pipelines' ? pipeline_id : (lists[0] as number)
  }
}

export async function createScene(): Promise<Scene> {
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
    homes.set(account.id, await createHome(all, admin))
  }
  await stopPaying(all, accounts.unpaid.id)
  const resources = new Resources(all, homes)
  for (const [account_id, { lists }] of homes)
    while (lists.length < 3) lists.push((await resources.make('catalogs', { account_id })).id as number)
  const admins = new Map([...homes].map(([id, { admin }]) => [id, admin]))
  const { pipeline_id, stages, lists } = homes.get(accounts.here.id) as Home
  const people = await createPeople(all, accounts, admins, {
    pipeline_id,
    closed_stage: stages[1],
    open_stage: stages[2],
    open_list: lists[0] as number,
    closed_list: lists[1] as number,
  })
  resources.token = people.token
  return new Scene(all, accounts, homes, resources, people)
}

function once<Key, Value>(made: Map<Key, Value>, key: Key, make: () => Value): Value {
  if (!made.has(key)) made.set(key, make())
  return made.get(key) as Value
}

const stopPaying = ({ ctx }: World, id: number): Promise<unknown> =>
  ctx.db.transaction().execute((tx) =>
    tx
      .updateTable('accounts')
      .set({ paid_until: ctx.now() - 1 })
      .where('id', '=', id)
      .execute(),
  )
