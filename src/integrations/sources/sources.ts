import { type Actor, lockAccount } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextId, nextIds } from '../../db/dialect.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import type { IntegrationRow, SourceRow } from '../../db/tables.ts'
import { type Fault, invalid, notAChoice, Refusal } from '../../errors.ts'
import { findStages } from '../../pipelines/pipelines.ts'
import { deleteSourceRows, insertSources, replaceSources, sourcesOf } from './source-queries.ts'
import type { NewSource, Source, SourcePatch } from './source-schemas.ts'

const MAX_SOURCES = 100

/** Creates the default source of an integration that does not manage its own (A14). */
export async function addDefaultSource(
  tx: Tx,
  account_id: number,
  integration: IntegrationRow,
): Promise<void> {
  if ((await sourcesOf(tx, account_id, integration.id)).length > 0) return
  await insertSources(tx, [
    {
      account_id,
      id: await nextId(tx, 'sources'),
      integration_id: integration.id,
      name: integration.name,
      pipeline_id: (await findStages(tx, account_id)).main,
      external_id: integration.id,
      is_default: 1,
      origin_code: null,
      services: '[]',
    },
  ])
}

/**
 * The calling integration's own sources. In the web application there is no calling integration, so the list is empty.
 */
export async function listSources(ctx: Context, actor: Actor): Promise<SourceRow[]> {
  return sourcesOf(ctx.db, actor.account_id, asking(actor))
}

export async function findSource(ctx: Context, actor: Actor, id: number): Promise<SourceRow> {
  const found = (await listSources(ctx, actor)).find((source) => source.id === id)
  if (!found) throw unknownSource.address(id)
  return found
}

const notFound = (id: number) => `source with id = ${id} not found`

/** The refusal of an id that is not a source of the integration. */
type RefuseUnknown = (id: number, request_id: string) => Refusal

/**
 * The refusals of an unknown id in the address, in an item of a change, and in an item of a deletion (R6). The last one has
 * a form of its own (docs/wire/account.md#sources).
 */
export const unknownSource = {
  address: (id: number) => new Refusal('not_found', notFound(id)),
  change: (id, request_id) => invalid('id', 'NotSupportedChoice', notFound(id), request_id),
  deletion: (id, request_id) => {
    const errors = { code: 'EntityNotFound', path: 'id', detail: notFound(id) }
    return new Refusal('invalid', 'Invalid request items', { members: { errors: [{ request_id, errors }] } })
  },
} satisfies Record<string, RefuseUnknown>

/**
 * Adds all the sources or none. Refuses a duplicate external_id, a second default source, and more than 100 sources.
 */
export async function addSources(ctx: Context, actor: Actor, drafts: NewSource[]): Promise<SourceRow[]> {
  const integration_id = asking(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    await refuseUnknownPipelines(tx, actor.account_id, drafts)
    const before = await sourcesOf(tx, actor.account_id, integration_id)
    if (before.length + drafts.length > MAX_SOURCES)
      throw new Refusal('invalid', `An integration can have at most ${MAX_SOURCES} sources.`)
    const ids = await nextIds(tx, 'sources', drafts.length)
    const rows = drafts.map(
      (draft, i): SourceRow => ({
        account_id: actor.account_id,
        id: ids[i] as number,
        integration_id,
        name: draft.name,
        pipeline_id: draft.pipeline_id ?? null,
        external_id: draft.external_id,
        is_default: draft.default ? 1 : 0,
        origin_code: draft.origin_code ?? null,
        services: JSON.stringify(draft.services ?? []),
      }),
    )
    refuseRepeats(drafts, before)
    refuseSecondDefault([...before, ...rows])
    try {
      await insertSources(tx, rows)
    } catch (error) {
      // A concurrent request of the integration was first.
      if (isUniqueViolation(error))
        throw invalid('external_id', 'NotUnique', 'This external_id is already in use.')
      throw error
    }
    return rows
  })
}

function refuseRepeats(drafts: NewSource[], before: SourceRow[]): void {
  const taken = new Set(before.map(({ external_id }) => external_id))
  const faults: Fault[] = []
  drafts.forEach(({ external_id, request_id }, i) => {
    if (taken.has(external_id)) {
      const detail = 'This external_id is already in use.'
      faults.push({ request_id: String(request_id ?? i), code: 'NotUnique', path: 'external_id', detail })
    }
    taken.add(external_id)
  })
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}

/** The caller has locked the account, so no pipeline is deleted meanwhile. */
async function refuseUnknownPipelines(
  tx: Tx,
  account_id: number,
  drafts: Pick<SourcePatch, 'pipeline_id' | 'request_id'>[],
): Promise<void> {
  const stages = await findStages(tx, account_id)
  const faults = drafts.flatMap(({ pipeline_id, request_id }, i): Fault[] => {
    if (pipeline_id == null || stages.hasPipeline(pipeline_id)) return []
    const detail = notAChoice(stages.pipelines)
    return [{ request_id: String(request_id ?? i), code: 'NotSupportedChoice', path: 'pipeline_id', detail }]
  })
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}

/** Changes all or none, and returns the source of each patch. `external_id` cannot be changed. */
export async function updateSources(
  ctx: Context,
  actor: Actor,
  patches: (SourcePatch & { id: number })[],
  unknown: RefuseUnknown,
): Promise<SourceRow[]> {
  const integration_id = asking(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const sources = new Map(
      (await sourcesOf(tx, actor.account_id, integration_id)).map((source) => [source.id, source]),
    )
    refuseUnknown(patches, sources, unknown)
    await refuseUnknownPipelines(tx, actor.account_id, patches)
    for (const { id, name, pipeline_id, default: isDefault, services, origin_code } of patches) {
      const source = sources.get(id) as SourceRow
      if (name !== undefined) source.name = name
      if (pipeline_id !== undefined) source.pipeline_id = pipeline_id
      if (isDefault !== undefined) source.is_default = isDefault ? 1 : 0
      if (services !== undefined) source.services = JSON.stringify(services)
      if (origin_code !== undefined) source.origin_code = origin_code
    }
    refuseSecondDefault([...sources.values()])
    const changed = patches.map(({ id }) => sources.get(id) as SourceRow)
    await replaceSources(tx, [...new Set(changed)])
    return changed
  })
}

/** Deletes all or none. */
export async function deleteSources(
  ctx: Context,
  actor: Actor,
  ids: number[],
  unknown: RefuseUnknown,
): Promise<void> {
  const integration_id = asking(actor)
  await ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    const sources = await sourcesOf(tx, actor.account_id, integration_id)
    const named = ids.map((id) => ({ id }))
    refuseUnknown(named, new Map(sources.map((source) => [source.id, source])), unknown)
    await deleteSourceRows(tx, actor.account_id, integration_id, ids)
  })
}

export function sourceView(row: SourceRow): Omit<Source, '_links'> {
  return {
    id: row.id,
    name: row.name,
    pipeline_id: row.pipeline_id,
    external_id: row.external_id,
    default: row.is_default === 1,
    origin_code: row.origin_code,
    services: JSON.parse(row.services),
  }
}

function asking(actor: Actor): string {
  if (!actor.integration)
    throw new Refusal('forbidden', 'Sources can only be accessed with the token of their integration.')
  if (!actor.is_admin) throw new Refusal('forbidden', 'Insufficient rights to call this method')
  return actor.integration.id
}

function refuseSecondDefault(sources: SourceRow[]): void {
  if (sources.filter(({ is_default }) => is_default === 1).length > 1)
    throw invalid('default', 'NotUnique', 'An integration can have at most one default source.')
}

function refuseUnknown(
  items: readonly { id: number; request_id?: unknown }[],
  sources: Map<number, SourceRow>,
  refuse: RefuseUnknown,
): void {
  for (const [i, { id, request_id }] of items.entries())
    if (!sources.has(id)) throw refuse(id, String(request_id ?? i))
}
