import { insertRows } from '../../src/db/row-sets.ts'
import { cardTypes, type EntityType, entityTypes } from '../../src/entities/records/entity-types.ts'
import type { ChatPart, Kind, NoteKind } from './declaration.ts'
import { cards, isNote, isOfChat, isRecord, parentOf, type Resource } from './expected.ts'
import { type Home, missingId } from './makers.ts'
import type { Caller } from './people.ts'
import type { ResourceDraft } from './resources.ts'
import type { Scene } from './scene.ts'

/** The state of a missing id. */
export const MISSING = 'missing'

type States = [state: string, draft: ResourceDraft][]

/** The states of an id of a kind: its owner, its place, and the ways in which it can be missing. */
export async function statesOf(scene: Scene, home: Home, elsewhere: Home, kind: Kind): Promise<Resource[]> {
  const account_id = scene.here
  const missing: Resource = {
    kind,
    id: missingId(kind),
    state: MISSING,
    account_id: 0,
    is_deleted: false,
    responsible_user_id: 0,
    group_id: 0,
    created_by: 0,
    stage: null,
    catalog_id: null,
    holder: null,
    parent: null,
    mark: 0,
  }
  if (kind === 'events') return [missing, ...(await statesOfEvents(scene, elsewhere))]
  if (isNote(kind)) return [missing, ...(await statesOfNotes(scene, elsewhere, kind))]
  if (isOfChat(kind)) return [missing, ...(await statesOfParts(scene, elsewhere, kind))]
  if (kind === 'catalogs') {
    const lists = ['open list', 'closed list', 'plain list'].map((state, i) => ({
      ...(scene.byId.get(String(home.lists[i])) as Resource),
      state,
    }))
    const far = scene.byId.get(String(elsewhere.lists[0])) as Resource
    return [missing, ...lists, { ...far, state: 'of another account' }]
  }
  const drafts: States = [
    ...(isRecord(kind) ? await statesOfRecords(scene, home, kind) : ([['there', { account_id }]] as States)),
    ['of another account', { account_id: elsewhere.admin.account.id }],
  ]
  const resources = [missing]
  for (const [state, draft] of drafts) resources.push(await scene.make(kind, draft, state))
  if (isRecord(kind)) {
    const kin = kind === 'chats' ? 'messages' : kind === 'contacts' ? 'companies' : 'contacts'
    resources.push(await scene.make(kin, { account_id, responsible: one(scene, 'Mona') }, 'of another kind'))
  }
  return resources
}

const one = ({ people }: Scene, name: string): Caller =>
  people.callers.find((caller) => caller.name.startsWith(name)) as Caller

async function statesOfRecords(scene: Scene, home: Home, kind: Kind): Promise<States> {
  const { pipeline_id, stages, lists } = home
  const of = (name: string, draft: Partial<ResourceDraft> = {}): ResourceDraft => ({
    account_id: scene.here,
    responsible: one(scene, name),
    ...draft,
  })
  const inStage = (status_id: number) => ({ stage: { pipeline_id, status_id } })
  const trashed = (name: string, beside: string): ResourceDraft =>
    of(name, { holder: 'contact of a lead in the trash', beside: one(scene, beside) })
  const common: States = [
    ['Mona’s', of('Mona')],
    ['in the trash', of('Mona', { is_deleted: true })],
  ]
  if (kind === 'catalog_elements')
    return [
      ...common,
      ['in the closed list', of('Mona', { catalog_id: lists[1] as number })],
      ['in a plain list', of('Mona', { catalog_id: lists[2] as number })],
    ]
  const owned: States = [
    ...common,
    ['Nora’s', { account_id: scene.here, responsible: scene.people.nora }],
    ['Gil’s', of('Gil')],
  ]
  if (kind === 'leads')
    return [
      ...owned,
      ['Mona’s in the closed stage', of('Mona', inStage(stages[1]))],
      ['Gil’s in the open stage', of('Gil', inStage(stages[2]))],
    ]
  if (kind === 'chats')
    return [
      ['Mona’s', of('Mona')],
      ['Nora’s', { account_id: scene.here, responsible: scene.people.nora }],
      ['Gil’s, with a contact of Mona’s', of('Gil', { beside: one(scene, 'Mona') })],
      ['Mona’s in the closed stage', of('Mona', inStage(stages[1]))],
      ['Gil’s in the open stage', of('Gil', inStage(stages[2]))],
      ['of a contact of Mona’s', of('Mona', { holder: 'contact' })],
      ['of a contact of Nora’s', { ...of('Mona', { holder: 'contact' }), responsible: scene.people.nora }],
      ['of a contact of Gil’s, its lead in the trash Mona’s', trashed('Gil', 'Mona')],
      ['of a contact of Mona’s, its lead in the trash Gil’s', trashed('Mona', 'Gil')],
    ]
  if (kind !== 'tasks') return owned
  const parent = await scene.make('leads', of('Mona'))
  const hidden = await scene.make('leads', of('Gil', inStage(stages[1])))
  return [
    ...owned,
    ['Gil’s about a lead of Mona’s', of('Gil', { parent })],
    ['Mona’s about a lead of Gil’s in the closed stage', of('Mona', { parent: hidden })],
  ]
}

/** Notes on records in every state, and the states of notes themselves. */
async function statesOfNotes(scene: Scene, elsewhere: Home, kind: NoteKind): Promise<Resource[]> {
  const account_id = scene.here
  const live = (await scene.states(parentOf(kind))).filter((resource) =>
    isThere(scene, resource, parentOf(kind)),
  )
  const [parent] = live
  const gone = await scene.make(parentOf(kind), { account_id, responsible: one(scene, 'Mona') })
  const kin = kind === 'notes of contacts' ? 'notes of companies' : 'notes of contacts'
  const drafts: [Kind, string, ResourceDraft][] = [
    ...live.map((parent): [Kind, string, ResourceDraft] => [kind, parent.state, { account_id, parent }]),
    [kind, 'in the trash', { account_id, parent: parent as Resource, is_deleted: true }],
    [kind, 'on one in the trash', { account_id, parent: gone }],
    [kind, 'of another account', { account_id: elsewhere.admin.account.id }],
    [kin, 'of another kind', { account_id, responsible: one(scene, 'Mona') }],
  ]
  const resources: Resource[] = []
  for (const [kind, state, draft] of drafts) resources.push(await scene.make(kind, draft, state))
  await scene.world.admin.browser.delete(`/web/v4/${gone.kind}/${gone.id}`)
  gone.is_deleted = true
  return resources
}

/** The talk of each chat, and a message in it. */
async function statesOfParts(scene: Scene, elsewhere: Home, kind: ChatPart): Promise<Resource[]> {
  const account_id = scene.here
  const resources: Resource[] = []
  for (const parent of await scene.states('chats'))
    if (isThere(scene, parent, 'chats'))
      resources.push(await scene.make(kind, { account_id, parent }, parent.state))
  const far = { account_id: elsewhere.admin.account.id }
  return [...resources, await scene.make(kind, far, 'of another account')]
}

/** Events of records of every kind in every state, including deleted ones. */
async function statesOfEvents(scene: Scene, elsewhere: Home): Promise<Resource[]> {
  const account_id = scene.here
  const resources: Resource[] = []
  for (const kind of [...cards, 'catalog_elements', 'tasks'] as const)
    for (const parent of await scene.states(kind)) {
      if (parent.kind !== kind || parent.account_id !== account_id) continue
      const state = kind === 'leads' ? parent.state : `${parent.state}, of ${kind}`
      resources.push(await scene.make('events', { account_id, parent }, state))
    }
  const far = { account_id: elsewhere.admin.account.id }
  return [...resources, await scene.make('events', far, 'of another account')]
}

const isThere = (scene: Scene, resource: Resource, kind: Kind): boolean =>
  resource.kind === kind && resource.account_id === scene.here && !resource.is_deleted

/** Links everything to everything that it can be linked to, so that each visible record leads to hidden ones. */
export async function linkEverything(scene: Scene): Promise<void> {
  const { browser } = scene.world.admin
  const live = async (kind: EntityType) =>
    (await scene.states(kind)).filter((resource) => isThere(scene, resource, kind))
  for (const kind of cardTypes)
    for (const to of entityTypes[kind].links) {
      const far = await live(to)
      const links = (await live(kind)).flatMap((resource, i) =>
        // A lead and a contact can have only one company, so it is a different one.
        (to === 'companies' ? [far[(i + 1) % far.length] as Resource] : far).map(({ id }) => ({
          entity_id: resource.id,
          to_entity_id: id,
          to_entity_type: to,
        })),
      )
      const answer = await browser.post(`/web/v4/${kind}/link`, links)
      if (answer.status !== 200) throw new Error(`not linked: ${answer.text}`)
    }
}

/** Enough leads of Gil's, without notes, to exceed the limit for the query of few records. */
export async function addManyLeads(scene: Scene): Promise<void> {
  const { ctx } = scene.world
  const gils = (await scene.states('leads')).find(({ state }) => state === 'Gil’s') as Resource
  const lead = await ctx.db
    .selectFrom('entities')
    .selectAll()
    .where('account_id', '=', scene.here)
    .where('id', '=', Number(gils.id))
    .executeTakeFirstOrThrow()
  const leads = Array.from({ length: 1_200 }, (_, i) => ({ ...lead, id: 5_900_000 + i }))
  await ctx.db.transaction().execute((tx) => insertRows(tx, 'entities', leads))
}
