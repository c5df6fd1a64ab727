import pg from 'pg'
import { type Actor, addMember, findActor } from '../src/accounts/accounts.ts'
import { completeRights } from '../src/accounts/members/rights.ts'
import type { Context } from '../src/context.ts'
import { addFields } from '../src/custom-fields/settings/field-changes.ts'
import { continueIds, isPostgres, liftTimeLimits, nextId } from '../src/db/dialect.ts'
import { insertRows } from '../src/db/row-sets.ts'
import type { EntityRow, SearchWordRow } from '../src/db/tables.ts'
import { searchedWords } from '../src/entities/entities.ts'
import { createIntegration } from '../src/integrations/integrations.ts'
import { findStages, listPipelines } from '../src/pipelines/pipelines.ts'
import { generateHistory, type Marks } from './history.ts'
import type { Batch, Fixtures, HistoryField } from './history-state.ts'
import { exchange, type Keys, makeCodes, openAccount } from './server.ts'

/** An account with its log, and tokens of its readers. */
export interface EventAccount {
  /** The administrator, and the number of the integration that has the tokens. */
  admin: { user_id: number; integration: number }
  fixtures: Fixtures
  marks: Marks
  tokens: {
    admin: string
    /** A person who sees only their own records, a fifth of all. */
    fifth: string
    /** A person who sees only their own records, which are ten. */
    few: string
  }
}

/** Called for every batch of rows that is inserted. */
export type Listener = (batch: Batch) => Promise<void>

/**
 * Creates an account with this many events and all related rows. People, fields and tokens are created with the
 * product's own functions. The generated history is inserted directly, in batches.
 */
export async function fillAccount(
  ctx: Context,
  events: number,
  listen: Listener = async () => {},
): Promise<EventAccount> {
  const { actor, keys } = await openAccount(ctx)
  const fixtures = await createFixtures(ctx, actor)
  const history = generateHistory(fixtures, events, ctx.clock())
  let step = history.next()
  while (!step.done) {
    const batch = step.value
    await Promise.all([put(ctx, batch), listen(batch)])
    step = history.next()
  }
  await settle(ctx)
  const token = (user_id: number) => tokenOf(ctx, actor.account_id, user_id, keys)
  const tokens = {
    admin: await token(actor.user_id),
    fifth: await token(fixtures.owners[0] as number),
    few: await token(fixtures.few),
  }
  const [integration] = await ctx.actingIntegrations.numbersOf(ctx, [keys.client_id])
  const admin = { user_id: actor.user_id, integration: integration as number }
  return { fixtures, marks: step.value, tokens, admin }
}

function put(ctx: Context, batch: Batch): Promise<void> {
  return ctx.db.transaction().execute(async (tx) => {
    await insertRows(tx, 'entities', batch.entities)
    await insertRows(tx, 'search_words', batch.entities.flatMap(wordsOf))
    await insertRows(tx, 'events', batch.events)
    await insertRows(tx, 'event_keys', batch.event_keys)
    await insertRows(tx, 'notes', batch.notes)
    await insertRows(tx, 'tasks', batch.tasks)
  })
}

const wordsOf = ({ account_id, entity_type, id, name }: EntityRow): SearchWordRow[] =>
  searchedWords(name).map((word) => ({ account_id, entity_type, word, entity_id: id }))

/** A database, and where it is. */
export type Settled = Pick<Context, 'db'> & { config: Pick<Context['config'], 'database_url'> }

/** Moves the sequences behind the generated ids, and updates the statistics, as PostgreSQL does within a minute. */
export async function settle(ctx: Settled): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await liftTimeLimits(tx)
    for (const table of ['entities', 'notes', 'tasks'] as const) await continueIds(tx, table)
  })
  if (!isPostgres(ctx.db)) return
  // The product's own connections end if there is no answer for a while.
  const client = new pg.Client({ connectionString: ctx.config.database_url })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

const own = { view: 'M', edit: 'M', add: 'A', delete: 'M', export: 'M' } as const
const everything = { view: 'A', edit: 'A', add: 'A', delete: 'A', export: 'A' } as const
const narrow = completeRights({
  leads: own,
  contacts: own,
  companies: own,
  tasks: { edit: 'M', delete: 'M' },
})
const wide = completeRights({
  leads: everything,
  contacts: everything,
  companies: everything,
  tasks: { edit: 'A', delete: 'A' },
})

const drafts: Parameters<typeof addFields>[4] = [
  { name: 'Text', type: 'text' },
  { name: 'Number', type: 'numeric' },
  {
    name: 'Choice',
    type: 'select',
    enums: ['a', 'b', 'c', 'd', 'once', 'never'].map((value, sort) => ({ value, sort })),
  },
  { name: 'Day', type: 'date' },
  { name: 'Yes or no', type: 'checkbox' },
  { name: 'Old', type: 'text' },
]

/** The people, fields and stages of the history. */
async function createFixtures(ctx: Context, actor: Actor): Promise<Fixtures> {
  const { account_id } = actor
  const join = (name: string, rights: typeof wide) => {
    const email = `${name.toLowerCase()}@bench.example`
    return addMember(ctx, account_id, { name, email, password: null, rights })
  }
  const several = async (name: string, count: number) => {
    const ids: number[] = []
    for (let n = 0; n < count; n++)
      ids.push(await join(`${name}${n}`, name === 'Owner' && n === 0 ? narrow : wide))
    return ids
  }
  const around = { hasCatalog: async () => false, findStages }
  const home = { owner: 'leads', catalog_id: null } as const
  const fields: HistoryField[] = await addFields(ctx, around, actor, home, drafts)
  const select = fields[2] as HistoryField
  const [pipeline] = await listPipelines(ctx, actor)
  const stages = (pipeline?.stages ?? []).filter(({ type }) => type === 0).map(({ id }) => id)
  const enumOf = (name: string) => select.enums.find(({ value }) => value === name)?.id as number
  return {
    account_id,
    owners: await several('Owner', 5),
    workers: await several('Worker', 7),
    few: await join('Few', narrow),
    once: await join('Once', wide),
    idle: await several('Idle', 6),
    integrations: await addIntegrations(ctx, actor),
    pipeline_id: pipeline?.id as number,
    stages: stages.slice(0, -2),
    stage_once: stages.at(-2) as number,
    stage_never: stages.at(-1) as number,
    fields: fields.slice(0, -1),
    select,
    choice_once: enumOf('once'),
    choice_never: enumOf('never'),
    old_field: fields.at(-1) as HistoryField,
    catalog_id: await addList(ctx, actor),
  }
}

async function addIntegrations(ctx: Context, actor: Actor): Promise<Fixtures['integrations']> {
  const found: Fixtures['integrations'] = []
  for (const name of ['Busy', 'Rare', 'Idle']) {
    const { keys } = await createIntegration(ctx, actor, { name, redirect_uri: 'http://localhost:1/' })
    const [number] = await ctx.actingIntegrations.numbersOf(ctx, [keys.client_id])
    found.push({ id: keys.client_id, number: number as number })
  }
  return found
}

async function addList(ctx: Context, { account_id, user_id }: Actor): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    const id = await nextId(tx, 'catalogs')
    const now = ctx.now()
    await insertRows(tx, 'catalogs', [
      {
        account_id,
        id,
        name: 'Products',
        type: 'regular',
        sort: 10,
        can_add_elements: 1,
        can_show_in_cards: 0,
        can_link_multiple: 1,
        can_be_deleted: 1,
        sums_leads: 0,
        sdk_widget_code: null,
        created_by: user_id,
        updated_by: user_id,
        created_at: now,
        updated_at: now,
      },
    ])
    return id
  })
}

async function tokenOf(ctx: Context, account_id: number, user_id: number, keys: Keys): Promise<string> {
  const asking = { integration: null, request_id: 'bench', address: '127.0.0.1' }
  const actor = (await findActor(ctx, { account_id, user_id }, asking)) as Actor
  const [code] = (await makeCodes(ctx, actor, keys.client_id, 1)) as [string]
  return (await exchange(ctx, keys, code)).access_token
}
