import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { compilable, prepared } from '../../db/prepared.ts'
import type { EntityType } from './entity-types.ts'

interface OfPerson {
  account_id: number
  person: number
}

type Limited = OfPerson & { most: number }

const isOfKind = ({ account_id, person }: OfPerson, kind: EntityType) =>
  sql`entities.account_id = ${account_id} and entities.entity_type = ${sql.lit(kind)}
    and entities.responsible_user_id = ${person}`

/** The ids of the records of each kind; null instead, if a kind has more than `most`. */
const idsOf = ofKinds((kinds) =>
  prepared((db, of: Limited) => {
    const { most } = of
    const counts = kinds.map(
      (kind) =>
        sql`(select count(*) from (select 1 from entities where ${isOfKind(of, kind)} limit ${most} + 1) as found)
          as ${sql.ref(kind)}`,
    )
    const ids = kinds.flatMap((kind) => {
      const count = sql.ref(`counts.${kind}`)
      return [
        sql`select ${sql.lit(kind)} as kind, null as id from counts where ${count} > ${most}`,
        // The join order is fixed: SQLite would check a condition without a join for each of the records.
        sql`select ${sql.lit(kind)}, id from counts cross join entities
          where ${count} <= ${most} and ${isOfKind(of, kind)}`,
      ]
    })
    return compilable(
      db,
      sql<{ kind: EntityType; id: number | null }>`with counts as materialized (select ${sql.join(counts)})
        ${sql.join(ids, sql` union all `)}`,
    )
  }),
)

/** A query for each set of kinds, of which there are few. */
function ofKinds<Query>(build: (kinds: readonly EntityType[]) => Query) {
  const known = new Map<string, Query>()
  return (kinds: readonly EntityType[]): Query => {
    const key = kinds.join()
    const query = known.get(key) ?? build(kinds)
    known.set(key, query)
    return query
  }
}

/** Reads the ids of the person's records of a kind, in any order; null if there are more than `most`. */
export type RecordsOfPerson = (kind: EntityType) => Promise<number[] | null>

/**
 * The records of which a person is responsible, in the trash or not. Most people with limited rights see only these, and many
 * of their requests begin with them: the kinds are read together, when the first is needed. The statement counts them first,
 * because reading the ids of many records only to drop them takes much longer.
 */
export function recordsOfPerson(
  db: Db,
  of: OfPerson,
  kinds: readonly EntityType[],
  most: number,
): RecordsOfPerson {
  const read = async () => {
    const found = new Map<EntityType, number[] | null>(kinds.map((kind) => [kind, []]))
    for (const { kind, id } of await idsOf(kinds)(db, { ...of, most }))
      if (id === null) found.set(kind, null)
      else found.get(kind)?.push(id)
    return found
  }
  let found: ReturnType<typeof read> | undefined
  return async (kind) => {
    found ??= read()
    return (await found).get(kind) ?? null
  }
}
