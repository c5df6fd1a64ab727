import { parseArgs } from 'node:util'
import { benchAccounts } from './accounts.ts'
import { benchAuth } from './auth.ts'
import { benchBackup } from './backup.ts'
import { benchChats } from './chats.ts'
import { type DatabaseName, databases } from './databases.ts'
import { benchEvents } from './events.ts'
import { benchExport } from './export.ts'
import { benchHostile } from './hostile.ts'
import { benchLongWork } from './long-work.ts'
import { machine, today } from './machine.ts'
import { benchNotes } from './notes.ts'
import { benchOverload } from './overload.ts'
import { showPlans } from './plans.ts'
import { benchRecords } from './records.ts'
import { markdownOf, type Table, whole, writeSection } from './report.ts'
import { benchBurst } from './request-burst.ts'
import { benchRequestLog } from './request-log.ts'
import type { Options } from './rounds.ts'
import { benchScale } from './scale.ts'
import { benchSustained } from './sustained.ts'
import { benchUpgrade } from './upgrade.ts'

interface Subject {
  title: string
  run(database: DatabaseName, options: Options): Promise<Table>
  /** The default options. */
  options: Options
  /** The method, for subjects that are not measured in rounds. */
  how?: string | ((options: Options) => string)
  /** An explanation of its rows. */
  about?: string
}

const SAME_ROWS =
  'The floor of "floor writes the same rows" leaves the rows of the request in a copy of the database of the real program, with the same\ntables and indexes. It has no rights, validation, look-ups or webhooks. On PostgreSQL, it sends one statement.'

const long: Options = {
  seconds: 3,
  rounds: 5,
  events: [],
  leads: 100_000,
  only: '',
  older: '',
  profile: false,
}
const short: Options = { ...long, seconds: 1, rounds: 3, events: [10_000, 1_000_000] }
const once: Options = { ...short, events: [1_000_000] }

const subjects: Record<string, Subject> = {
  auth: { title: 'Tokens', run: benchAuth, options: long },
  records: { title: 'Records', run: benchRecords, options: long, about: SAME_ROWS },
  events: { title: 'Events', run: benchEvents, options: short },
  notes: { title: 'Notes', run: benchNotes, options: once, about: SAME_ROWS },
  chats: { title: 'Chats', run: benchChats, options: long },
  export: { title: 'Export', run: benchExport, options: once, how: 'One reader, each time the whole log' },
  // Longer than the ten seconds between two deletions of what is too much for the log.
  requests: { title: 'Request log', run: benchRequestLog, options: { ...long, seconds: 12 } },
  burst: {
    title: 'Request log, a burst',
    run: benchBurst,
    options: { ...long, rounds: 1 },
    how: 'With and without the log, in this order',
  },
  overload: {
    title: 'Overload',
    run: benchOverload,
    options: { ...long, seconds: 5, rounds: 3 },
    how: 'The client shares the two cores with the server',
  },
  sustained: {
    title: 'Minutes at 0.8 of the capacity',
    run: benchSustained,
    options: { ...long, seconds: 60, rounds: 5 },
    how: ({ seconds }) =>
      `Parts of ${seconds} s. Pages of 50 leads, leads, lists of notes, changes and notes as 1 : 4 : 2 : 2 : 1`,
  },
  hostile: {
    title: 'Hostile and heavy requests',
    run: benchHostile,
    options: { ...long, seconds: 10, rounds: 1 },
    how: 'The client shares the two cores with the server',
  },
  scale: {
    title: 'Growth with records',
    run: benchScale,
    options: { ...once, leads: 1_000_000 },
    how: 'CPU time of one request, server and database, with 10,000, 100,000 and 1,000,000 leads, the median of five',
  },
  accounts: {
    title: 'Many accounts',
    run: benchAccounts,
    options: long,
    how: 'CPU time of one request, server and database, on a server with 10,000 accounts: requests of 1, of 100 and of all of them, at random',
  },
  'long-work': {
    title: 'Long work beside another caller',
    run: benchLongWork,
    options: once,
    how: ({ leads }) =>
      `${whole(leads)} leads. Another caller sends a request every 20 ms, for the account or a page of 50 leads`,
  },
  upgrade: {
    title: 'Upgrades',
    run: benchUpgrade,
    options: { ...once, leads: 1_000_000, events: [4_000_000] },
    how: ({ leads, events: [events = 0] }) =>
      `${whole(leads)} leads and ${whole(events)} events. One caller reads every 20 ms, one changes a lead every 100 ms`,
  },
  backup: {
    title: 'Backup and restore',
    run: benchBackup,
    options: { ...once, leads: 1_000_000 },
    how: 'Each command once, without files',
  },
  plans: {
    title: 'Plans',
    run: showPlans,
    options: once,
    how: 'Each statement alone, the best of five runs',
  },
}

const usage = `Usage: npm run bench -- SUBJECT [--database ${databases.join('|')}] [--seconds N] [--rounds N] [--events N,...]
         [--leads N] [--only TEXT] [--older FOLDER] [--profile] [--write]

Subjects: ${Object.keys(subjects).join(', ')}
Each work is measured beside its floor, in turns. Without --database both are measured; --events says how many events
the account has, one size after the other; --leads, how many leads; --only measures the works whose names contain the
text; --older is a built copy of an older release, for upgrades; --profile shows
the CPU time of each program by subject; --write keeps the table in bench/RESULTS.md. Only ratios
mean something from one machine to the next. On a machine that has other work, only the ratios by CPU time do.
`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      events: { type: 'string' },
      leads: { type: 'string' },
      only: { type: 'string', default: '' },
      older: { type: 'string', default: '' },
      profile: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  const name = positionals[0] ?? ''
  const subject = subjects[name]
  const chosen = databases.filter((one) => values.database === undefined || values.database === one)
  const options = subject && optionsOf(subject.options, values)
  if (!subject || !options || chosen.length === 0) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  const table: Table = { columns: [], rows: [] }
  for (const database of chosen) {
    const { columns, rows } = await subject.run(database, options)
    table.columns = columns
    table.rows.push(...rows)
  }
  const text = markdownOf(table)
  process.stdout.write(`${text}\n`)
  if (!values.write) return
  const rounds = `${options.rounds} rounds of ${options.seconds} s, 16 connections (4 for pages and batches), medians`
  const how = typeof subject.how === 'function' ? subject.how(options) : (subject.how ?? rounds)
  const [section, title] = options.profile
    ? [`${name}-profile`, `${subject.title}: CPU time by subject`]
    : [name, subject.title]
  const about = subject.about ? `\n\n${subject.about}` : ''
  writeSection(section, `## ${title}\n\n${today()}. ${machine()}. ${how}.${about}\n\n${text}`)
}

type Values = Partial<
  Record<'seconds' | 'rounds' | 'events' | 'leads' | 'only' | 'older', string | undefined>
> & { profile: boolean }

/** Undefined if an option is not a number. */
function optionsOf(
  usual: Options,
  { seconds, rounds, events, leads, only = '', older = '', profile }: Values,
): Options | undefined {
  const options = {
    seconds: seconds === undefined ? usual.seconds : Number(seconds),
    rounds: rounds === undefined ? usual.rounds : Number(rounds),
    events: events === undefined ? usual.events : events.split(',').map(Number),
    leads: leads === undefined ? usual.leads : Number(leads),
    only,
    older,
    profile,
  }
  const all = [options.seconds, options.rounds, options.leads, ...options.events]
  return all.every((value) => value > 0) ? options : undefined
}

await main()
