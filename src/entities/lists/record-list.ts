import type { Db } from '../../db/database.ts'
import type { Access, RecordRight } from '../records/access.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { Filters } from './filters.ts'

/** Reads records of a kind with the rights of a person. */
export interface RecordReader {
  db: Db
  access: Access
  type: EntityType
}

/** The records of a kind that a person can list. */
export interface RecordList extends RecordReader {
  /** The list, for elements. */
  catalog_id?: number | undefined
  /** Selects records in the trash instead of those outside it. */
  in_trash: boolean
  /** Rights that the reader needs on each record; by default `view`. */
  rights?: readonly RecordRight[]
}

/** Selects records of a list, its totals or its export. */
export interface RecordFilter {
  filters: Filters
  words: string[]
}
