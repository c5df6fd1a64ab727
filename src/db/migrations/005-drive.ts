import type { Migration } from './migration.ts'

/** Files of the account, their versions and uploads. The bytes are blobs, see `src/files/`. */
export const drive: Migration = {
  name: '005-drive',
  counted: ['files', 'upload_sessions'],
  statements: [
    `create table files (
      account_id bigint not null references accounts (id), uuid text not null, id bigint not null,
      version_uuid text not null, name text not null, search_name text not null, extension text not null,
      mime_type text not null, size bigint not null, previews text not null, has_multiple_versions bigint not null,
      created_by bigint not null, created_at bigint not null, updated_by bigint not null, updated_at bigint not null,
      is_deleted bigint not null, deleted_by bigint, deleted_at bigint, primary key (account_id, uuid))`,
    `create index files_by_id on files (account_id, is_deleted, id)`,
    `create index files_by_creation on files (account_id, is_deleted, created_at, id)`,
    `create index files_by_update on files (account_id, is_deleted, updated_at, id)`,
    `create index files_by_size on files (account_id, is_deleted, size, id)`,
    `create index files_by_deletion on files (deleted_at) where deleted_at is not null`,

    `create table file_versions (
      account_id bigint not null, file_uuid text not null, uuid text not null, number bigint not null,
      name text not null, extension text not null, mime_type text not null, size bigint not null, previews text not null,
      created_by bigint not null, created_at bigint not null, primary key (account_id, file_uuid, uuid))`,

    `create table file_parts (
      account_id bigint not null, version_uuid text not null, start bigint not null, size bigint not null,
      sha256 bytea not null, key text not null, primary key (account_id, version_uuid, start))`,

    `create table upload_sessions (
      account_id bigint not null references accounts (id), id bigint not null, token_hash bytea not null,
      version_uuid text not null, file_uuid text, name text not null, extension text not null,
      mime_type text not null, size bigint not null, with_preview bigint not null, received bigint not null,
      parts bigint not null, is_finished bigint not null, created_by bigint not null, expires_at bigint not null,
      primary key (account_id, id))`,
    `create unique index upload_sessions_by_token on upload_sessions (account_id, token_hash)`,
    `create index upload_sessions_open on upload_sessions (account_id, expires_at) where is_finished = 0`,
    `create index upload_sessions_by_end on upload_sessions (expires_at)`,

    `create table file_usage (
      account_id bigint not null references accounts (id), bytes bigint not null, primary key (account_id))`,
  ],
}
