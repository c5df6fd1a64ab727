import type { Migration } from './migration.ts'

/** A form can belong to a button on the company's site. Its source has an id of its own. */
export const websiteButtons: Migration = {
  name: '029-website-buttons',
  counted: [],
  statements: [
    `alter table site_forms add column source_id bigint`,
    `alter table site_forms add column trusted_websites text not null default '[]'`,
    `alter table site_forms add column is_used_in_app bigint not null default 0`,
    `create unique index site_forms_by_source on site_forms (account_id, source_id) where source_id is not null`,
  ],
}
