import { action, type Members, type Value } from './action.ts'
import type { Scene } from './scene.ts'

/** The kinds of records, with the parts of their addresses. */
export const paths = {
  lead: 'leads',
  contact: 'contacts',
  company: 'companies',
  customer: 'customers',
} as const
export type Kind = keyof typeof paths

/** New records. */
const drafts: Record<Kind, (scene: Scene) => object> = {
  lead: () => ({ name: 'New lead', price: 100 }),
  contact: () => ({ name: 'New contact' }),
  company: () => ({ name: 'New company' }),
  customer: ({ now }) => ({ name: 'New customer', next_date: now + DAY }),
}
export const DAY = 86_400

/** The given record, or a new one. */
export const recordOf = (scene: Scene, kind: Kind, id: number | null): Promise<number> =>
  scene.given(kind, id, paths[kind], drafts[kind](scene))

/** The id of a record of one kind, under the name of the kind. */
const one = (kind: Kind) => ({ [kind]: null }) as Record<string, null>
const idIn = (set: Record<string, Value>, kind: Kind) => set[kind] as number | null

/** The id of a record of any kind; all are optional. */
export const anyRecord = { lead: null, contact: null, company: null, customer: null } as const

/** The first given record, or a new one of a kind. */
export async function anyOf(
  scene: Scene,
  set: Record<string, Value>,
  kind: Kind,
): Promise<{ kind: Kind; path: string }> {
  const given = (Object.keys(paths) as Kind[]).find((one) => set[one] != null) ?? kind
  return { kind: given, path: `${paths[given]}/${await recordOf(scene, given, idIn(set, given))}` }
}

export const added = (kind: Kind) =>
  action(
    `Adds a ${kind}.`,
    { name: `New ${kind}`, ...(kind === 'lead' && { price: 100 }) } as Members,
    (scene, set) => scene.add(kind, paths[kind], { ...drafts[kind](scene), ...set }),
  )

export const deleted = (kind: Kind) =>
  action(`Moves a ${kind} to the trash.`, one(kind), async (scene, set) =>
    scene.ask('DELETE', `${paths[kind]}/${await recordOf(scene, kind, idIn(set, kind))}`),
  )

export const restored = (kind: Kind) =>
  action(`Moves a ${kind} to the trash and restores it.`, one(kind), async (scene, set) => {
    const path = `${paths[kind]}/${await recordOf(scene, kind, idIn(set, kind))}`
    await scene.ask('DELETE', path)
    await scene.ask('POST', `${path}/restore`)
  })

/** The kind of record in which a link to a kind is recorded. */
const far: Record<Kind, Kind> = { lead: 'contact', contact: 'lead', company: 'lead', customer: 'contact' }

async function link(scene: Scene, set: Record<string, Value>, kind: Kind) {
  const id = await recordOf(scene, kind, idIn(set, kind))
  const on = far[kind]
  const path = `${paths[on]}/${await recordOf(scene, on, idIn(set, on))}`
  const body = [{ to_entity_id: id, to_entity_type: paths[kind] }]
  await scene.ask('POST', `${path}/link`, body)
  return { path, body }
}

export const linked = (kind: Kind) =>
  action(`Links a ${kind} to a ${far[kind]}.`, { ...one(kind), ...one(far[kind]) }, (scene, set) =>
    link(scene, set, kind),
  )

export const unlinked = (kind: Kind) =>
  action(
    `Links a ${kind} to a ${far[kind]}, and removes the link.`,
    { ...one(kind), ...one(far[kind]) },
    async (scene, set) => {
      const { path, body } = await link(scene, set, kind)
      await scene.ask('POST', `${path}/unlink`, body)
    },
  )

export const renamed = (kind: Kind) =>
  action(`Changes the name of a ${kind}.`, { ...one(kind), name: '' } as Members, async (scene, set) => {
    const id = await recordOf(scene, kind, idIn(set, kind))
    await scene.ask('PATCH', `${paths[kind]}/${id}`, { name: set.name || `Name ${scene.unique()}` })
  })

/** Another person of the account than this one; a new one if there is none. */
async function otherPerson(scene: Scene, user_id: number): Promise<number> {
  const { _embedded } = await scene.ask('GET', 'users?limit=250')
  const people = _embedded.users as { id: number; rights: { is_active: boolean } }[]
  const other = people.find(({ id, rights }) => id !== user_id && rights.is_active)
  if (other) return other.id
  const name = scene.unique()
  const person = {
    name: 'Second person',
    email: `${name}@person.example`,
    password: `${scene.unique()}${scene.unique()}`,
  }
  return scene.add('user', 'users', person)
}

/** Gives something that exists to another person. */
export async function assign(scene: Scene, path: string, user: number | null): Promise<void> {
  const { responsible_user_id } = await scene.read(path)
  await scene.ask('PATCH', path, {
    responsible_user_id: user ?? (await otherPerson(scene, responsible_user_id)),
  })
}

export const reassigned = (kind: Kind) =>
  action(
    `Makes another person responsible for a ${kind}.`,
    { ...one(kind), user: null } as Members,
    async (scene, set) =>
      assign(
        scene,
        `${paths[kind]}/${await recordOf(scene, kind, idIn(set, kind))}`,
        set.user as number | null,
      ),
  )
