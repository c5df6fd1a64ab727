import { randomUUID } from 'node:crypto'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextId } from '../db/dialect.ts'
import type { FileVersionRow, UploadSessionRow } from '../db/tables.ts'
import { invalid, noSuch, Refusal } from '../errors.ts'
import { randomToken, sha256 } from '../secrets.ts'
import { mimeTypeOf } from './file-kinds.ts'
import { readFileName } from './file-names.ts'
import { type FileUses, hiddenFiles, requireOwn } from './file-rights.ts'
import { readPreviews } from './previews.ts'
import { deleteParts, findParts, findVersion, findVersions, lockFiles } from './queries.ts'
import type { NewSession } from './schemas.ts'
import {
  addUsage,
  deleteSession,
  findSessionByToken,
  idleSessions,
  insertSession,
  lockSession,
  lockUsage,
  openSessionsOf,
  updateSession,
} from './session-queries.ts'

/** Seconds. */
const LIFETIME = 24 * 3_600
/** The most open uploads of one caller: a person in the browser, or an integration. */
const MAX_OPEN = 100
const MAX_VERSIONS = 100
/** Seconds after which an upload that has received nothing loses its reserved space if others need it. */
const IDLE = 600

/** A session and the token for its parts; only the hash of the token is stored. */
export interface OpenedSession {
  id: number
  token: string
}

/**
 * Opens an upload of a new file or a new version, and reserves its space, so that an upload never fails at its last
 * part for lack of space.
 */
export function openSession(
  ctx: Context,
  actor: Actor,
  draft: NewSession,
  uses: FileUses = nowhere,
): Promise<OpenedSession> {
  const { account_id } = actor
  const { file_limit } = ctx.config
  const size = draft.file_size
  if (size > file_limit)
    throw invalid('file_size', 'OutOfRange', `This value should be ${file_limit} or less.`)
  const { name, extension } = readFileName(draft.file_name)
  const token = randomToken('pbu_')
  return ctx.db.transaction().execute(async (tx) => {
    const file_uuid = draft.file_uuid ? await requireFile(tx, actor, uses, draft.file_uuid) : null
    await reserveSpace(ctx, tx, actor, size)
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
      caller: callerOf(actor),
      expires_at: ctx.now() + LIFETIME,
    })
    return { id, token }
  })
}

const nowhere: FileUses = async () => []

/** A new version requires the same right as renaming the file. */
async function requireFile(tx: Tx, actor: Actor, uses: FileUses, uuid: string): Promise<string> {
  const [file] = await lockFiles(tx, actor.account_id, [uuid])
  if (!file || file.is_deleted === 1 || (await hiddenFiles(tx, actor, uses, [file])).size > 0)
    throw invalid('file_uuid', 'NotSupportedChoice', noSuch('file'))
  requireOwn(actor, [file])
  requireRoomForVersion(await findVersions(tx, actor.account_id, uuid))
  return uuid
}

/** Throws Refusal('conflict') if a file with these versions can have no other one. */
export function requireRoomForVersion({ length }: readonly FileVersionRow[]): void {
  if (length >= MAX_VERSIONS)
    throw new Refusal('conflict', `A file can have at most ${MAX_VERSIONS} versions.`, {
      code: 'file_version_limit',
    })
}

/**
 * Reserves space for an upload. If the caller has too many open uploads, the oldest one that has received nothing
 * is dropped. If the account has no space left, uploads of any caller that have received nothing for some time are
 * dropped.
 */
async function reserveSpace(ctx: Context, tx: Tx, actor: Actor, size: number): Promise<void> {
  const { account_id } = actor
  let bytes = await lockUsage(tx, account_id)
  const giveWay = async (session: UploadSessionRow): Promise<void> => {
    const freed = await deleteSession(tx, session, { ifEmpty: true })
    await addUsage(tx, account_id, -freed)
    bytes -= freed
  }
  const open = await openSessionsOf(tx, { account_id, caller: callerOf(actor), now: ctx.now() })
  if (open.length >= MAX_OPEN) {
    const [oldest] = open.filter(({ received }) => received === 0)
    if (!oldest) throw tooManyOpen(ctx, open)
    await giveWay(oldest)
  }
  const isFull = () => bytes + size > ctx.config.files_limit
  if (isFull()) {
    const idle = await idleSessions(tx, {
      account_id,
      ends_before: ctx.now() + LIFETIME - IDLE,
      now: ctx.now(),
    })
    for (const session of idle) if (isFull()) await giveWay(session)
  }
  if (isFull())
    throw new Refusal('conflict', 'The account has no space left for files.', {
      code: 'file_storage_limit',
    })
  await addUsage(tx, account_id, size)
}

/** The first of them expires after retry_after seconds. */
function tooManyOpen(ctx: Context, open: readonly UploadSessionRow[]): Refusal {
  const soonest = Math.min(...open.map(({ expires_at }) => expires_at))
  return new Refusal('too_many', `You have ${MAX_OPEN} open uploads. Finish or delete one first.`, {
    code: 'upload_limit',
    retry_after: Math.max(1, soonest - ctx.now()),
  })
}

/** The owner of the upload limit: the integration, regardless of the person, or the person in the browser. */
const callerOf = ({ integration, user_id }: Actor): string => integration?.id ?? String(user_id)

/**
 * Cancels an upload: its bytes are deleted and its space is released. Throws Refusal('not_found') for an unknown
 * one.
 */
export async function cancelUpload(ctx: Context, actor: Actor, token: string): Promise<void> {
  const session = await requireSession(ctx, actor.account_id, token)
  // A completed upload is a file, which stays.
  if (session.is_finished === 1) throw noSession()
  const isOpen = await ctx.db.transaction().execute(async (tx) => {
    const now = await lockSession(tx, session)
    if (!now || now.is_finished === 1) return false
    // From now on it accepts no parts.
    await updateSession(tx, now, { expires_at: 0 })
    return true
  })
  if (!isOpen) throw noSession()
  await removeSession(ctx, session)
}

/** The active session of a token. An expired one is reported as unknown. */
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
  new Refusal('not_found', 'Upload not found. It may have expired or been cancelled.')

type SessionPlace = Pick<UploadSessionRow, 'account_id' | 'version_uuid'>

/** The folder of a version's blobs. */
export const folderOf = ({ account_id, version_uuid }: SessionPlace): string =>
  `${account_id}/${version_uuid}`

/** Deletes the blobs of all files of an account. */
export const deleteFilesOf = ({ files }: Context, account_id: number): Promise<void> =>
  files.deleteFolder(String(account_id))

/**
 * Deletes an expired session, and its bytes unless they became a file. The bytes go first, so that none are
 * orphaned.
 */
export async function removeSession(ctx: Context, session: UploadSessionRow): Promise<void> {
  if (session.is_finished === 0) await ctx.files.deleteFolder(folderOf(session))
  else await deleteStrays(ctx, session)
  await ctx.db.transaction().execute(async (tx) => {
    const bytes = await deleteSession(tx, session)
    if (session.is_finished === 0) await deleteParts(tx, session.account_id, [session.version_uuid])
    await addUsage(tx, session.account_id, -bytes)
  })
}

/** Deletes blobs without a row beside those of a file. A process that is killed between the two leaves one. */
async function deleteStrays(ctx: Context, session: UploadSessionRow): Promise<void> {
  const { account_id, file_uuid, version_uuid: uuid } = session
  const stored = await Array.fromAsync(ctx.files.keys(folderOf(session)))
  // Read after the blobs, so that a preview that was added meanwhile is found.
  const version = file_uuid && (await findVersion(ctx.db, { account_id, file_uuid, uuid }))
  if (!version) return
  const rows = [...(await findParts(ctx.db, account_id, uuid)), ...readPreviews(version.previews)]
  const used = new Set(rows.map(({ key }) => key))
  await ctx.files.delete(stored.filter((key) => !used.has(key)))
}
