import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buildApp } from '../src/app.ts'
import { closeContext, openContext } from '../src/commands/open.ts'
import { type DatabaseName, openDatabases } from './databases.ts'
import { type EventAccount, fillAccount } from './event-account.ts'
import { bearer } from './event-programs.ts'
import { filterWorks, firstPage, plainWorks } from './event-works.ts'
import { pageWorks } from './page-works.ts'
import { openPlanner, type Plan } from './planners.ts'
import { type Table, tableOf, whole } from './report.ts'
import type { Options } from './rounds.ts'
import { type Statement, statementsOf } from './statements.ts'

interface Planned extends Plan {
  work: string
  database: string
  events: number
}

const columns: Parameters<typeof tableOf<Planned>>[0] = [
  ['work', ({ work }) => work],
  ['database', ({ database }) => database],
  ['events', ({ events }) => whole(events)],
  ['ms', ({ ms }) => ms.toFixed(2)],
  ['faults', ({ faults }) => faults.join('; ')],
  ['plan', ({ steps }) => steps.join('; ')],
]

/** The plans of the statements of each request, and the steps that grow with the log. */
export async function showPlans(database: DatabaseName, options: Options): Promise<Table> {
  const planned: Planned[] = []
  for (const events of options.events) planned.push(...(await plansOf(database, events)))
  const faulty = planned.filter(({ faults }) => faults.length > 0)
  process.stderr.write(`${database}: ${planned.length} statements, ${faulty.length} with faults\n`)
  return tableOf(columns, planned)
}

async function plansOf(database: DatabaseName, events: number): Promise<Planned[]> {
  await using databases = await openDatabases(database)
  const env = {
    HOST: '127.0.0.1',
    PORT: '1',
    DATA_DIR: join(databases.folder, 'patchbay'),
    DATABASE_URL: await databases.create('patchbay'),
    PUBLIC_URL: 'http://localhost:1',
    MASTER_KEY: randomBytes(32).toString('base64'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  }
  const ctx = await openContext({ mode: 'serve', env, create: true })
  const account = await fillAccount(ctx, events)
  const app = await buildApp(ctx)
  const planner = await openPlanner(env.DATABASE_URL || join(env.DATA_DIR, 'patchbay.db'))
  const planned: Planned[] = []
  try {
    for (const { name, path, reader } of works(account)) {
      const headers = { ...bearer(account.tokens[reader]), host: '127.0.0.1' }
      const ask = async () => {
        const { statusCode, payload } = await app.http.inject({ method: 'GET', url: path, headers })
        if (statusCode !== 200) process.stderr.write(`${name}: ${statusCode} ${payload.slice(0, 200)}\n`)
      }
      for (const statement of (await statementsOf(ask)).filter(isAboutRecords))
        planned.push({ work: name, database: databases.version, events, ...(await planner.plan(statement)) })
    }
  } finally {
    await planner.close()
    await app.deliveries.stop()
    await app.http.close()
    await closeContext(ctx)
  }
  return planned
}

/** Tables that grow with use. The others fit on a page. */
const isAboutRecords = ({ sql }: Statement): boolean =>
  /\b(events|event_keys|notes|entities|tasks|search_words|field_values)\b/.test(sql)

function works(account: EventAccount) {
  const { marks } = account
  const also = [
    ['first page', firstPage],
    ['one event', `/api/v4/events/${marks.middle[0]}`],
    ['page 2 without next', `${firstPage}&page=2`],
    ['notes of leads', '/api/v4/leads/notes?limit=250'],
    ['notes of leads, by change', '/api/v4/leads/notes?limit=250&order[updated_at]=desc'],
    ['notes of one type', '/api/v4/leads/notes?limit=250&filter[note_type]=call_in'],
    ['notes of three types', '/api/v4/leads/notes?limit=250&filter[note_type]=call_in,call_out,sms_in'],
    ['notes of no type', '/api/v4/leads/notes?limit=250&filter[note_type]=sms_in'],
    ['notes of one lead', `/api/v4/leads/${marks.busy}/notes?limit=250`],
    ['notes of ten leads', `/api/v4/leads/notes?limit=250&filter[entity_id]=${marks.leads.join(',')}`],
    ['notes changed since', `/api/v4/leads/notes?limit=250&filter[updated_at]=${marks.month.from}`],
  ] as const
  const own = ['fifth', 'few'] as const
  return [
    ...also.map(([name, path]) => ({ name, path, reader: 'admin' as const })),
    ...own.map((reader) => ({
      name: `notes of leads, own-only rights (${reader})`,
      path: '/api/v4/leads/notes?limit=250',
      reader,
    })),
    ...plainWorks,
    ...filterWorks(account),
    ...pageWorks(account),
  ]
}
