import { randomUUID } from 'node:crypto'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextId } from '../db/dialect.ts'
import type { UploadSessionRow } from '../db/tables.ts'
import { invalid, Refusal } from '../errors.ts'
import { randomToken, sha256 } from '../secrets.ts'
import { mimeTypeOf } from './file-kinds.ts'
import { readFileName } from './file-names.ts'
import { requireOwn } from './file-rights.ts'
import { deleteParts, findVersions, lockFiles } from './queries.ts'
import type { NewSession } from './schemas.ts'
import {
  addUsage,
  countOpenSessions,
  deleteSession,
  findSessionByToken,
  insertSession,
  lockUsage,
} from './session-queries.ts'

/** Seconds. */
const LIFETIME = 24 * 3_600
const MOST_OPEN = 100
const MOST_VERSIONS = 100

/** A session, and the token with which its parts are sent; only the token's hash is stored. */
export interface OpenedSession {
  id: number
  token: string
}

/**
 * Opens an upload of a new file, or of a new version of one, and promises it its place: nobody is told at the last part
 * that there is none.
 */
export function openSession(ctx: Context, actor: Actor, draft: NewSession): Promise<OpenedSession> {
  const { account_id } = actor
  const { file_limit } = ctx.config
  const size = draft.file_size
  if (size > file_limit)
    throw invalid('file_size', 'OutOfRange', `This value should be ${file_limit} or less.`)
  const { name, extension } = readFileName(draft.file_name)
  const token = randomToken('pbu_')
  return ctx.db.transaction().execute(async (tx) => {
    const file_uuid = draft.file_uuid ? await requireFile(tx, actor, draft.file_uuid) : null
    await takePlace(ctx, tx, account_id, size)
    const id = await nextId(tx, 'upload_sessions')
    await insertSession(tx, {
      account_id,
      id,
      token_hash: sha256(token),
      version_uuid: randomUUID(),
      file_uuid,
      name,
      extension,
      mime_type: mimeTypeOf(draft.content_type ?? undefined, extension),
      size,
      with_preview: draft.with_preview ? 1 : 0,
      received: 0,
      parts: 0,
      is_finished: 0,
      created_by: actor.user_id,
      expires_at: ctx.now() + LIFETIME,
    })
    return { id, token }
  })
}

/** A new version changes the file: who may not rename it may not do this either. */
async function requireFile(tx: Tx, actor: Actor, uuid: string): Promise<string> {
  const [file] = await lockFiles(tx, actor.account_id, [uuid])
  if (!file || file.is_deleted === 1)
    throw invalid('file_uuid', 'NotSupportedChoice', 'The value you selected is not a valid choice.')
  requireOwn(actor, [file])
  if ((await findVersions(tx, actor.account_id, uuid)).length >= MOST_VERSIONS)
    throw new Refusal('conflict', `A file has ${MOST_VERSIONS} versions at most.`, {
      code: 'file_version_limit',
    })
  return uuid
}

async function takePlace(ctx: Context, tx: Tx, account_id: number, size: number): Promise<void> {
  const bytes = await lockUsage(tx, account_id)
  if ((await countOpenSessions(tx, account_id, ctx.now())) >= MOST_OPEN)
    throw new Refusal('too_many', `The account has ${MOST_OPEN} uploads under way: finish one first.`, {
      code: 'upload_limit',
      retry_after: 60,
    })
  if (bytes + size > ctx.config.files_limit)
    throw new Refusal('conflict', "There is no place left for the account's files.", {
      code: 'file_storage_limit',
    })
  await addUsage(tx, account_id, size)
}

/** The living session of a token. What has ended is as if it had never been. */
export async function requireSession(
  ctx: Context,
  account_id: number,
  token: string,
): Promise<UploadSessionRow> {
  const session = await findSessionByToken(ctx.db, account_id, sha256(token))
  if (!session || session.expires_at <= ctx.now()) throw noSession()
  return session
}

export const noSession = (): Refusal =>
  new Refusal('not_found', 'There is no such upload: it has ended, or was given up.')

type SessionPlace = Pick<UploadSessionRow, 'account_id' | 'version_uuid'>

/** Where the blobs of a version lie. */
export const folderOf = ({ account_id, version_uuid }: SessionPlace): string =>
  `${account_id}/${version_uuid}`

/** Takes away a session that has ended, and its bytes unless they became a file: first the bytes, so that none are forgotten. */
export async function removeSession(ctx: Context, session: UploadSessionRow): Promise<void> {
  if (session.is_finished === 0) await ctx.files.deleteFolder(folderOf(session))
  await ctx.db.transaction().execute(async (tx) => {
    const bytes = await deleteSession(tx, session)
    if (session.is_finished === 0) await deleteParts(tx, session.account_id, [session.version_uuid])
    await addUsage(tx, session.account_id, -bytes)
  })
}
