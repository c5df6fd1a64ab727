import { type Compilable, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import type { EntityType } from './entity-types.ts'

interface OfPerson {
  account_id: number
  person: number
}

type Limited = OfPerson & { limit: number }

const ofKind = ({ account_id, person, limit }: Limited, kind: EntityType, column: 'id' | 'one') =>
  sql`select ${column === 'id' ? sql.ref('id') : sql`1 as one`} from entities where account_id = ${account_id}
    and entity_type = ${sql.lit(kind)} and responsible_user_id = ${person} limit ${limit}`

const compiled = <R>(db: Db, query: RawBuilder<R>): Compilable<R> => ({
  compile: () => query.compile(db),
})

type Counts = Partial<Record<EntityType, number>>

const countsOf = ofKinds((kinds) =>
  prepared((db, of: Limited) => {
    const counts = kinds.map(
      (kind) => sql`(select count(*) from (${ofKind(of, kind, 'one')}) as counted) as ${sql.ref(kind)}`,
    )
    return compiled(db, sql<Counts>`select ${sql.join(counts)}`)
  }),
)

const idsOf = ofKinds((kinds) =>
  prepared((db, of: Limited) => {
    const ids = kinds.map(
      (kind) => sql`select ${sql.lit(kind)} as kind, id from (${ofKind(of, kind, 'id')}) as found`,
    )
    return compiled(db, sql<{ kind: EntityType; id: number }>`${sql.join(ids, sql` union all `)}`)
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
 * of their requests begin with them: the kinds are read together, when the first is needed. They are counted first, because
 * reading the ids of many records only to drop them takes much longer.
 */
export function recordsOfPerson(
  db: Db,
  of: OfPerson,
  kinds: readonly EntityType[],
  most: number,
): RecordsOfPerson {
  let counted: Promise<EntityType[]> | undefined
  let found: Promise<Map<EntityType, number[]>> | undefined
  const fewKinds = async () => {
    const [counts = {}] = await countsOf(kinds)(db, { ...of, limit: most + 1 })
    return kinds.filter((kind) => Number(counts[kind]) <= most)
  }
  const idsByKind = async (few: readonly EntityType[]) => {
    const ids = new Map(few.map((kind): [EntityType, number[]] => [kind, []]))
    for (const { kind, id } of await idsOf(few)(db, { ...of, limit: most })) ids.get(kind)?.push(id)
    return ids
  }
  return async (kind) => {
    counted ??= fewKinds()
    const few = await counted
    if (!few.includes(kind)) return null
    found ??= idsByKind(few)
    return (await found).get(kind) ?? null
  }
}
