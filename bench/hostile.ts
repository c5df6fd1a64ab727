import type { Context } from '../src/context.ts'
import { addFields } from '../src/custom-fields/settings/field-changes.ts'
import { addEntities } from '../src/entities/entities.ts'
import { createIntegration } from '../src/integrations/integrations.ts'
import { findStages } from '../src/pipelines/pipelines.ts'
import { asking, CONNECTIONS } from './callers.ts'
import { type DatabaseName, openDatabases } from './databases.ts'
import { type Caller, load, requestBytes } from './load.ts'
import { memoryOf, resetPeak } from './memory.ts'
import { type Table, tableOf, whole } from './report.ts'
import type { Options } from './rounds.ts'
import { exchange, makeCodes, openAccount, startServer } from './server.ts'

const BATCH = 250
const BODIES = 40
/** Below the body limit of 2 MiB. */
const BYTES = 2_000_000
/** The timeout of one of the forty bodies, in seconds. */
const PATIENCE = 120
const PATH = '/api/v4/leads'
const around = { hasCatalog: async () => false, findStages }

/** The cost that one integration's requests cause for another: delays by batches, and memory by hostile bodies. */
export async function benchHostile(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const ours = await startServer(databases, fill)
  await using server = ours.program
  const headers = { authorization: `Bearer ${ours.token}` }
  const crowd = asking(CONNECTIONS, '/api/v4/account', { authorization: `Bearer ${ours.other_token}` })
  const account = asking(1, '/api/v4/account', { authorization: `Bearer ${ours.other_token}` })
  const rows: Row[] = []
  const add = (measure: string, value: string) => rows.push({ measure, value })

  add('memory before, MiB', whole(memoryOf(server.pid, 'VmRSS')))
  for (const [shape, body] of Object.entries(hostileBodies(ours))) {
    const request = requestBytes(PATH, headers, body)
    resetPeak(server.pid)
    const { requests } = await load(
      server.port,
      Array.from({ length: BODIES }, () => once(request)),
      PATIENCE,
    )
    add(`most memory, after ${requests} bodies at once: ${shape}, MiB`, whole(memoryOf(server.pid, 'VmHWM')))
  }

  await load(server.port, account, 1)
  const alone = await load(server.port, account, options.seconds)
  add('GET /account alone, p50 / p99 ms', latency(alone))
  const batch = requestBytes(PATH, headers, legalBatch(ours))
  const [batches, beside] = await Promise.all([
    load(server.port, [{ next: () => batch }], options.seconds),
    load(server.port, account, options.seconds),
  ])
  if (batches.errors > 0) throw new Error(batches.first_error)
  add(`GET /account beside batches of ${BATCH}, p50 / p99 ms`, latency(beside))
  add(`batches of ${BATCH} meanwhile, p50 ms`, whole(batches.p50_ms))
  add(
    `GET /account of ${CONNECTIONS} callers beside batches, part of alone`,
    await shareOf(server.port, crowd, batch),
  )

  return tableOf(
    [
      ['measure', (row: Row) => row.measure],
      ['database', () => databases.version],
      ['value', (row: Row) => row.value],
    ],
    rows,
  )
}

/** The part of the requests a second that callers keep while another client sends batches without pause. */
async function shareOf(port: number, callers: Caller[], batch: Buffer): Promise<string> {
  const seconds = 3
  await load(port, callers, 1)
  const alone = await load(port, callers, seconds)
  const [, beside] = await Promise.all([
    load(port, [{ next: () => batch }], seconds),
    load(port, callers, seconds),
  ])
  return (beside.per_second / alone.per_second).toFixed(2)
}

interface Row {
  measure: string
  value: string
}

const latency = ({ p50_ms, p99_ms }: { p50_ms: number; p99_ms: number }) =>
  `${p50_ms.toFixed(1)} / ${p99_ms.toFixed(1)}`

type Filled = Awaited<ReturnType<typeof fill>>

/** An account with two integrations, fields for a legal batch, and one field of a thousand long choices. */
async function fill(ctx: Context) {
  const { actor, keys } = await openAccount(ctx)
  const second = await createIntegration(ctx, actor, {
    name: 'Another',
    redirect_uri: keys.redirect_uri,
    permissions: ['crm'],
  })
  const tokenOf = async (of: typeof keys) => {
    const [code] = (await makeCodes(ctx, actor, of.client_id, 1)) as [string]
    return (await exchange(ctx, of, code)).access_token
  }
  const enums = Array.from({ length: 1_000 }, (_, i) => ({ value: `${'word '.repeat(48)}${i}`, sort: i }))
  const texts = Array.from({ length: 40 }, (_, i) => ({ name: `Text ${i}`, type: 'text' as const }))
  const choices = Array.from({ length: 8 }, (_, i) => ({
    name: `Any ${i}`,
    type: 'multiselect' as const,
    enums,
  }))
  const home = { owner: 'leads', catalog_id: null } as const
  const fields = await addFields(ctx, around, actor, home, [...texts, ...choices])
  const contacts = await addEntities(ctx, actor, 'contacts', [{ name: 'Anna' }, { name: 'Eva' }])
  return {
    token: await tokenOf(keys),
    other_token: await tokenOf({ ...second.keys, redirect_uri: keys.redirect_uri }),
    texts: fields.filter(({ type }) => type === 'text').map(({ id }) => id),
    choices: fields.filter(({ type }) => type !== 'text').map(({ id }) => id),
    contacts: contacts.map(({ id }) => id),
  }
}

/** Leads with 40 values, two contacts and two tags each. */
const legalBatch = ({ texts, contacts }: Filled): object =>
  Array.from({ length: BATCH }, (_, i) => ({
    name: `Lead ${i}`,
    custom_fields_values: texts.map((field_id) => ({ field_id, values: [{ value: `so many words ${i}` }] })),
    _embedded: {
      contacts: contacts.map((id) => ({ id })),
      tags: [{ name: 'Spring' }, { name: `Tag ${i % 10}` }],
    },
  }))

/** Bodies of the maximum size. */
const hostileBodies = ({ choices }: Filled): Record<string, object> => ({
  'items that are numbers': Array(BYTES / 2).fill(0),
  '250 items of numbers': Array(BATCH).fill({ custom_fields_values: Array(BYTES / BATCH / 2 - 20).fill(0) }),
  'members with names of their own': Array.from({ length: 12 }, (_, i) =>
    Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`m${i}_${n}`, 0])),
  ),
  'values that are no choice': Array(60).fill({
    custom_fields_values: choices.map((field_id) => ({ field_id, values: Array(250).fill({ value: 'a' }) })),
  }),
  'one long text': [{ name: 'a'.repeat(BYTES) }],
})

/** A caller with one request. */
function once(request: Buffer): Caller {
  let isAsked = false
  return {
    next: () => {
      if (isAsked) return undefined
      isAsked = true
      return request
    },
  }
}
