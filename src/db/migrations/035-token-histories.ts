import type { Migration } from './migration.ts'

/**
 * The histories of tokens, with the request of each step. `first_used_at` is 0 for pairs from before this migration:
 * when they were first used is not known. Endings have the epoch that they ended (A7).
 */
export const tokenHistories: Migration = {
  name: '035-token-histories',
  counted: [],
  statements: [
    'alter table token_pairs add column issued_request_id text',
    'alter table token_pairs add column first_used_at bigint',
    'alter table token_pairs add column first_used_request_id text',
    'alter table token_pairs add column last_used_at bigint',
    'alter table token_pairs add column last_used_request_id text',
    'alter table token_pairs add column elsewhere_at bigint',
    'alter table token_pairs add column elsewhere_host text',
    'alter table token_pairs add column elsewhere_request_id text',
    'alter table token_pairs add column altered_request_id text',
    'update token_pairs set first_used_at = 0 where sealed is null',
    'alter table grants add column revoked_by bigint',
    'alter table grants add column revoked_request_id text',
    'alter table authorization_codes add column issued_request_id text',
    'alter table authorization_codes add column consumed_request_id text',
    'alter table authorization_codes add column elsewhere_at bigint',
    'alter table authorization_codes add column elsewhere_host text',
    'alter table authorization_codes add column elsewhere_request_id text',
    'create index grants_by_age on grants (account_id, created_at, id)',
    `create table installation_endings (
      account_id bigint not null references accounts (id), integration_id text not null references integrations (id),
      epoch bigint not null, at bigint not null, ended_by bigint not null, request_id text not null,
      primary key (account_id, integration_id, epoch))`,
    `create table member_endings (
      account_id bigint not null references accounts (id), user_id bigint not null references users (id),
      epoch bigint not null, at bigint not null, is_removal bigint not null, ended_by bigint not null,
      request_id text not null, primary key (account_id, user_id, epoch))`,
    `create table token_faults (
      account_id bigint not null references accounts (id), grant_id text not null references grants (id),
      kind text not null, expires_at bigint not null, arrived bigint not null, primary key (grant_id, kind))`,
  ],
}
