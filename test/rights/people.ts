import { completeRights, everything, type Rights, type Width } from '../../src/accounts/rights.ts'
import type { AccountRow } from '../../src/db/tables.ts'
import { type Client, client, type Identity } from '../client.ts'
import { connect, freshCode, type Registered, register } from '../integrations.ts'
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
  Mona: 'her own',
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
export async function gather(
  world: World,
  accounts: Accounts,
  admins: Map<number, Person>,
  at: Guarded,
): Promise<People> {
  const { admin, app, stranger } = world
  const integration = await register(admin, { multiple_sources: true })
  const tokenOf = async (person: Person, of = integration) =>
    (await connect(stranger, of, await freshCode(person, of))).access_token
  const by = (person: Person, change: Partial<Identity> = {}) =>
    client(app.http, { ...person.browser.identity, ...change })
  const withToken = (token: string, account = accounts.here) =>
    client(app.http, { host: world.ctx.hosts.accountHost(account.subdomain), token })
  const nobody = { is_admin: false, account_id: 0, user_id: 0, group_id: 0, rights: completeRights() }

  const callers: Caller[] = []
  const refused: Caller[] = []
  const add = (name: string, client: Client, about: Partial<Caller> = {}): void => {
    const surface = client.identity.token ? '/api/v4' : '/web/v4'
    const caller = { name, client, surface, is_paid: true, ...nobody, ...about } as Caller
    ;(about.refused ? refused : callers).push(caller)
  }
  const administrator = ({ id, account }: Person) => ({
    is_admin: true,
    user_id: id,
    account_id: account.id,
    rights: everything,
    is_paid: account !== accounts.unpaid,
  })

  const token = await tokenOf(admin)
  add('administrator', by(admin), administrator(admin))
  add('administrator by token', withToken(token), administrator(admin))
  const groups = await Promise.all(
    ['North', 'South'].map(
      async (name) => (await admin.browser.post('/web/v4/groups', { name })).body.id as number,
    ),
  )
  const groupOf: Record<string, number> = { Gus: groups[0] as number, Gil: groups[1] as number }
  for (const [name, named] of Object.entries(rightsOf(at))) {
    const rights = completeRights(named)
    const group_id = groupOf[name] ?? 0
    const person = await world.addPerson({ name, group_id, is_admin: true, rights })
    // Only an administrator can grant a token. Its later rights are those of the person.
    const of = { user_id: person.id, account_id: accounts.here.id, group_id, rights }
    const his = name === 'Mona' ? withToken(await tokenOf(person)) : null
    await world.admin.browser.patch(`/web/v4/users/${person.id}`, { is_admin: false })
    add(`${name} (${descriptions[name]})`, by(person), of)
    if (his) add(`${name} (${descriptions[name]}), by token`, his, of)
  }

  const olga = admins.get(accounts.elsewhere.id) as Person
  const uma = admins.get(accounts.unpaid.id) as Person
  const olgas = await register(olga)
  const token_elsewhere = (await connect(withToken('', accounts.elsewhere), olgas)).access_token
  add('administrator of another account', by(olga), administrator(olga))
  add('administrator of an unpaid account', by(uma), administrator(uma))

  const here = { host: admin.browser.identity.host }
  add('nobody, in a browser', client(app.http, here), { refused: 401 })
  add('nobody, without a token', withToken('').as({ token: 'none' }), { refused: 401 })
  // A9: the API only accepts tokens, never the cookie.
  add('administrator, by a cookie at the API', by(admin), { surface: '/api/v4', refused: 401 })
  add('administrator of another account, at this address', by(olga, here), { refused: 403 })
  add('administrator of another account, by token at this address', withToken(token_elsewhere), {
    refused: 401,
  })
  for (const [name, verb] of [
    ['removed', 'DELETE'],
    ['deactivated', 'POST'],
  ] as const) {
    const person = await world.addPerson({ name, is_admin: true })
    const his = await tokenOf(person)
    if (verb === 'DELETE') await admin.browser.delete(`/web/v4/users/${person.id}`)
    else await admin.browser.post(`/web/v4/users/${person.id}/deactivate`)
    add(`${name} person`, by(person), { refused: 401 })
    add(`${name} person, by token`, withToken(his), { refused: 401 })
  }
  const [closed, narrow] = await registerMore(admin)
  const revoked = (await connect(stranger, closed)).access_token
  await admin.browser.post(`/web/installations/${closed.client_id}/disable`)
  add('administrator, by a revoked token', withToken(revoked), { refused: 401 })
  const without_crm = (await connect(stranger, narrow)).access_token
  add('administrator, by a token without crm', withToken(without_crm), { refused: 403 })
  const nora = await world.addPerson({ name: 'Nora', group_id: groupOf.Gus as number })
  return { callers, refused, nora: { user_id: nora.id, group_id: groupOf.Gus as number }, token }
}

async function registerMore(admin: Person): Promise<[Registered, Registered]> {
  return [
    await register(admin, { name: 'Switched off' }),
    await register(admin, { name: 'Narrow', permissions: ['notifications'] }),
  ]
}
