import { initial } from './001-initial.ts'
import { records } from './002-records.ts'
import type { Migration } from './migration.ts'

/** In the order in which they are applied. */
export const migrations: readonly Migration[] = [initial, records]
