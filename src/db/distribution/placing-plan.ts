import { type Placement, placements } from './distribution.ts'

/** A foreign key, with its definition as PostgreSQL writes it. */
export interface ForeignKey {
  name: string
  table: string
  refers_to: string
  definition: string
}

/** Tables that are placed in one transaction, because foreign keys between them stay. */
export interface Unit {
  tables: string[]
  statements: string[]
}

export const placementOf = (table: string): Placement =>
  placements[table as keyof typeof placements] ?? 'plain'

/** The tables that are not plain: reference tables first, because distributed ones may refer to them. */
export const placedTables: readonly string[] = (['reference', 'distributed'] as const).flatMap((placement) =>
  Object.keys(placements).filter((table) => placementOf(table) === placement),
)

const OF_ACCOUNT = /^FOREIGN KEY \(account_id\b.* REFERENCES \w+\(account_id\b/

/** Whether Citus can keep a foreign key: to a table that every server has, or between the rows of one account. */
export function stays({ table, refers_to, definition }: ForeignKey): boolean {
  const from = placementOf(table)
  const to = placementOf(refers_to)
  if (to === 'reference') return from !== 'plain'
  return from === 'distributed' && to === 'distributed' && OF_ACCOUNT.test(definition)
}

/**
 * The statements that place these tables, in units. Triggers and keys that Citus cannot keep are dropped. Keys that stay
 * are dropped and added again, because a key between a placed and a plain table is refused. Distributed tables are placed
 * like `beside`, which is one of them already; without it, the first one gets `shards` shards, and the others follow it.
 */
export function planOf(
  tables: readonly string[],
  keys: readonly ForeignKey[],
  { beside, shards }: { beside: string | undefined; shards: number },
): Unit[] {
  let first = beside
  return groupsOf(tables, keys.filter(stays)).map((group) => {
    const own = keys.filter(({ table, refers_to }) => group.includes(table) || group.includes(refers_to))
    const placing = group.flatMap((table) => {
      if (placementOf(table) === 'reference') return [`select create_reference_table('${table}')`]
      const isFirst = first === undefined
      const like = first ?? 'none'
      first ??= table
      return [
        ...(isFirst ? [`set local citus.shard_count = ${shards}`] : []),
        `select create_distributed_table('${table}', 'account_id', colocate_with => '${like}')`,
      ]
    })
    return {
      tables: group,
      statements: [
        ...own.map(({ table, name }) => `alter table "${table}" drop constraint "${name}"`),
        ...group.map((table) => `drop trigger if exists note_change on "${table}"`),
        ...placing,
        ...own
          .filter(stays)
          .map(
            ({ table, name, definition }) => `alter table "${table}" add constraint "${name}" ${definition}`,
          ),
      ],
    }
  })
}

/** The tables in their order, each together with those to which keys connect it. */
function groupsOf(tables: readonly string[], keys: readonly ForeignKey[]): string[][] {
  const left = new Set(tables)
  return tables.flatMap((table) => {
    if (!left.delete(table)) return []
    const group = [table]
    // The group grows while it is read.
    for (const member of group)
      for (const { table: from, refers_to: to } of keys) {
        const other = from === member ? to : to === member ? from : member
        if (left.delete(other)) group.push(other)
      }
    return [group.sort((a, b) => tables.indexOf(a) - tables.indexOf(b))]
  })
}
