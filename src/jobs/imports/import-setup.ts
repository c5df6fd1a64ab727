import { Value } from 'typebox/value'
import { type Actor, activeIds, findMembers } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { findFields } from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import type { JobRow } from '../../db/tables.ts'
import { type Choices, type Fault, invalidChoice, notAChoice, Refusal } from '../../errors.ts'
import { findStages } from '../../pipelines/pipelines.ts'
import { updateJob } from '../batches/queries.ts'
import { type ImportSettings, matchKeysOf } from '../rows/import-settings.ts'
import type { MappedColumn } from '../rows/proposals.ts'
import { type ImportedType, type Target, targetsOf } from '../rows/targets.ts'
import { requireLocked } from './job-states.ts'
import { ImportPatch } from './schemas.ts'

/** Changes the settings of a draft. */
export function setUpImport(ctx: Context, actor: Actor, id: number, written: ImportPatch): Promise<JobRow> {
  // The stored settings also name the file: no member of a request can replace that.
  const patch = Value.Clean(ImportPatch, structuredClone(written)) as ImportPatch
  return ctx.db.transaction().execute(async (tx) => {
    const job = await requireLocked(tx, actor, id)
    if (job.kind !== 'import' || job.state !== 'draft')
      throw new Refusal('conflict', 'Only a draft can be changed.', { code: 'job_state' })
    const type = job.entity_type as ImportedType
    const before = JSON.parse(job.settings) as ImportSettings
    if (patch.mapping) await requireMapping(tx, actor, type, before.columns.length, patch.mapping)
    const foreign = patch.duplicates?.match.find((by) => !matchKeysOf[type].includes(by))
    if (foreign) throw invalidChoice('duplicates.match', matchKeysOf[type])
    if (patch.defaults) await requireDefaults(tx, actor, patch.defaults)
    const change = { settings: JSON.stringify({ ...before, ...patch }), updated_at: ctx.now() }
    await updateJob(tx, job, change)
    return { ...job, ...change }
  })
}

async function requireMapping(
  tx: Tx,
  { account_id }: Actor,
  type: ImportedType,
  columns: number,
  mapping: readonly MappedColumn[],
): Promise<void> {
  const fields = await findFields(tx, account_id, type)
  const targets = new Map(targetsOf(type, fields).map((one) => [one.target, one]))
  const faults: Fault[] = []
  const seen = { columns: new Set<number>(), targets: new Set<string>() }
  mapping.forEach(({ column, target }, i) => {
    const fault = (code: Fault['code'], member: string, detail: string) =>
      faults.push({ request_id: '0', code, path: `mapping.${i}.${member}`, detail })
    if (column >= columns || seen.columns.has(column))
      fault('NotUnique', 'column', 'A column can have only one target.')
    const known = targets.get(target)
    if (!known) fault('NotSupportedChoice', 'target', notAChoice(targets))
    else if (isTaken(known, seen.targets))
      fault('NotUnique', 'target', 'Another column already has this target.')
    seen.columns.add(column)
    seen.targets.add(target)
  })
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}

const isTaken = ({ target, is_repeatable }: Target, seen: Set<string>): boolean =>
  !is_repeatable && seen.has(target)

async function requireDefaults(
  tx: Tx,
  { account_id }: Actor,
  { responsible_user_id, pipeline_id, status_id }: NonNullable<ImportPatch['defaults']>,
): Promise<void> {
  const fault = (name: string, choices: Choices) => invalidChoice(`defaults.${name}`, choices)
  if (responsible_user_id !== undefined) {
    const choices = activeIds(await findMembers(tx, account_id))
    if (!choices.includes(responsible_user_id)) throw fault('responsible_user_id', choices)
  }
  if (pipeline_id === undefined && status_id === undefined) return
  const stages = await findStages(tx, account_id)
  if (pipeline_id === undefined || !stages.hasPipeline(pipeline_id))
    throw fault('pipeline_id', stages.pipelines)
  const choices = stages.choices(pipeline_id)
  if (status_id !== undefined && !choices.includes(status_id)) throw fault('status_id', choices)
}
