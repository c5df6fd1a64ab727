import type { Migration } from './migration.ts'

/** The price of a lead as it was written, if it has a fraction. */
export const minorUnits: Migration = {
  name: '016-minor-units',
  counted: [],
  statements: [`alter table entities add column price_with_minor_units double precision`],
}
