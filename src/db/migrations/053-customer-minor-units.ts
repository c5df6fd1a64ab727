import type { Migration } from './migration.ts'

/** Amounts of customers and purchases as they were written, if they have a fraction. */
export const customerMinorUnits: Migration = {
  name: '053-customer-minor-units',
  counted: [],
  isAdditive: true,
  statements: [
    'alter table entities add column next_price_with_minor_units double precision',
    'alter table entities add column ltv_with_minor_units double precision',
    'alter table transactions add column price_with_minor_units double precision',
  ],
}
