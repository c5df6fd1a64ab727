import { asking, CONNECTIONS, FEW } from './callers.ts'
import { type DatabaseName, type Databases, openDatabases } from './databases.ts'
import { ask, bearer, type EventPrograms, startBoth } from './event-programs.ts'
import { filterWorks, firstPage, plainWorks, type Work } from './event-works.ts'
import type { Caller } from './load.ts'
import type { Program } from './programs.ts'
import { columnsFor, cpuColumns, latency, type Result, spread, type Table, tableOf, whole } from './report.ts'
import {
  type Contender,
  inTurns,
  isChosen,
  type Options,
  pair,
  perTotalCpu,
  type Round,
  type Rounds,
  ratioOf,
  type Spread,
} from './rounds.ts'
import { SAME_ANSWER } from './row-floor.ts'

/** The depth of the deep page, if the log is long enough. */
const DEPTH = 400
/** Filters are measured once and briefly, in groups of this size, alternating with an unfiltered page and the floor. */
const GROUP = 7
const FILTER_SECONDS = 0.4

interface EventResult extends Result {
  events: number
  /** The time relative to the first page, and the CPU time. Only for pages. */
  times?: Spread
  cpu_times?: Spread
}

/** The log of accounts of several sizes, compared with minimal programs. */
export async function benchEvents(database: DatabaseName, options: Options): Promise<Table> {
  const results: EventResult[] = []
  for (const events of options.events) results.push(...(await benchLog(database, events, options)))
  const growth = (by: 'ratio' | 'total_ratio') => (result: EventResult) => {
    const smallest = results.find(({ work }) => work === result.work) as EventResult
    if (smallest.events === result.events) return ''
    return (smallest[by].median / result[by].median).toFixed(2)
  }
  return tableOf<EventResult>(
    columnsFor<EventResult>(
      [
        ['work', ({ work }) => work],
        ['database', ({ database }) => database],
        ['events', ({ events }) => whole(events)],
        ['floor req/s', ({ floor }) => whole(floor.per_second)],
        ['ours req/s', ({ ours }) => whole(ours.per_second)],
        ['ratio', ({ ratio }) => spread(ratio)],
        ...cpuColumns,
        ['x first page', ({ times }) => times?.median.toFixed(2) ?? ''],
        ['x first page by CPU', ({ cpu_times }) => cpu_times?.median.toFixed(2) ?? ''],
        ['x smallest', growth('ratio')],
        ['x smallest by CPU', growth('total_ratio')],
        ['ours p50 / p99 ms', ({ ours }) => latency(ours)],
      ],
      options,
    ),
    results,
  )
}

async function benchLog(database: DatabaseName, events: number, options: Options): Promise<EventResult[]> {
  await using databases = await openDatabases(database)
  await using programs = await startBoth(databases, events, 'events')
  const { account } = programs
  const result = (one: Omit<EventResult, 'database' | 'events'>): EventResult => ({
    database: databases.version,
    events,
    ...one,
  })
  const chosen = (works: Work[]) => works.filter(({ name }) => isChosen(name, options))
  const works = await fitting(programs, chosen([await deepPage(programs), ...plainWorks]))
  const results = await pages(databases, programs, works, options, true)
  results.push(...(await single(databases, programs, options)))
  results.push(...(await sameAnswers(databases, programs, options)))
  const filters = await fitting(programs, chosen(filterWorks(account)))
  const briefly = { ...options, rounds: 1, seconds: options.seconds * FILTER_SECONDS }
  for (let n = 0; n < filters.length; n += GROUP)
    results.push(...(await pages(databases, programs, filters.slice(n, n + GROUP), briefly, false)))
  return results.map(result)
}

type Figures = Omit<EventResult, 'database' | 'events'>

/** Pages, compared with the floor and the first page, in turns. */
async function pages(
  databases: Databases,
  programs: EventPrograms,
  works: Work[],
  rounds: Rounds,
  withFirst: boolean,
): Promise<Figures[]> {
  const { server, floor, account } = programs
  const at = (program: Program, callers: Caller[]): Contender => ({ program, callers })
  const own = ({ path, reader }: Pick<Work, 'path' | 'reader'>) =>
    at(server, asking(FEW, path, bearer(account.tokens[reader])))
  const contenders = [
    at(floor, asking(FEW, '/events', {})),
    own({ path: firstPage, reader: 'admin' }),
    ...works.map(own),
    ...(withFirst ? [at(floor, asking(FEW, '/events/text', {}))] : []),
  ]
  const [joined, first, ...others] = (await inTurns(databases, contenders, rounds)) as [
    Round[],
    Round[],
    ...Round[][],
  ]
  const figures = works.map(({ name }, i) => ({
    ...pair(name, joined, others[i] as Round[]),
    times: ratioOf(first, others[i] as Round[]),
    cpu_times: ratioOf(first, others[i] as Round[], perTotalCpu),
  }))
  if (!withFirst) return figures
  return [
    pair('first page', joined, first),
    pair('first page, floor only sends', others.at(-1) as Round[], first),
    ...figures,
  ]
}

/** One event, one lead and the types, compared with a token look-up. */
async function single(
  databases: Databases,
  { server, floor, floor_token, account }: EventPrograms,
  rounds: Rounds,
) {
  const { marks, tokens } = account
  const works = {
    'one event': `/api/v4/events/${marks.middle[0]}`,
    'one lead': `/api/v4/leads/${marks.recent[0]}`,
    'list of types': '/api/v4/events/types',
  }
  const own = Object.values(works).map((path) => ({
    program: server,
    callers: asking(CONNECTIONS, path, bearer(tokens.admin)),
  }))
  const token = { program: floor, callers: asking(CONNECTIONS, '/event', bearer(floor_token)) }
  const [base, ...measured] = (await inTurns(databases, [token, ...own], rounds)) as [Round[], ...Round[][]]
  return Object.keys(works).map((name, i) => pair(name, base, measured[i] as Round[]))
}

/** Pages, an event and a lead, compared with the floor that answers the same to the same person. */
async function sameAnswers(
  databases: Databases,
  { server, rows, account: { marks, tokens } }: EventPrograms,
  options: Options,
): Promise<Figures[]> {
  const [id, lead] = [marks.middle[0], marks.recent[0]]
  const works: [name: string, floor: string, own: string, token: string, connections: number][] = [
    ['first page', '/events', firstPage, tokens.admin, FEW],
    ['first page, own-only rights, a fifth', '/events/many', firstPage, tokens.fifth, FEW],
    ['first page, own-only rights, 10 records', '/events/few', firstPage, tokens.few, FEW],
    ['one event', `/events/${id}`, `/api/v4/events/${id}`, tokens.admin, CONNECTIONS],
    ['one lead', `/leads/${lead}`, `/api/v4/leads/${lead}`, tokens.admin, CONNECTIONS],
  ]
  const figures: Figures[] = []
  for (const [name, floor, path, token, connections] of works) {
    if (!isChosen(name, options)) continue
    const contenders = [
      { program: rows.program, callers: asking(connections, floor, rows.headers) },
      { program: server, callers: asking(connections, path, bearer(token)) },
    ]
    const [base, own] = (await inTurns(databases, contenders, options)) as [Round[], Round[]]
    figures.push(pair(`${name}, ${SAME_ANSWER}`, base, own))
  }
  return figures
}

interface Answer {
  _links: { next?: { href: string } }
  _embedded: { events: { id: string }[] }
}

/** A full page far from the first one, reached by paging like a client. */
async function deepPage({ server, account }: EventPrograms): Promise<Work> {
  const page = (path: string) => ask<Answer>(server, path, account.tokens.admin)
  let path = firstPage
  let answer = await page(path)
  for (let depth = 0; depth < DEPTH && answer._links.next; depth++) {
    const { pathname, search } = new URL(answer._links.next.href)
    answer = await page(pathname + search)
    if (answer._embedded.events.length < 250) break
    path = pathname + search
  }
  return { name: 'deep page, by next', path, reader: 'admin', expects: 'many' }
}

const EXPECTED: Record<Work['expects'], (count: number) => boolean> = {
  many: (count) => count > 0,
  one: (count) => count === 1,
  none: (count) => count === 0,
}

/** Keeps the pages with the expected answer, and reports the others. */
async function fitting({ server, account }: EventPrograms, works: Work[]): Promise<Work[]> {
  const good: Work[] = []
  for (const work of works) {
    try {
      const { _embedded } = await ask<Answer>(server, work.path, account.tokens[work.reader])
      const count = _embedded.events.length
      if (EXPECTED[work.expects](count)) good.push(work)
      else throw new Error(`${work.path} answered ${count} events`)
    } catch (error) {
      process.stderr.write(`${work.name} is not measured: ${(error as Error).message}\n`)
      process.exitCode = 1
    }
  }
  return good
}
