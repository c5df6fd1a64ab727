import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Statement } from './statements.ts'

export interface Plan {
  /** The shortest of several runs, with all rows read. */
  ms: number
  steps: string[]
  /** Steps that grow with the log. */
  faults: string[]
}

export interface Planner {
  plan(statement: Statement): Promise<Plan>
  close(): Promise<void>
}

/** Opens the planner of a database: a SQLite file or a URL. */
export const openPlanner = (address: string): Promise<Planner> =>
  address.startsWith('postgres:') ? openPostgres(address) : openSqlite(address)

const RUNS = 5
/** A page, plus one row to detect a next one. */
const PAGE = 251
/** More rows than this from one index are more than a page, and from a table a full scan. */
const MANY = 5_000
const FEW = 1_000

async function openSqlite(file: string): Promise<Planner> {
  const db = new Sqlite(file, { readonly: true })
  db.pragma('cache_size = -65536')
  return {
    plan: async ({ sql, values }) => {
      const rows = db.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
      const steps = rows.map(({ detail }) => detail)
      const statement = db.prepare(sql)
      return {
        ms: await best(async () => statement.all(...values)),
        steps: shortened(steps),
        faults: shortened(faultsOf(steps)),
      }
    },
    close: async () => void db.close(),
  }
}

/** Full table scans and sorts. Subquery results are small if the statement is fast. */
function faultsOf(steps: string[]): string[] {
  const made = steps.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(step)?.[1] ?? [])
  return steps.filter((step) => {
    const scanned = /^SCAN (\S+)/.exec(step)?.[1]
    const isWalk = scanned && !made.includes(scanned) && !/^(json_each|CONSTANT|\(|given)/.test(scanned)
    return isWalk || /^USE TEMP B-TREE FOR (ORDER|.*ORDER BY)/.test(step)
  })
}

async function best(run: () => Promise<unknown>): Promise<number> {
  let ms = Number.POSITIVE_INFINITY
  for (let n = 0; n < RUNS; n++) {
    const began = performance.now()
    await run()
    ms = Math.min(ms, performance.now() - began)
  }
  return ms
}

/** The relevant members of a plan step of PostgreSQL. */
interface Step {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Step[]
}

async function openPostgres(url: string): Promise<Planner> {
  const client = new pg.Client({
    connectionString: url,
    // As on the program's own connections.
    options: '-c max_parallel_workers_per_gather=0 -c jit=off',
  })
  await client.connect()
  const explain = async (text: string, values: unknown[] = []): Promise<Step> => {
    const { rows } = await client.query(`explain (analyze, timing off, format json) ${text}`, values)
    return rows[0]['QUERY PLAN'][0].Plan
  }
  return {
    plan: async ({ sql, values, isNamed }) => {
      const custom = await explain(sql, values)
      const ms = await best(() => client.query(sql, values))
      if (!isNamed) return { ms, steps: shortened(stepsOf(custom)), faults: faultsOfTree(custom) }
      const text = `execute planned(${values.map(literal).join(', ')})`
      await client.query('set plan_cache_mode = force_generic_plan')
      await client.query(`prepare planned as ${sql}`)
      const generic = await explain(values.length > 0 ? text : 'execute planned')
      await client.query('deallocate planned')
      await client.query('reset plan_cache_mode')
      const faults = [...faultsOfTree(custom), ...faultsOfTree(generic).map((fault) => `prepared: ${fault}`)]
      return { ms, steps: shortened([...stepsOf(custom), 'prepared:', ...stepsOf(generic)]), faults }
    },
    close: () => client.end(),
  }
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(one)).join(',')}}`)
  if (value === null) return 'null'
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value))
}

/** Removes consecutive duplicates. */
const shortened = (steps: string[]): string[] =>
  steps.flatMap((step, i) => {
    if (step === steps[i - 1]) return []
    const others = steps.slice(i).findIndex((other) => other !== step)
    const times = others < 0 ? steps.length - i : others
    return [times > 1 ? `${times} x ${step}` : step]
  })

const stepsOf = (step: Step): string[] => [
  [step['Node Type'], step['Index Name'] ?? step['Relation Name']].filter(Boolean).join(' '),
  ...(step.Plans ?? []).flatMap(stepsOf),
]

function faultsOfTree(step: Step): string[] {
  const type = step['Node Type']
  const inputs = step.Plans ?? []
  const removed =
    (step['Rows Removed by Filter'] ?? 0) +
    (step['Rows Removed by Index Recheck'] ?? 0) +
    (step['Rows Removed by Join Filter'] ?? 0)
  const seen = Math.round((step['Actual Rows'] + removed) * step['Actual Loops'])
  const sorted = inputs.reduce((sum, input) => sum + input['Actual Rows'] * input['Actual Loops'], 0)
  const where = step['Index Name'] ?? step['Relation Name'] ?? type
  const isWalk = seen > (type === 'Seq Scan' ? FEW : MANY)
  return [
    ...(isWalk && /Scan$/.test(type) ? [`reads ${seen} rows of ${where}`] : []),
    ...(/Sort$/.test(type) && sorted > PAGE ? [`sorts ${Math.round(sorted)} rows`] : []),
    ...(/^Gather/.test(type) ? ['starts other processes'] : []),
    ...inputs.flatMap(faultsOfTree),
  ]
}
