import { completeRights, everything, type Rights, type Width } from '../../src/accounts/members/rights.ts'
import type { AccountRow } from '../../src/db/tables.ts'
import { type Client, client, type Identity } from '../client.ts'
import { connect, freshCode, type Registered, register } from '../fixtures/integrations.ts'
import type { Person, World } from '../world.ts'

/** A caller of the API: a session of the web application, or a token. */
export interface Caller {
  name: string
  client: Client
  surface: '/api/v4' | '/web/v4'
  /** The status of a caller who is refused before routing. */
  refused?: 401 | 403
  is_admin: boolean
  account_id: number
  user_id: number
  group_id: number
  rights: Rights
  is_paid: boolean
}

/** Stages and lists with their own rights. */
export interface Guarded {
  pipeline_id: number
  closed_stage: number
  open_stage: number
  open_list: number
  closed_list: number
}

export interface Accounts {
  here: AccountRow
  elsewhere: AccountRow
  unpaid: AccountRow
}

const ofKind = (view: Width, edit: Width, remove: Width, add: 'A' | 'D' = 'A') => ({
  view,
  edit,
  add,
  delete: remove,
  export: 'D' as const,
})
const ofAllKinds = (...widths: Parameters<typeof ofKind>) => {
  const [leads, contacts, companies] = [ofKind(...widths), ofKind(...widths), ofKind(...widths)]
  return { leads, contacts, companies }
}
const inStage = (width: 'A' | 'D') => ({ view: width, edit: width, delete: width, export: width })
const inList = (width: 'A' | 'D') => ({ ...inStage(width), add: width })

/** The rights of the people in the first account who are not administrators. */
function rightsOf(at: Guarded): Record<string, Partial<Rights>> {
  const stage = (status_id: number, width: 'A' | 'D'): Rights['status_rights'] => [
    { entity_type: 'leads', pipeline_id: at.pipeline_id, status_id, rights: inStage(width) },
  ]
  return {
    Alma: { ...ofAllKinds('A', 'A', 'A'), tasks: { edit: 'A', delete: 'A' }, catalog_access: true },
    Vera: {
      ...ofAllKinds('A', 'M', 'M', 'D'),
      tasks: { edit: 'A', delete: 'M' },
      catalog_access: true,
      catalog_rights: [
        {
          catalog_id: at.open_list,
          rights: { view: 'A', edit: 'D', add: 'D', delete: 'D', export: 'D' },
        },
      ],
    },
    Mona: {
      ...ofAllKinds('M', 'M', 'M'),
      tasks: { edit: 'M', delete: 'M' },
      catalog_rights: [{ catalog_id: at.open_list, rights: inList('A') }],
    },
    Gus: {
      ...ofAllKinds('G', 'G', 'M'),
      tasks: { edit: 'G', delete: 'G' },
      catalog_access: true,
      catalog_rights: [{ catalog_id: at.closed_list, rights: inList('D') }],
    },
    Gil: { ...ofAllKinds('G', 'G', 'G'), tasks: { edit: 'M', delete: 'D' }, catalog_access: true },
    Dan: completeRights(),
    Stan: {
      ...ofAllKinds('A', 'A', 'A'),
      tasks: { edit: 'M', delete: 'M' },
      catalog_access: true,
      status_rights: stage(at.closed_stage, 'D'),
    },
    Sue: {
      ...ofAllKinds('M', 'M', 'M'),
      tasks: { edit: 'A', delete: 'D' },
      status_rights: stage(at.open_stage, 'A'),
    },
  }
}

const descriptions: Record<string, string> = {
  Alma: 'all rights',
  Vera: 'sees all, changes their own',
  Mona: 'their own',
  Gus: 'group North',
  Gil: 'group South',
  Dan: 'denied',
  Stan: 'all but one stage',
  Sue: 'their own, one stage and all tasks',
}

export interface People {
  callers: Caller[]
  /** Callers without a valid session or token. */
  refused: Caller[]
  /** In the group of Gus, and sends no requests. */
  nora: Pick<Caller, 'user_id' | 'group_id'>
  /** The token of the first account's administrator. */
  token: string
}

/** Creates all callers of the matrix, once. */
export async function createPeople(
  world: World,
  accounts: Accounts,
  admins: Map<number, Person>,
  at: Guarded,
): Promise<People> {
  const { admin } = world
  const integration = await register(admin, { multiple_sources: true })
  const token = await tokenOf(world, admin, integration)
  const [north, south] = [await addGroup(admin, 'North'), await addGroup(admin, 'South')]
  const limited = await createLimited(world, integration, at, { Gus: north, Gil: south })
  const olga = admins.get(accounts.elsewhere.id) as Person
  const uma = admins.get(accounts.unpaid.id) as Person
  const refused = [
    ...(await createStrangers(world, olga)),
    ...(await createFormerMembers(world, integration)),
    ...(await createRefusedTokens(world)),
  ]
  const nora = await world.addPerson({ name: 'Nora', group_id: north })
  const callers = [
    callerOf('administrator', bySession(world, admin), administrator(admin)),
    callerOf('administrator by token', byToken(world, token), administrator(admin)),
    ...limited,
    callerOf('administrator of another account', bySession(world, olga), administrator(olga)),
    callerOf('administrator of an unpaid account', bySession(world, uma), {
      ...administrator(uma),
      is_paid: false,
    }),
  ]
  return { callers, refused, nora: { user_id: nora.id, group_id: north }, token }
}

const nobody = { is_admin: false, account_id: 0, user_id: 0, group_id: 0, rights: completeRights() }

const callerOf = (name: string, client: Client, about: Partial<Caller>): Caller => ({
  name,
  client,
  surface: client.identity.token ? '/api/v4' : '/web/v4',
  is_paid: true,
  ...nobody,
  ...about,
})

const administrator = ({ id, account }: Person) => ({
  is_admin: true,
  user_id: id,
  account_id: account.id,
  rights: everything,
})

const bySession = ({ app }: World, { browser }: Person, change: Partial<Identity> = {}): Client =>
  client(app.http, { ...browser.identity, ...change })

const byToken = ({ app, ctx, account }: World, token: string, { subdomain } = account): Client =>
  client(app.http, { host: ctx.hosts.accountHost(subdomain), token })

const tokenOf = async ({ stranger }: World, person: Person, integration: Registered): Promise<string> =>
  (await connect(stranger, integration, await freshCode(person, integration))).access_token

const addGroup = async ({ browser }: Person, name: string): Promise<number> =>
  (await browser.post('/web/v4/groups', { name })).body.id

/** The people of the first account who are not administrators. */
async function createLimited(
  world: World,
  integration: Registered,
  at: Guarded,
  groups: Record<string, number>,
): Promise<Caller[]> {
  const callers: Caller[] = []
  for (const [person_name, given] of Object.entries(rightsOf(at))) {
    const name = `${person_name} (${descriptions[person_name]})`
    const rights = completeRights(given)
    const group_id = groups[person_name] ?? 0
    const person = await world.addPerson({ name: person_name, group_id, is_admin: true, rights })
    // Only an administrator can grant a token. Its later rights are those of the person.
    const token = person_name === 'Mona' ? await tokenOf(world, person, integration) : null
    await world.admin.browser.patch(`/web/v4/users/${person.id}`, { is_admin: false })
    const about = { user_id: person.id, account_id: world.account.id, group_id, rights }
    callers.push(callerOf(name, bySession(world, person), about))
    if (token) callers.push(callerOf(`${name}, by token`, byToken(world, token), about))
  }
  return callers
}

/** Callers who never had a session or token of the first account. */
async function createStrangers(world: World, olga: Person): Promise<Caller[]> {
  const { admin, app } = world
  const here = { host: admin.browser.identity.host }
  const integration = await register(olga)
  const token = (await connect(byToken(world, '', olga.account), integration)).access_token
  const elsewhere = 'administrator of another account'
  return [
    callerOf('nobody, in a browser', client(app.http, here), { refused: 401 }),
    callerOf('nobody, without a token', byToken(world, 'none'), { refused: 401 }),
    // A9: the API only accepts tokens, never the cookie.
    callerOf('administrator, by a cookie at the API', bySession(world, admin), {
      surface: '/api/v4',
      refused: 401,
    }),
    callerOf(`${elsewhere}, at this address`, bySession(world, olga, here), { refused: 403 }),
    callerOf(`${elsewhere}, by token at this address`, byToken(world, token), { refused: 401 }),
  ]
}

async function createFormerMembers(world: World, integration: Registered): Promise<Caller[]> {
  const { browser } = world.admin
  const ends = {
    removed: (id: number) => browser.delete(`/web/v4/users/${id}`),
    deactivated: (id: number) => browser.post(`/web/v4/users/${id}/deactivate`),
  }
  const callers: Caller[] = []
  for (const [name, end] of Object.entries(ends)) {
    const person = await world.addPerson({ name, is_admin: true })
    const token = await tokenOf(world, person, integration)
    await end(person.id)
    callers.push(callerOf(`${name} person`, bySession(world, person), { refused: 401 }))
    callers.push(callerOf(`${name} person, by token`, byToken(world, token), { refused: 401 }))
  }
  return callers
}

/** An administrator with tokens that were revoked, or do not cover the API. */
async function createRefusedTokens(world: World): Promise<Caller[]> {
  const { admin, stranger } = world
  const closed = await register(admin, { name: 'Switched off' })
  const revoked = (await connect(stranger, closed)).access_token
  await admin.browser.post(`/web/installations/${closed.client_id}/disable`)
  const narrow = await register(admin, { name: 'Narrow', permissions: ['notifications'] })
  const withoutCrm = (await connect(stranger, narrow)).access_token
  return [
    callerOf('administrator, by a revoked token', byToken(world, revoked), { refused: 401 }),
    callerOf('administrator, by a token without crm', byToken(world, withoutCrm), { refused: 403 }),
  ]
}
