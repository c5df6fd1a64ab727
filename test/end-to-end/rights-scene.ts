import type { APIRequestContext, Page } from '@playwright/test'
import { pushTo } from './callbacks.ts'
import { demo } from './people.ts'
import { type Api, addRecord, administrator, type Colleague, personOn } from './record-world.ts'

export const kinds = ['leads', 'contacts', 'companies', 'customers'] as const
export type Kind = (typeof kinds)[number]
export type Owner = 'mine' | 'theirs'

/** The ids of one record per kind. */
type OfEachKind = Record<Kind, number>

export interface Scene {
  admin: Api
  /** The person under test, with the page of the test. */
  me: Colleague
  /** A word that only this scene's records contain. */
  word: string
  /** One record per kind of the person, and one of a person in another group. */
  mine: OfEachKind
  theirs: OfEachKind
  pipeline: { id: number; _embedded: { statuses: { id: number; name: string; type: number }[] } }
  /** The stage of the leads. */
  stage: { id: number; name: string }
}

const width = (view: string, edit: string, more: object = {}) => ({
  view,
  edit,
  add: 'A',
  delete: edit,
  export: view,
  ...more,
})

const ofRecords = (rights: object) => ({ leads: rights, contacts: rights, companies: rights })

/** Permissions by name. Lists are hidden by default. */
export const rightsOf = {
  own: { ...ofRecords(width('M', 'M')), tasks: { edit: 'M', delete: 'M' } },
  'own, no export, no delete': {
    ...ofRecords(width('M', 'M', { delete: 'D', export: 'D' })),
    tasks: { edit: 'M', delete: 'D' },
  },
  "group's, only to read": {
    ...ofRecords(width('G', 'D', { add: 'D', export: 'D' })),
    tasks: { edit: 'D', delete: 'D' },
  },
  'sees all, changes own': { ...ofRecords(width('A', 'M')), tasks: { edit: 'M', delete: 'M' } },
} as const
export type Rights = keyof typeof rightsOf

export const nameOf = (word: string, whose: Owner, kind: Kind) => `${word} ${whose} ${kind}`

/**
 * Creates a person with these permissions in their own group, with records of theirs (or of a group member) and
 * of others, and signs them in. The administrator needs no page.
 */
export async function setScene(page: Page, request: APIRequestContext, rights: Rights): Promise<Scene> {
  const admin = await administrator({ request })
  const word = `r${Math.random().toString(36).slice(2, 9)}`
  const group_id = (await admin.post('groups', { name: `Group ${word}` })).id
  const me = await personOn(page, admin, { name: `Me ${word}`, rights: { ...rightsOf[rights], group_id } })
  // With group permissions, the records belong to another member of the group.
  const owner = rights.startsWith('group') ? await addPeer(admin, word, group_id) : me.id
  const pipeline = (await admin.get('leads/pipelines'))._embedded.pipelines[0]
  const stage = pipeline._embedded.statuses.find(({ type, id }: Stage) => type !== 1 && id !== 142)
  const other = { responsible_user_id: 1, word, whose: 'theirs' as const, stage, pipeline }
  const mine = await addEachKind(admin, { ...other, responsible_user_id: owner, whose: 'mine' })
  const theirs = await addEachKind(admin, other)
  return { admin, me, word, mine, theirs, pipeline, stage }
}

type Stage = { id: number; type: number; name: string }

async function addPeer(admin: Api, word: string, group_id: number): Promise<number> {
  const [peer] = (
    await admin.post('users', [
      {
        name: `Peer ${word}`,
        email: `peer-${word}@cards.example`,
        password: 'a-long-enough-password',
        rights: { ...rightsOf.own, group_id },
      },
    ])
  )._embedded.users
  return peer.id
}

interface Draft {
  responsible_user_id: number
  word: string
  whose: Owner
  stage: { id: number }
  pipeline: { id: number }
}

const PRICES = { mine: 300, theirs: 7_000 }

async function addEachKind(
  admin: Api,
  { word, whose, responsible_user_id, stage, pipeline }: Draft,
): Promise<OfEachKind> {
  const draft = (kind: Kind) => ({ name: nameOf(word, whose, kind), responsible_user_id })
  const place = { status_id: stage.id, pipeline_id: pipeline.id, price: PRICES[whose] }
  const contacts = await addRecord(admin, 'contacts', draft('contacts'))
  return {
    contacts,
    companies: await addRecord(admin, 'companies', draft('companies')),
    leads: await addRecord(admin, 'leads', { ...draft('leads'), ...place }),
    customers: await addRecord(admin, 'customers', { ...draft('customers'), next_price: PRICES[whose] }),
  }
}

/** Creates a conversation whose contact and lead belong to a person. */
export async function addChat(
  { admin, word }: Scene,
  whose: Owner,
  responsible_user_id: number,
): Promise<{ id: string; name: string }> {
  const { channel } = demo
  if (!channel) throw new Error('the demo has no channel')
  const name = `${word} ${whose} chat`
  const from = { id: `${word}-${whose}`, name }
  await pushTo(demo.base_url, channel, { from, message: { type: 'text', text: `Hello from ${name}` } })
  const [chat] = (await admin.get(`chats?query=${encodeURIComponent(name)}`))._embedded.chats
  await admin.patch(`leads/${chat.lead_id}`, { responsible_user_id })
  await admin.patch(`contacts/${chat.contact_id}`, { responsible_user_id })
  return { id: chat.id, name }
}
