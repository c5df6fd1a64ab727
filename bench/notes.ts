import { asking, CONNECTIONS, FEW, sending } from './callers.ts'
import { type DatabaseName, openDatabases } from './databases.ts'
import { ask, bearer, startBoth } from './event-programs.ts'
import { type Column, columnsFor, pairingColumns, type Result, type Table, tableOf, whole } from './report.ts'
import { type Contender, interleave, isChosen, type Options } from './rounds.ts'
import { SAME_ROWS } from './row-floor.ts'

const BATCH = 250

interface NoteResult extends Result {
  events: number
}

/** Reading and adding notes, compared with minimal programs. */
export async function benchNotes(database: DatabaseName, options: Options): Promise<Table> {
  const results: NoteResult[] = []
  for (const events of options.events) results.push(...(await benchAccount(database, events, options)))
  const size: Column<NoteResult> = ['events', ({ events }) => whole(events)]
  return tableOf(
    columnsFor([...pairingColumns.slice(0, 2), size, ...pairingColumns.slice(2)], options),
    results,
  )
}

async function benchAccount(database: DatabaseName, events: number, options: Options): Promise<NoteResult[]> {
  await using databases = await openDatabases(database)
  await using programs = await startBoth(databases, events, 'notes')
  const { server, floor, account } = programs
  const { rows } = programs
  const { marks, tokens } = account
  const headers = bearer(tokens.admin)
  const lists = {
    'list 250 notes of leads': ['/api/v4/leads/notes?limit=250', tokens.admin],
    'list 250 notes of one type': ['/api/v4/leads/notes?limit=250&filter[note_type]=call_in', tokens.admin],
    'list 250 notes of one lead': [`/api/v4/leads/${marks.busy}/notes?limit=250`, tokens.admin],
    'list 250 notes of leads, own-only rights, a fifth': ['/api/v4/leads/notes?limit=250', tokens.fifth],
    'list notes of leads, own-only rights, 10 records': ['/api/v4/leads/notes?limit=250', tokens.few],
  } as const
  const results: NoteResult[] = []
  const measure = async (floors: Record<string, Contender>, own: Contender) => {
    for (const pairing of await interleave(databases, floors, own, options))
      results.push({ database: databases.version, events, ...pairing })
  }
  for (const [name, [path, token]] of Object.entries(lists)) {
    if (!isChosen(name, options)) continue
    await ask(server, path, token)
    await measure(
      {
        [name]: { program: floor, callers: asking(FEW, '/notes', {}) },
        [`${name}, floor makes objects`]: { program: floor, callers: asking(FEW, '/notes/objects', {}) },
      },
      { program: server, callers: asking(FEW, path, bearer(token)) },
    )
  }
  const draft = (n: number) => ({
    entity_id: marks.recent[n % marks.recent.length] as number,
    note_type: 'common',
    params: { text: `Called back, asked for the offer of last week (${n})` },
  })
  const some = (count: number) => (n: number) => Array.from({ length: count }, (_, i) => draft(n * count + i))
  for (const [name, connections, body] of [
    ['add one note', CONNECTIONS, some(1)],
    ['add 250 notes', FEW, some(BATCH)],
  ] as const) {
    if (!isChosen(name, options)) continue
    await measure(
      {
        [name]: { program: floor, callers: sending(connections, '/notes', {}, body) },
        [`${name}, ${SAME_ROWS}`]: {
          program: rows.program,
          callers: sending(connections, '/notes', rows.headers, body),
        },
      },
      { program: server, callers: sending(connections, '/api/v4/leads/notes', headers, body) },
    )
  }
  return results
}
