import type { Migration } from './migration.ts'

/** The list of products can make the prices of leads: the sum of their products. */
export const leadSums: Migration = {
  name: '030-lead-sums',
  counted: [],
  statements: ['alter table catalogs add column sums_leads bigint not null default 0'],
}
