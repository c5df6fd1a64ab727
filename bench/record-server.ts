import { sql } from 'kysely'
import type { Actor } from '../src/accounts/accounts.ts'
import { addCatalogs } from '../src/catalogs/catalogs.ts'
import type { Context } from '../src/context.ts'
import { addFields } from '../src/custom-fields/settings/field-changes.ts'
import type { EntityRow } from '../src/db/tables.ts'
import { addEntities } from '../src/entities/entities.ts'
import { findStages } from '../src/pipelines/pipelines.ts'
import { addTasks } from '../src/tasks/tasks.ts'
import type { Databases } from './databases.ts'
import type { Constants } from './floors/rows.ts'
import type { Program } from './programs.ts'
import { BASE, COPY } from './row-floor.ts'
import { exchange, makeCodes, openAccount, startServer } from './server.ts'

export type BenchField = Constants['fields'][number]

export interface RecordServer {
  program: Program
  access_token: string
  /** The first leads. */
  leads: number[]
  catalog_id: number
  fields: BenchField[]
  /** The members that all added leads have in common. */
  constants: Constants
}

const around = { hasCatalog: async () => true, findStages }
const drafts: Parameters<typeof addFields>[4] = [
  { name: 'Text', type: 'text' },
  { name: 'Number', type: 'numeric' },
  { name: 'Choice', type: 'select', enums: ['a', 'b', 'c'].map((value, sort) => ({ value, sort })) },
  { name: 'Day', type: 'date' },
  { name: 'Yes or no', type: 'checkbox' },
]

/** The real program with this many leads of five values each, created with the product's own functions, and a copy. */
export function startRecordServer(
  databases: Databases,
  { leads, batch }: { leads: number; batch: number },
): Promise<RecordServer> {
  const fill = async (ctx: Context) => {
    const { actor, keys } = await openAccount(ctx)
    const [code] = (await makeCodes(ctx, actor, keys.client_id, 1)) as [string]
    const { access_token } = await exchange(ctx, keys, code)
    const fields: BenchField[] = await addFields(
      ctx,
      around,
      actor,
      { owner: 'leads', catalog_id: null },
      drafts,
    )
    const added: EntityRow[] = []
    for (let n = 0; n < leads; n += batch) {
      const rows = await addEntities(
        ctx,
        actor,
        'leads',
        Array.from({ length: batch }, (_, i) => leadDraft(fields, n + i)),
      )
      if (n === 0) added.push(...rows)
    }
    const ids = added.map(({ id }) => id)
    const others = await addOthers(ctx, actor, batch, ids)
    await settle(ctx)
    const [integration] = await ctx.actingIntegrations.numbersOf(ctx, [keys.client_id])
    const { account_id, created_by, pipeline_id, status_id } = added[0] as EntityRow
    const constants = {
      account_id,
      user_id: created_by,
      integration,
      pipeline_id,
      status_id,
      base: BASE,
      fields: [...fields, ...others.fields],
    } as Constants
    return { access_token, leads: ids, catalog_id: others.catalog_id, fields, constants }
  }
  return startServer(databases, fill, { copy: COPY })
}

/** Contacts, companies and elements with the same five values, and a task for each lead. */
async function addOthers(
  ctx: Context,
  actor: Actor,
  count: number,
  leads: number[],
): Promise<{ catalog_id: number; fields: BenchField[] }> {
  const [catalog] = await addCatalogs(ctx, actor, [{ name: 'Products', can_show_in_cards: true }])
  const { id } = catalog as { id: number }
  const homes = [
    ['contacts', { owner: 'contacts', catalog_id: null }, {}],
    ['companies', { owner: 'companies', catalog_id: null }, {}],
    ['catalog_elements', { owner: 'catalogs', catalog_id: id }, { catalog_id: id }],
  ] as const
  const all: BenchField[] = []
  for (const [type, home, options] of homes) {
    const fields: BenchField[] = await addFields(ctx, around, actor, home, structuredClone(drafts))
    all.push(...fields)
    const records = Array.from({ length: count }, (_, i) => {
      const { price, ...draft } = leadDraft(fields, i)
      return draft
    })
    await addEntities(ctx, actor, type, records, options)
  }
  await addTasks(
    ctx,
    actor,
    leads.map((entity_id, i) => ({
      ...{ text: `Call ${i}`, complete_till: 1_900_000_000 + i, entity_type: 'leads' as const, entity_id },
    })),
  )
  return { catalog_id: id, fields: all }
}

/** Updates the statistics, as PostgreSQL does within a minute. */
async function settle(ctx: Context): Promise<void> {
  await ctx.db.transaction().execute((tx) => sql`analyze`.execute(tx))
}

/** A lead with a value for each field. The same number always creates the same lead. */
export function leadDraft(fields: BenchField[], n: number) {
  const valuesByType: Record<string, (field: BenchField) => object> = {
    text: () => ({ value: `text ${n}` }),
    numeric: () => ({ value: String(n) }),
    select: ({ enums }) => ({ enum_id: enums[n % 3]?.id }),
    date: () => ({ value: 1_700_000_000 + n * 60 }),
    checkbox: () => ({ value: n % 2 === 0 }),
  }
  return {
    name: `Lead ${n}`,
    price: n,
    custom_fields_values: fields.map((field) => ({
      field_id: field.id,
      values: [valuesByType[field.type]?.(field) as { value?: unknown }],
    })),
  }
}
