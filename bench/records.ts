import { join } from 'node:path'
import { freePort } from '../src/commands/ports.ts'
import { asking, CONNECTIONS, changing, FEW, sending } from './callers.ts'
import { type DatabaseName, openDatabases } from './databases.ts'
import { addToken } from './floors/events.ts'
import { type NewLead, openStore } from './floors/records.ts'
import type { Caller } from './load.ts'
import { startProgram } from './programs.ts'
import { type BenchField, leadDraft, type RecordServer, startRecordServer } from './record-server.ts'
import { columnsFor, pairingColumns, type Result, type Table, tableOf } from './report.ts'
import { interleave, isChosen, type Options } from './rounds.ts'
import { type RowFloor, SAME_ANSWER, SAME_ROWS, startRowFloor } from './row-floor.ts'

const BATCH = 250

/** Adding, listing and filtering leads, compared with minimal programs. */
export async function benchRecords(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const address = (await databases.create('floor')) || join(databases.folder, 'floor', 'floor.db')
  const store = await openStore(database, address)
  for (let n = 0; n < options.leads; n += BATCH) await store.add(floorBatch(BATCH, n, 5))
  await store.close()
  const ours = await startRecordServer(databases, { leads: options.leads, batch: BATCH })
  await using server = ours.program
  const floorPort = await freePort()
  await using floor = await startProgram({
    words: [join(import.meta.dirname, 'floors/records.ts'), String(floorPort), database, address],
    port: floorPort,
    ready: '/ready',
    output: join(databases.folder, 'floor.log'),
  })
  const token = await addToken(database, address)
  await using rows = await startRowFloor(databases, { token, address }, ours.constants)
  const results: Result[] = []
  for (const { name, floors, own, sameRows, same } of [...lists(ours, rows), ...writes(ours, rows)]) {
    if (!isChosen(name, options)) continue
    const floorCallers = {
      [name]: { program: floor, callers: floors },
      [`${name}, ${same}`]: { program: rows.program, callers: sameRows },
    }
    for (const pairing of await interleave(
      databases,
      floorCallers,
      { program: server, callers: own },
      options,
    ))
      results.push({ database: databases.version, ...pairing })
  }
  return tableOf(columnsFor(pairingColumns, options), results)
}

interface Work {
  name: string
  floors: Caller[]
  own: Caller[]
  /** Callers of the floor that works with the same rows. */
  sameRows: Caller[]
  same: typeof SAME_ROWS | typeof SAME_ANSWER
}

const bearer = ({ access_token }: RecordServer) => ({ authorization: `Bearer ${access_token}` })

function lists(ours: RecordServer, rows: RowFloor): Work[] {
  const select = ours.fields.find(({ type }) => type === 'select') as BenchField
  const choice = select.enums[0]?.id as number
  const filter = `filter[custom_fields_values][${select.id}][]=${choice}`
  const elements = `catalogs/${ours.catalog_id}/elements`
  const pages: [name: string, floor: string, own: string, sameAnswer: string][] = [
    ['list 250 leads with fields', '/leads', 'leads?limit=250', '/leads'],
    ['list 250 contacts with fields', '/leads', 'contacts?limit=250', '/contacts'],
    ['list 250 companies with fields', '/leads', 'companies?limit=250', '/companies'],
    [
      'list 250 elements with fields',
      '/leads',
      `${elements}?limit=250`,
      `/elements?catalog_id=${ours.catalog_id}`,
    ],
    ['list 250 tasks', '/leads/short', 'tasks?limit=250', '/tasks'],
    [
      'list 250 of all leads by a field',
      '/leads/filtered?field_id=3&key=0',
      encodeURI(`leads?limit=250&${filter}`),
      `/leads/filtered?field_id=${select.id}&key=${choice}`,
    ],
  ]
  return pages.map(([name, floor, own, sameAnswer]) => ({
    name,
    floors: asking(FEW, floor, {}),
    own: asking(FEW, `/api/v4/${own}`, bearer(ours)),
    sameRows: asking(FEW, sameAnswer, rows.headers),
    same: SAME_ANSWER,
  }))
}

function writes(ours: RecordServer, rows: RowFloor): Work[] {
  const headers = bearer(ours)
  const priced = (price: number) => ({ price })
  const named = (n: number) => [{ name: `Lead ${n}`, price: n }]
  const valued = (n: number) => Array.from({ length: BATCH }, (_, i) => leadDraft(ours.fields, n * BATCH + i))
  return [
    {
      name: 'add one lead',
      floors: sending(CONNECTIONS, '/leads', {}, (n) => floorBatch(1, n, 0)),
      own: sending(CONNECTIONS, '/api/v4/leads', headers, named),
      sameRows: sending(CONNECTIONS, '/leads', rows.headers, named),
      same: SAME_ROWS,
    },
    {
      name: 'change one lead',
      floors: changing(CONNECTIONS, (n) => `/leads/${n + 1}`, {}, priced),
      own: changing(CONNECTIONS, (n) => `/api/v4/leads/${ours.leads[n]}`, headers, priced),
      sameRows: changing(CONNECTIONS, (n) => `/leads/${ours.leads[n]}`, rows.headers, priced),
      same: SAME_ROWS,
    },
    {
      name: 'add 250 leads with five values',
      floors: sending(FEW, '/leads', {}, (n) => floorBatch(BATCH, n, 5)),
      own: sending(FEW, '/api/v4/leads', headers, valued),
      sameRows: sending(FEW, '/leads', rows.headers, valued),
      same: SAME_ROWS,
    },
  ]
}

function floorBatch(count: number, from: number, values: number): NewLead[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `Lead ${from + i}`,
    price: from + i,
    custom_fields_values: Array.from({ length: values }, (_, field) => ({
      field_id: field + 1,
      values: [{ value: field === 2 ? String((from + i) % 3) : `value ${from + i}` }],
    })),
  }))
}
