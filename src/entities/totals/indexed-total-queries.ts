import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { OfColumns } from '../lists/narrowing-queries.ts'
import type { EntityType } from '../records/entity-types.ts'
import { type StageSums, sumOfPrices } from './total-queries.ts'

/** Records of a kind that are found and summed up by the index `entities_totals` alone. */
export interface IndexedRecords {
  account_id: number
  type: EntityType
  in_trash: boolean
  conditions: Expression<SqlBool>[]
  /** Conditions on the pipeline and the stage. */
  ofStages: OfColumns[]
}

type Conditions = Expression<SqlBool>[]

/** How the entries of the index are read: all, or those of one stage after the other. */
interface Source {
  stages: { table: RawBuilder<unknown>; conditions: Conditions } | null
  conditions: Conditions
  pipeline_id: RawBuilder<unknown>
  status_id: RawBuilder<unknown>
  /** The order of the entries. */
  groups: RawBuilder<unknown>
}

/** The tables of stages by the kind of their records. */
const stageTables: Partial<Record<EntityType, string>> = { leads: 'statuses', customers: 'customer_statuses' }

/** Whether the records are read by stage. A record in the trash can have a stage that no longer exists. */
export const isByStage = ({ type, in_trash }: IndexedRecords): boolean => !in_trash && type in stageTables

const recordsOf = ({ account_id, type, conditions }: IndexedRecords): Conditions => [
  sql<SqlBool>`entities.account_id = ${account_id}`,
  sql<SqlBool>`entities.entity_type = ${sql.lit(type)}`,
  ...conditions,
]

/** People are behind stages in the index, so the entries of a person are one range for each stage. */
function stageByStage(records: IndexedRecords, table: string): Source {
  const hasPipelines = records.type === 'leads'
  const pipeline_id = hasPipelines ? sql`stage.pipeline_id` : sql`cast(null as bigint)`
  const status_id = sql`stage.id`
  const ofStages = records.ofStages.map((one) =>
    one((name) => (name === 'status_id' ? status_id : pipeline_id)),
  )
  return {
    stages: {
      table: sql.table(table),
      conditions: [sql<SqlBool>`stage.account_id = ${records.account_id}`, ...ofStages],
    },
    conditions: [
      ...recordsOf(records),
      hasPipelines
        ? sql<SqlBool>`entities.pipeline_id = ${pipeline_id}`
        : sql<SqlBool>`entities.pipeline_id is null`,
      sql<SqlBool>`entities.status_id = ${status_id}`,
    ],
    pipeline_id,
    status_id,
    groups: hasPipelines ? sql`${pipeline_id}, ${status_id}` : status_id,
  }
}

function inOnePiece(records: IndexedRecords): Source {
  const [pipeline_id, status_id] = [sql`entities.pipeline_id`, sql`entities.status_id`]
  const hasNoStages = sql<SqlBool>`${pipeline_id} is null and ${status_id} is null`
  return {
    stages: null,
    conditions: [
      ...recordsOf(records),
      ...records.ofStages.map((one) => one((name) => sql.ref(`entities.${name}`))),
      ...(records.type in stageTables ? [] : [hasNoStages]),
    ],
    pipeline_id,
    status_id,
    groups: sql`${pipeline_id}, ${status_id}`,
  }
}

function sourceOf(records: IndexedRecords): Source {
  const table = stageTables[records.type]
  return table && isByStage(records) ? stageByStage(records, table) : inOnePiece(records)
}

/** SQLite reads the tables of a cross join in their order. */
const rowsOf = ({ stages, conditions }: Source) =>
  stages
    ? sql`${stages.table} as stage cross join entities where ${all([...stages.conditions, ...conditions])}`
    : sql`entities where ${all(conditions)}`

const all = (conditions: Conditions) => sql.join(conditions, sql` and `)

/** The number of the records, up to a limit. */
export function countIndexed(db: Db, records: IndexedRecords, most: number) {
  const some = sql`(select 1 as one from ${rowsOf(sourceOf(records))} limit ${most})`
  return db.selectFrom(some.as('counted')).select((eb) => eb.fn.countAll<number>().as('count'))
}

/** The number and the sum of the records of each stage; kinds without stages have one row. */
export function sumIndexed(db: Db, records: IndexedRecords) {
  const source = sourceOf(records)
  const { pipeline_id, status_id, groups } = source
  const sums = sql<StageSums>`(
    select ${pipeline_id} as pipeline_id, ${status_id} as status_id, count(*) as total, ${sumOfPrices} as sum
    from ${rowsOf(source)} group by ${groups})`
  return db.selectFrom(sums.as('sums')).selectAll()
}

/** The number and the sum of some records of each stage, up to a limit; for records that are read by stage. */
export function sumSomeOfStages(db: Db, records: IndexedRecords, most: number) {
  const { stages, conditions, pipeline_id, status_id } = sourceOf(records)
  const some = sql`(select price, next_price from entities where ${all(conditions)} limit ${most}) as entities`
  const sums = sql<StageSums>`(
    select ${pipeline_id} as pipeline_id, ${status_id} as status_id,
      (select count(*) from ${some}) as total, (select ${sumOfPrices} from ${some}) as sum
    from ${fromStages(stages)})`
  return db.selectFrom(sums.as('sums')).selectAll()
}

/** The number of stages whose records are read. */
export const countStages = (db: Db, records: IndexedRecords) =>
  db
    .selectFrom(sql`(select 1 as one from ${fromStages(sourceOf(records).stages)})`.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))

function fromStages(stages: Source['stages']) {
  if (!stages) throw new Error('The records are not read by stage.')
  return sql`${stages.table} as stage where ${all(stages.conditions)}`
}
