import {
  type Driver,
  type Kysely,
  SqliteAdapter,
  type SqliteDialect,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { unitingDriver } from '../units.ts'

/** SQLite for Kysely, with a driver that shares its writing handle. */
export function sqliteDialect(driver: Driver) {
  return {
    createAdapter: () => new SharingAdapter(),
    createDriver: () => unitingDriver(driver),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new StablePlanCompiler(),
  } satisfies Pick<
    SqliteDialect,
    'createAdapter' | 'createDriver' | 'createIntrospector' | 'createQueryCompiler'
  >
}

/** Otherwise Kysely would use one connection at a time until its commit is done, and no commits could be shared. */
class SharingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Writes a parameter as `+?`. With `?` alone, SQLite may use the value for planning, and must then plan again at
 * every run: ten times the work of a look-up. With the plus, it plans once. Consequently, a partial index is used
 * only if its condition is a literal (`sql.lit`).
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}
