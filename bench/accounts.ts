import { type Actor, addMember, createAccount, findActor } from '../src/accounts/accounts.ts'
import type { Context } from '../src/context.ts'
import { addEntities } from '../src/entities/entities.ts'
import { installWithCodes } from '../src/integrations/installations/installations.ts'
import { createIntegration } from '../src/integrations/integrations.ts'
import { findClient } from '../src/integrations/registry/queries.ts'
import { wholeCpuTimeOf } from './cpu.ts'
import { type DatabaseName, type Databases, openDatabases } from './databases.ts'
import { load, requestBytes } from './load.ts'
import { memoryOf } from './memory.ts'
import type { Program } from './programs.ts'
import { type Column, type Table, tableOf, whole } from './report.ts'
import { isChosen, type Options } from './rounds.ts'
import { caller, exchange, openAccount, prepareServer } from './server.ts'

/** Among how many accounts the requests are spread. */
const sizes = [1, 100, 10_000]
const ACCOUNTS = Math.max(...sizes)
const CONNECTIONS = 8
/** Before each measurement, so that the caches have what they will have. */
const WARM_UP_SECONDS = 2
const redirect_uri = 'https://bench.example/oauth/callback'

/** A token of an account, and one of its leads. */
interface Tenant {
  token: string
  lead: number
}

interface Row {
  work: string
  database: string
  /** For each size, the CPU time of a request in microseconds, of the server and the database together. */
  cpu_us: number[]
  /** The memory of the server after the last size, in MiB. */
  memory: number
}

const works: Record<string, (tenant: Tenant) => Buffer> = {
  'GET /api/v4/account': ({ token }) => requestBytes('/api/v4/account', bearer(token)),
  'one lead': ({ token, lead }) => requestBytes(`/api/v4/leads/${lead}`, bearer(token)),
  'a page of five leads': ({ token }) => requestBytes('/api/v4/leads', bearer(token)),
  'a page of five events': ({ token }) => requestBytes('/api/v4/events?limit=5', bearer(token)),
  'add one note': ({ token, lead }) =>
    requestBytes(`/api/v4/leads/${lead}/notes`, bearer(token), [
      { note_type: 'common', params: { text: 'A note' } },
    ]),
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The cost of a request if one account sends them all, and if each of many accounts sends some. */
export async function benchAccounts(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const server = await prepareServer(databases)
  const tenants = await server.offline(openTenants)
  await using program = await server.start()
  const rows: Row[] = []
  for (const work of Object.keys(works).filter((name) => isChosen(name, options))) {
    const cpu_us: number[] = []
    for (const size of sizes)
      cpu_us.push(await costOf(databases, program, work, tenants.slice(0, size), options))
    rows.push({ work, database: databases.version, cpu_us, memory: memoryOf(program.pid, 'VmRSS') })
  }
  return tableOf(columns, rows)
}

const columns: Column<Row>[] = [
  ['request', ({ work }) => work],
  ['database', ({ database }) => database],
  ['CPU µs by accounts', ({ cpu_us }) => cpu_us.map(whole).join(' / ')],
  ['memory MiB', ({ memory }) => whole(memory)],
]

/** Accounts with an administrator and five leads each, in which one integration is installed. */
async function openTenants(ctx: Context): Promise<Tenant[]> {
  const { actor } = await openAccount(ctx)
  const { keys } = await createIntegration(ctx, actor, { name: 'Many', redirect_uri, access: 'public' })
  const integration = await findClient(ctx.db, keys.client_id)
  if (!integration) throw new Error('the integration is missing')
  const tenants: Tenant[] = []
  for (let n = 0; n < ACCOUNTS; n++) {
    const own = await openTenant(ctx, n)
    const { code } = await ctx.db.transaction().execute((tx) => installWithCodes(ctx, tx, own, integration))
    const { access_token } = await exchange(ctx, { ...keys, redirect_uri }, code.code)
    const drafts = Array.from({ length: 5 }, (_, i) => ({ name: `Lead ${i}`, price: i * 10 }))
    const [lead] = await addEntities(ctx, own, 'leads', drafts)
    tenants.push({ token: access_token, lead: lead?.id as number })
  }
  return tenants
}

async function openTenant(ctx: Context, n: number): Promise<Actor> {
  const draft = { name: `Company ${n}`, subdomain: `company${n}` }
  const { id } = await ctx.db.transaction().execute((tx) => createAccount(ctx, tx, draft))
  const person = { name: 'Ada', email: `ada@company${n}.example`, password: null, is_admin: true }
  const user_id = await addMember(ctx, id, person)
  return (await findActor(ctx, { account_id: id, user_id }, { integration: null, ...caller })) as Actor
}

async function costOf(
  databases: Databases,
  program: Program,
  work: string,
  tenants: Tenant[],
  { seconds }: Options,
): Promise<number> {
  const next = () => works[work]?.(tenants[Math.floor(Math.random() * tenants.length)] as Tenant)
  const callers = Array.from({ length: CONNECTIONS }, () => ({ next }))
  await load(program.port, callers, WARM_UP_SECONDS)
  const cpu = () => wholeCpuTimeOf(program.pid) + databases.cpuTime(wholeCpuTimeOf)
  const before = cpu()
  const { requests, errors, first_error } = await load(program.port, callers, seconds)
  if (errors > 0) throw new Error(`${work}: ${first_error}`)
  return (cpu() - before) / requests
}
