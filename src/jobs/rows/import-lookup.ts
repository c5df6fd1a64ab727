import { type Actor, accountTimezone, findNamedMembers, type NamedMember } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { type FieldSet, findFields } from '../../custom-fields/custom-fields.ts'
import { listPipelines } from '../../pipelines/pipelines.ts'
import type { CellConventions } from './cells.ts'
import type { ImportSettings } from './import-settings.ts'
import type { ImportedType, Target } from './targets.ts'
import { targetsOf } from './targets.ts'

interface NamedPipeline {
  id: number
  name: string
}

export interface NamedStage {
  pipeline_id: number
  status_id: number
  pipeline: string
  stage: string
}

/** The data that an import looks values up in. Loaded for each batch. */
export interface ImportLookup {
  type: ImportedType
  fields: FieldSet
  targets: ReadonlyMap<string, Target>
  /** Ids by name, by lower-case e-mail and by id. A name that two people share maps to null. */
  people: ReadonlyMap<string, number | null>
  peopleNames: ReadonlyMap<number, string>
  /** The stages with each name and each id, those of the main pipeline first. */
  stages: ReadonlyMap<string, readonly NamedStage[]>
  /** The pipelines with each name and each id, the main one first. */
  pipelines: ReadonlyMap<string, readonly NamedPipeline[]>
  hasSeveralPipelines: boolean
  conventions: CellConventions
  settings: ImportSettings
}

export async function loadImportLookup(
  ctx: Context,
  actor: Actor,
  type: ImportedType,
  settings: ImportSettings,
): Promise<ImportLookup> {
  const { account_id } = actor
  const [fields, members, pipelines, timezone] = await Promise.all([
    findFields(ctx.db, account_id, type),
    findNamedMembers(ctx.db, account_id),
    type === 'leads' ? listPipelines(ctx, actor) : [],
    accountTimezone(ctx.db, account_id),
  ])
  const people = new Map<string, number | null>()
  for (const { id, name } of members) people.set(key(name), people.has(key(name)) ? null : id)
  for (const { id, email } of members) people.set(key(email), id).set(String(id), id)
  learnFirstNames(people, members)
  const ordered = pipelines.toSorted((a, b) => b.is_main - a.is_main)
  return {
    type,
    fields,
    targets: new Map(targetsOf(type, fields).map((one) => [one.target, one])),
    people,
    peopleNames: new Map(members.map(({ id, name }) => [id, name])),
    pipelines: called(ordered, ({ id, name }) => [name, id]),
    stages: called(
      ordered.flatMap(({ id, name, stages }) =>
        stages.map((stage) => ({ pipeline_id: id, status_id: stage.id, pipeline: name, stage: stage.name })),
      ),
      ({ stage, status_id }) => [stage, status_id],
    ),
    hasSeveralPipelines: ordered.length > 1,
    conventions: { dates: settings.dates, has_decimal_comma: settings.file.delimiter === ';', timezone },
    settings,
  }
}

/** The items by their normalised names and by their ids, in their order: a file can name one in each of its rows. */
function called<Item>(
  items: readonly Item[],
  namesOf: (item: Item) => [name: string, id: number],
): Map<string, Item[]> {
  const found = new Map<string, Item[]>()
  for (const item of items)
    for (const name of new Set(namesOf(item).map((one) => key(String(one))))) {
      const before = found.get(name)
      if (before) before.push(item)
      else found.set(name, [item])
    }
  return found
}

/** Adds unique first names. */
function learnFirstNames(people: Map<string, number | null>, members: readonly NamedMember[]): void {
  const byFirst = Map.groupBy(members, ({ name }) => key(name).split(/\s+/)[0] as string)
  for (const [first, [one, ...others]] of byFirst)
    if (one && !people.has(first)) people.set(first, others.length > 0 ? null : one.id)
}

/** The maximum length of a name, with room for normalisation. */
const LONGEST_NAME = 1_024

/** Normalises a name for comparison. */
export const key = (text: string): string =>
  text.slice(0, LONGEST_NAME).normalize('NFKC').trim().toLowerCase()
