import { setTimeout as pause } from 'node:timers/promises'
import { wholeCpuTimeOf } from './cpu.ts'
import { type DatabaseName, type Databases, openDatabases } from './databases.ts'
import { reading, startCalling, type Times, timesText } from './other-caller.ts'
import type { Program } from './programs.ts'
import { type Column, markdownOf, type Table, tableOf } from './report.ts'
import { isChosen, type Options } from './rounds.ts'
import { copyAccount, fillScaleAccount, type ScaleAccount } from './scale-account.ts'
import { prepareServer } from './server.ts'

/** Milliseconds between two requests of another caller. */
const EVERY = 20
/** Leads of the account before it is copied. */
const SMALLEST = 10_000
/** Records that one job changes. */
const CHANGED = 10_000
/** Seconds for which another caller is measured alone, and beside readers. */
const ALONE = 10

interface Row {
  work: string
  database: string
  /** Seconds until the work is done, and the CPU time of the server and the database, with that of the other caller. */
  seconds: number
  cpu: number
  times: Times
}

/**
 * Measures another caller while requests read many records, while values of all records or a tag of a fifth of them are
 * deleted, and while 10,000 records are changed at once.
 */
export async function benchLongWork(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const server = await prepareServer(databases)
  const account = await server.offline(fillScaleAccount)
  await server.offline((ctx) => copyAccount(ctx, 1, Math.max(1, options.leads / SMALLEST)))
  await using program = await server.start()
  const api = apiOf(program, account.tokens.admin)
  const rows: Row[] = []
  for (const { work, begin } of worksOf(account, databases).filter(({ work }) => isChosen(work, options))) {
    const measured = await run(databases, program, account, () => begin(api))
    rows.push({ work, database: databases.version, ...measured })
    // The table so far, for a run that is stopped before the end.
    process.stderr.write(`${markdownOf(tableOf(columns, rows))}\n`)
  }
  return tableOf(columns, rows)
}

/** Sends a request of the administrator, and returns the body of its answer. */
// biome-ignore lint/suspicious/noExplicitAny: the bodies of several routes
type Api = (method: string, path: string, body?: object) => Promise<any>

function apiOf({ port }: Program, token: string): Api {
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v4/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await response.text()
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text ? JSON.parse(text) : null
  }
}

interface Work {
  work: string
  /** Starts the work. The function that it returns says whether the work is still being done. */
  begin(api: Api): Promise<() => Promise<boolean>>
}

function worksOf({ fixtures, tags }: ScaleAccount, databases: Databases): Work[] {
  const { fields, select, stages, pipeline_id, owners } = fixtures
  /** A deletion, and the table whose rows name what it still has to delete. */
  const erasure = (path: string, waiting: string) => async (api: Api) => {
    await api('DELETE', path)
    return async () => (await databases.count('patchbay', waiting)) > 0
  }
  const ofStage = (i: number) =>
    `filter[statuses][0][pipeline_id]=${pipeline_id}&filter[statuses][0][status_id]=${stages[i]}`
  const moved = { status: { pipeline_id, status_id: stages[2] } }
  return [
    { work: 'nothing', begin: waitAlone },
    { work: 'totals of all leads, repeated', begin: repeated('leads/totals') },
    {
      work: 'a search for two words by name, repeated',
      begin: repeated('leads?limit=50&query=lead%2012&order[name]=asc'),
    },
    {
      work: 'a range of numbers by name, repeated',
      begin: repeated(
        `leads?limit=50&order[name]=asc&filter[custom_fields_values][${fields[1]?.id}][from]=1000&filter[custom_fields_values][${fields[1]?.id}][to]=5000`,
      ),
    },
    {
      work: 'deletion of a text of all leads',
      begin: erasure(`leads/custom_fields/${fields[0]?.id}`, 'value_erasures'),
    },
    {
      work: 'deletion of a choice of most leads',
      begin: erasure(`leads/custom_fields/${select.id}`, 'value_erasures'),
    },
    {
      work: 'deletion of a tag of a fifth of the leads',
      begin: erasure(`leads/tags/${tags.many}`, 'tag_erasures'),
    },
    { work: 'move of 10,000 leads to another stage', begin: bulkChange('leads', ofStage(1), moved) },
    {
      work: 'move of 10,000 leads to the trash',
      begin: bulkChange('leads', ofStage(2), { delete: true }),
    },
    {
      work: 'move of 10,000 contacts to another person',
      begin: bulkChange('contacts', '', { responsible_user_id: owners[3] }),
    },
  ]
}

async function waitAlone(): Promise<() => Promise<boolean>> {
  const began = performance.now()
  return async () => performance.now() - began < ALONE * 1000
}

/** Requests that read many records, one after the other. */
const repeated =
  (path: string): Work['begin'] =>
  async (api) => {
    const until = performance.now() + ALONE * 1000
    const calls = (async () => {
      while (performance.now() < until) await api('GET', path)
    })()
    return async () => {
      if (performance.now() < until) return true
      await calls
      return false
    }
  }

/** A job that changes many records of a list. */
function bulkChange(entity_type: string, filter: string, changes: object): Work['begin'] {
  return async (api) => {
    const ids: number[] = []
    for (let path = `${entity_type}?limit=250&order[id]=asc&${filter}`; ids.length < CHANGED; ) {
      const { _embedded, _links } = await api('GET', path)
      ids.push(..._embedded[entity_type].map(({ id }: { id: number }) => id))
      if (!_links.next) break
      path = _links.next.href.split('/api/v4/')[1]
    }
    const job = await api('POST', 'jobs/bulk_changes', { entity_type, ids, changes })
    return async () => {
      const { state, failed } = await api('GET', `jobs/${job.id}`)
      if (state === 'done' && failed > 0) throw new Error(`${failed} of ${ids.length} were not changed`)
      return ['waiting', 'running'].includes(state)
    }
  }
}

async function run(
  databases: Databases,
  { port, pid }: Program,
  { tokens }: ScaleAccount,
  begin: () => Promise<() => Promise<boolean>>,
): Promise<Omit<Row, 'work' | 'database'>> {
  const cost = () => wholeCpuTimeOf(pid) + databases.cpuTime(wholeCpuTimeOf)
  const [began, before] = [performance.now(), cost()]
  const others = startCalling({ port, token: tokens.admin, request: reading, every: EVERY })
  const isWorking = await begin()
  while (await isWorking()) await pause(500)
  return {
    times: await others.stop(),
    seconds: (performance.now() - began) / 1000,
    cpu: (cost() - before) / 1e6,
  }
}

const columns: Column<Row>[] = [
  ['work', ({ work }) => work],
  ['database', ({ database }) => database],
  ['seconds', ({ seconds }) => seconds.toFixed(0)],
  ['CPU s', ({ cpu }) => cpu.toFixed(1)],
  ['others p50 / p99 / longest ms', ({ times }) => timesText(times)],
]
