import type { Migration } from './migration.ts'

/** The list of a saved view is named by its page, as in the address. */
export const viewPages: Migration = {
  name: '021-view-pages',
  counted: [],
  statements: ['alter table saved_views rename column room to page'],
}
