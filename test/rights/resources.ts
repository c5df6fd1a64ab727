import type { World } from '../world.ts'
import { findTalkOf, makeChat, makeMessage } from './chats-of-scene.ts'
import type { Kind, SettingKind } from './declaration.ts'
import { isNote, isOfChat, isRecord, parentOf, type Resource } from './expected.ts'
import { type Home, isMadeAtOnce, makeMany, makeRecord, makeSetting } from './makers.ts'
import type { Caller } from './people.ts'

/** The properties of an object. By default, it belongs to the administrator and has no special rights. */
export interface ResourceDraft
  extends Partial<Pick<Resource, 'is_deleted' | 'stage' | 'catalog_id' | 'holder' | 'parent'>> {
  account_id: number
  responsible?: Pick<Caller, 'user_id' | 'group_id'>
  /** The responsible user of the contact of a chat's lead. */
  beside?: Pick<Caller, 'user_id' | 'group_id'>
}

/** Creates the objects of the matrix, each with a number of its own that marks its texts. */
export class Resources {
  /** Every created record, by the number of its marks and by its id. */
  readonly marked = new Map<number, Resource>()
  readonly byId = new Map<string, Resource>()
  /** The token of the integration to which sources belong. */
  token = ''
  readonly #world: World
  readonly #homes: ReadonlyMap<number, Home>
  #count = 0

  constructor(world: World, homes: ReadonlyMap<number, Home>) {
    this.#world = world
    this.#homes = homes
  }

  next(): number {
    return ++this.#count
  }

  async make(kind: Kind, draft: ResourceDraft, state = 'another'): Promise<Resource> {
    const home = this.#homeOf(draft.account_id)
    const resource = resourceOf(kind, draft, home, state)
    if (kind === 'transactions' || isNote(kind) || isOfChat(kind))
      resource.parent ??= await this.make(parentOf(kind), { ...draft, is_deleted: false })
    if (kind === 'events') resource.parent ??= await this.make('leads', draft)
    const mark = this.next()
    if (!isRecord(kind)) {
      resource.id = await makeSetting(this.#world, home, kind as SettingKind, mark, this.token)
      return resource
    }
    if (kind === 'chats') await this.#makeChat(resource, draft, mark)
    else if (kind === 'talks') await findTalkOf(this.#world, resource)
    else if (kind === 'messages') await makeMessage(this.#world, home, resource, mark)
    else await makeRecord(this.#world, home, resource, mark, await this.#boughtBy(resource))
    this.#remember(resource, mark)
    return resource
  }

  /** An unchanged copy of each object. */
  async others(resources: Resource[]): Promise<Resource[]> {
    const [first] = resources
    const isBatch = first && isMadeAtOnce(first.kind) && resources.every((one) => isAlike(one, first))
    if (!isBatch) {
      const copies: Resource[] = []
      for (const one of resources) copies.push(await this.#another(one))
      return copies
    }
    const made = resources.map((one): [Resource, number] => [{ ...one }, this.next()])
    await makeMany(this.#homeOf(first.account_id), made)
    for (const [resource, mark] of made) this.#remember(resource, mark)
    return made.map(([resource]) => resource)
  }

  async #another({ kind, state, responsible_user_id, group_id, ...draft }: Resource): Promise<Resource> {
    // A chat has one talk.
    const parent = kind === 'talks' && draft.parent ? await this.#another(draft.parent) : draft.parent
    const responsible = { user_id: responsible_user_id, group_id }
    return this.make(kind, { ...draft, parent, responsible }, state)
  }

  /** Creates the chat and its ends. Its first end is the parent. */
  async #makeChat(chat: Resource, draft: ResourceDraft, mark: number): Promise<void> {
    const home = this.#homeOf(draft.account_id)
    const ends = endsOf(chat, draft, home).map((end): [Resource, number] => [end, this.next()])
    chat.parent = ends[0]?.[0] as Resource
    await makeChat(this.#world, home, chat, mark, ends)
    for (const [end, mark] of ends) this.#remember(end, mark)
  }

  /** The element of a purchase, in a list that not everybody can see. */
  async #boughtBy({ kind, account_id }: Resource): Promise<Resource | null> {
    if (kind !== 'transactions') return null
    const catalog_id = this.#homeOf(account_id).lists[1] as number
    return this.make('catalog_elements', { account_id, catalog_id })
  }

  #remember(resource: Resource, mark: number): void {
    resource.mark = mark
    this.marked.set(mark, resource)
    this.byId.set(String(resource.id), resource)
  }

  #homeOf(account_id: number): Home {
    return this.#homes.get(account_id) as Home
  }
}

const isAlike = (one: Resource, other: Resource): boolean =>
  one.kind === other.kind && one.account_id === other.account_id

const resourceOf = (kind: Kind, draft: ResourceDraft, { admin }: Home, state: string): Resource => ({
  kind,
  id: 0,
  state,
  account_id: draft.account_id,
  is_deleted: draft.is_deleted ?? false,
  responsible_user_id: draft.responsible?.user_id ?? admin.id,
  group_id: draft.responsible?.group_id ?? 0,
  created_by: admin.id,
  stage: draft.stage ?? null,
  catalog_id: draft.catalog_id ?? null,
  holder: draft.holder ?? null,
  parent: draft.parent ?? null,
  mark: 0,
})

/** The records of a chat. The first one determines its rights. */
function endsOf({ holder }: Resource, { beside, ...draft }: ResourceDraft, at: Home): Resource[] {
  const other = { account_id: draft.account_id, ...(beside && { responsible: beside }) }
  const { stage, ...held } = { ...draft, parent: null, holder: null, is_deleted: false }
  const end = (kind: Kind, draft: ResourceDraft) => resourceOf(kind, draft, at, 'with a chat')
  if (holder === 'contact') return [end('contacts', held)]
  if (holder === 'contact of a lead in the trash')
    return [end('contacts', held), end('leads', { ...other, is_deleted: true })]
  return [end('leads', { ...held, stage: stage ?? null }), end('contacts', other)]
}
