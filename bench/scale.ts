import { cpuTimeOf } from './cpu.ts'
import { type DatabaseName, type Databases, openDatabases } from './databases.ts'
import type { PageWork } from './page-works.ts'
import type { Program } from './programs.ts'
import { type Column, markdownOf, type Table, tableOf } from './report.ts'
import { isChosen, type Options } from './rounds.ts'
import { copyAccount, fillScaleAccount } from './scale-account.ts'
import { scaleWorks } from './scale-works.ts'
import { prepareServer } from './server.ts'

/** How often the smallest account is copied: to 10,000, 100,000 and 1,000,000 leads. */
const sizes = [1, 10, 100]
const REPEATS = 5

interface Row {
  work: string
  database: string
  /** For each size, the median CPU time in milliseconds of the server and the database together. */
  cpu_ms: number[]
}

/** The cost of each request with 10,000 leads, with ten times and with a hundred times as many. */
export async function benchScale(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const server = await prepareServer(databases)
  const account = await server.offline(fillScaleAccount)
  const works = scaleWorks(account).filter(({ name }) => isChosen(name, options))
  const rows = works.map(({ name }): Row => ({ work: name, database: databases.version, cpu_ms: [] }))
  let copies = 1
  for (const size of sizes.filter((one) => one * 10_000 <= options.leads)) {
    await server.offline((ctx) => copyAccount(ctx, copies, size))
    copies = size
    await using program = await server.start()
    for (const [i, work] of works.entries())
      rows[i]?.cpu_ms.push(await costOf(databases, program, work, account.tokens[work.reader]))
    // The largest size can take an hour. This is what a run shows that is stopped before.
    process.stderr.write(`${markdownOf(tableOf(columns, rows))}\n`)
  }
  return tableOf(columns, rows)
}

/** Below this difference in milliseconds, growth is noise. */
const NOISE = 5
const LIMIT = { ms: 50, growth: 1.3 }

const columns: Column<Row>[] = [
  ['request', ({ work }) => work],
  ['database', ({ database }) => database],
  ['CPU ms by size', ({ cpu_ms }) => cpu_ms.map((ms) => ms.toFixed(1)).join(' / ')],
  ['', (row) => verdictOf(row)],
]

function verdictOf({ cpu_ms }: Row): string {
  const [before = 0, last = 0] = cpu_ms.slice(-2)
  const grows = last - before > NOISE && last > before * LIMIT.growth
  return [last > LIMIT.ms && `above ${LIMIT.ms} ms`, grows && `${(last / before).toFixed(1)} times`]
    .filter(Boolean)
    .join(', ')
}

async function costOf(
  databases: Databases,
  program: Program,
  work: PageWork,
  token: string,
): Promise<number> {
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${program.port}${work.path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await response.arrayBuffer()
    if (response.status >= 300) throw new Error(`${work.name}: ${response.status}`)
  }
  const cost = () => cpuTimeOf(program.pid) + databases.cpuTime()
  await ask()
  const costs: number[] = []
  for (let n = 0; n < REPEATS; n++) {
    const before = cost()
    await ask()
    costs.push((cost() - before) / 1_000)
  }
  return costs.sort((a, b) => a - b)[Math.floor(REPEATS / 2)] as number
}
