import type { Tx } from '../database.ts'
import { updateRows } from '../row-sets.ts'
import type { Migration } from './migration.ts'

/** The cards and chats of a file: a person who can see one of them can see the file. */
export const fileUses: Migration = {
  name: '014-file-uses',
  counted: [],
  statements: [
    `alter table notes add column file_uuid text`,
    `create index notes_by_file on notes (account_id, file_uuid) where file_uuid is not null`,
    `create index chat_messages_by_file on chat_messages (account_id, file_uuid) where file_uuid is not null`,
    `alter table upload_sessions add column caller text not null default ''`,
    `create index upload_sessions_of_caller on upload_sessions (account_id, caller, expires_at) where is_finished = 0`,
    `drop index upload_sessions_open`,
  ],
  fill,
}

const PAGE = 1_000

/** Existing notes of files have the file's uuid only in their params. */
async function fill(tx: Tx): Promise<void> {
  for (let after = { account_id: 0, entity_id: 0, id: 0 }; ; ) {
    const rows = await tx
      .selectFrom('notes')
      .select(['account_id', 'entity_type', 'entity_id', 'id', 'params'])
      .where('note_type', '=', 'attachment')
      .where((eb) =>
        eb(
          eb.refTuple('account_id', 'entity_id', 'id'),
          '>',
          eb.tuple(after.account_id, after.entity_id, after.id),
        ),
      )
      .orderBy('account_id')
      .orderBy('entity_id')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    await updateRows(
      tx,
      'notes',
      ['account_id', 'entity_type', 'id'],
      rows.map(({ account_id, entity_type, id, params }) => ({
        account_id,
        entity_type,
        id,
        file_uuid: (JSON.parse(params) as { file_uuid?: string }).file_uuid ?? null,
      })),
    )
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last
  }
}
