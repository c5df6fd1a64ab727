import type { Migration } from './migration.ts'

/**
 * The permissions that a consent page showed, and those of a code. Without them, which only forms and codes from before
 * this migration have, the permissions are those of the integration.
 */
export const consentedPermissions: Migration = {
  name: '047-consented-permissions',
  counted: [],
  isAdditive: true,
  statements: [
    'alter table consent_forms add column permissions text',
    'alter table authorization_codes add column scopes text',
  ],
}
