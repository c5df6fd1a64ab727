import { join } from 'node:path'
import { freePort } from '../src/commands/ports.ts'
import { asking, CONNECTIONS, FEW, sending } from './callers.ts'
import { type DatabaseName, openDatabases } from './databases.ts'
import { type NewLead, openStore } from './floors/records.ts'
import type { Caller } from './load.ts'
import { startProgram } from './programs.ts'
import { type BenchField, leadDraft, startRecordServer } from './record-server.ts'
import { pairingColumns, type Result, type Table, tableOf } from './report.ts'
import { interleave, type Options } from './rounds.ts'

/** Leads that exist before the measurement. */
const LEADS = 100_000
const BATCH = 250

/** Adding, listing and filtering leads, compared with minimal programs. */
export async function benchRecords(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const address = (await databases.create('floor')) || join(databases.folder, 'floor', 'floor.db')
  const store = await openStore(database, address)
  for (let n = 0; n < LEADS; n += BATCH) await store.add(floorBatch(BATCH, n, 5))
  await store.close()
  const ours = await startRecordServer(databases, { leads: LEADS, batch: BATCH })
  await using server = ours.program
  const floorPort = await freePort()
  await using floor = await startProgram({
    words: [join(import.meta.dirname, 'floors/records.ts'), String(floorPort), database, address],
    port: floorPort,
    ready: '/ready',
    output: join(databases.folder, 'floor.log'),
  })
  const headers = { authorization: `Bearer ${ours.access_token}` }
  const pair = (
    floors: Record<string, Caller[]>,
    own: Caller[],
  ): [Record<string, { port: number; callers: Caller[] }>, { port: number; callers: Caller[] }] => [
    Object.fromEntries(
      Object.entries(floors).map(([work, callers]) => [work, { port: floor.port, callers }]),
    ),
    { port: server.port, callers: own },
  ]
  const select = ours.fields.find(({ type }) => type === 'select') as BenchField
  const choice = select.enums[0]?.id as number
  const filtered = `/api/v4/leads?limit=250&filter[custom_fields_values][${select.id}][]=${choice}`
  const works = [
    pair(
      { 'list 250 leads with fields': asking(FEW, '/leads', {}) },
      asking(FEW, '/api/v4/leads?limit=250', headers),
    ),
    pair(
      { 'list 250 of 100,000 leads by a field': asking(FEW, '/leads/filtered?field_id=3&key=0', {}) },
      asking(FEW, encodeURI(filtered), headers),
    ),
    pair(
      { 'add one lead': sending(CONNECTIONS, '/leads', {}, (n) => floorBatch(1, n, 0)) },
      sending(CONNECTIONS, '/api/v4/leads', headers, (n) => [{ name: `Lead ${n}`, price: n }]),
    ),
    pair(
      { 'add 250 leads with five values': sending(FEW, '/leads', {}, (n) => floorBatch(BATCH, n, 5)) },
      sending(FEW, '/api/v4/leads', headers, (n) =>
        Array.from({ length: BATCH }, (_, i) => leadDraft(ours.fields, n * BATCH + i)),
      ),
    ),
  ]
  const results: Result[] = []
  for (const [floors, own] of works)
    for (const pairing of await interleave(floors, own, options))
      results.push({ database: databases.version, ...pairing })
  return tableOf(pairingColumns, results)
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
