import type { Migration } from './migration.ts'

/** Accounts and people, integrations and their tokens, and the delivery queue. */
export const initial: Migration = {
  name: '001-initial',
  counted: ['accounts', 'users', 'groups', 'roles', 'sources', 'deliveries'],
  statements: [
    `create table settings (name text primary key, value text not null)`,

    `create table accounts (
      id bigint primary key, uuid text not null unique, amojo_id text not null unique, subdomain text not null unique,
      name text not null, country text not null, currency text not null, currency_symbol text not null,
      language text not null, timezone text not null, customers_mode text not null,
      contact_name_display_order bigint not null, is_unsorted_on bigint not null, is_loss_reason_enabled bigint not null,
      is_helpbot_enabled bigint not null, paid_until bigint,
      created_at bigint not null, created_by bigint not null, updated_at bigint not null, updated_by bigint not null)`,

    `create table users (
      id bigint primary key, uuid text not null unique, amojo_id text not null unique, email text not null unique,
      name text not null, lang text not null, phone_number text, password_hash text not null,
      created_at bigint not null, updated_at bigint not null)`,

    `create table groups (
      account_id bigint not null references accounts (id), id bigint not null, name text not null, uuid text,
      primary key (account_id, id))`,

    `create table roles (
      account_id bigint not null references accounts (id), id bigint not null, name text not null, rights text not null,
      primary key (account_id, id))`,

    `create table members (
      account_id bigint not null references accounts (id), user_id bigint not null references users (id),
      role_id bigint, group_id bigint not null, rights text not null, is_admin bigint not null, is_free bigint not null,
      is_active bigint not null, user_rank text, epoch bigint not null, created_at bigint not null, removed_at bigint,
      primary key (account_id, user_id))`,
    `create index members_by_user on members (user_id)`,

    `create table task_types (
      account_id bigint not null references accounts (id), id bigint not null, name text not null, color text,
      icon_id bigint, code text, primary key (account_id, id))`,

    `create table sessions (
      hash bytea primary key, user_id bigint not null references users (id), account_id bigint,
      created_at bigint not null, seen_at bigint not null, confirmed_at bigint not null)`,
    `create index sessions_by_user on sessions (user_id)`,
    `create index sessions_by_age on sessions (seen_at)`,

    `create table audit_log (
      account_id bigint not null references accounts (id), id text not null, at bigint not null, user_id bigint not null,
      integration_id text, action text not null, details text not null, address text, request_id text not null,
      primary key (account_id, id))`,
    `create index audit_log_by_integration on audit_log (account_id, integration_id, id)`,

    `create table integrations (
      id text primary key, account_id bigint not null references accounts (id), name text not null,
      description text not null, redirect_uri text not null, disable_hook_url text, permissions text not null,
      access text not null, duplicate_control bigint not null, multiple_sources bigint not null, has_widget bigint not null,
      revoke_on_reuse bigint not null, secret_hash bytea not null, secret_sealed bytea not null,
      redirect_checked_at bigint, redirect_failures bigint not null, redirect_error text,
      created_at bigint not null, created_by bigint not null, updated_at bigint not null, updated_by bigint not null)`,
    `create index integrations_by_account on integrations (account_id)`,
    `create index integrations_by_check on integrations (redirect_checked_at)`,

    `create table integration_icons (
      integration_id text primary key references integrations (id), type text not null, bytes bytea not null)`,

    `create table installations (
      account_id bigint not null references accounts (id), integration_id text not null references integrations (id),
      is_active bigint not null, epoch bigint not null, installed_at bigint not null, installed_by bigint not null,
      disabled_at bigint, disabled_by bigint, last_used_at bigint, primary key (account_id, integration_id))`,
    `create index installations_by_integration on installations (integration_id)`,

    `create table authorization_codes (
      hash bytea primary key, integration_id text not null references integrations (id),
      account_id bigint not null references accounts (id), user_id bigint not null references users (id),
      installation_epoch bigint not null, member_epoch bigint not null, code_challenge text,
      issued_at bigint not null, expires_at bigint not null, consumed_at bigint, grant_id text)`,
    `create index authorization_codes_by_age on authorization_codes (expires_at)`,

    `create table grants (
      id text primary key, account_id bigint not null references accounts (id),
      integration_id text not null references integrations (id), user_id bigint not null references users (id),
      installation_epoch bigint not null, member_epoch bigint not null, scopes text not null, long_lived text,
      created_at bigint not null, revoked_at bigint, revoked_for text)`,
    `create index grants_by_installation on grants (account_id, integration_id)`,

    `create table token_pairs (
      grant_id text not null references grants (id), generation bigint not null,
      access_hash bytea not null unique, access_expires_at bigint not null,
      refresh_hash bytea unique, refresh_expires_at bigint, issued_at bigint not null, sealed bytea,
      primary key (grant_id, generation))`,
    `create index token_pairs_by_age on token_pairs (refresh_expires_at)`,

    `create table consent_forms (
      hash bytea primary key, session_hash bytea not null, integration_id text not null, state text, mode text,
      code_challenge text, expires_at bigint not null)`,
    `create index consent_forms_by_age on consent_forms (expires_at)`,

    `create table sources (
      account_id bigint not null references accounts (id), id bigint not null,
      integration_id text not null references integrations (id), name text not null, pipeline_id bigint,
      external_id text not null, is_default bigint not null, origin_code text, services text not null,
      primary key (account_id, id))`,
    `create unique index sources_by_external_id on sources (account_id, integration_id, external_id)`,

    `create table deliveries (
      id bigint primary key, account_id bigint not null references accounts (id), kind text not null,
      subject text not null, lane text, method text not null, url text not null, headers text not null, body text,
      state text not null, attempts bigint not null, next_attempt_at bigint not null, leased_until bigint,
      request_id text not null, created_at bigint not null, ended_at bigint)`,
    `create index deliveries_due on deliveries (next_attempt_at) where state = 'pending'`,
    `create index deliveries_by_lane on deliveries (lane, id) where state = 'pending'`,
    `create index deliveries_by_subject on deliveries (account_id, kind, subject)`,

    `create table delivery_attempts (
      delivery_id bigint not null references deliveries (id), attempt bigint not null, at bigint not null,
      duration_ms bigint not null, status bigint, error text, answer text, primary key (delivery_id, attempt))`,
  ],
}
