import { randomUUID } from 'node:crypto'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextId } from '../db/dialect.ts'
import type { UploadSessionRow } from '../db/tables.ts'
import { invalid, noSuch, Refusal } from '../errors.ts'
import { randomToken, sha256 } from '../secrets.ts'
import { mimeTypeOf } from './file-kinds.ts'
import { readFileName } from './file-names.ts'
import { type FileUses, hiddenFiles, requireOwn } from './file-rights.ts'
import { deleteParts, findVersions, lockFiles } from './queries.ts'
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
/** Uploads under way of one caller: a person in the browser, or an integration. */
const MOST_OPEN = 100
const MOST_VERSIONS = 100
/** Seconds after which an upload that was sent nothing of keeps its room from nobody. */
const IDLE = 600

/** A session, and the token with which its parts are sent; only the token's hash is stored. */
export interface OpenedSession {
  id: number
  token: string
}

/**
 * Opens an upload of a new file, or of a new version of one, and promises it its place: nobody is told at the last part
 * that there is none.
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
    await takePlace(ctx, tx, actor, size)
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

/** A new version changes the file: who may not rename it may not do this either. */
async function requireFile(tx: Tx, actor: Actor, uses: FileUses, uuid: string): Promise<string> {
  const [file] = await lockFiles(tx, actor.account_id, [uuid])
  if (!file || file.is_deleted === 1 || (await hiddenFiles(tx, actor, uses, [file])).size > 0)
    throw invalid('file_uuid', 'NotSupportedChoice', noSuch('file'))
  requireOwn(actor, [file])
  if ((await findVersions(tx, actor.account_id, uuid)).length >= MOST_VERSIONS)
    throw new Refusal('conflict', `A file has ${MOST_VERSIONS} versions at most.`, {
      code: 'file_version_limit',
    })
  return uuid
}

/**
 * Promises an upload its place. Of a caller with too many uploads under way the oldest gives way that was sent nothing of;
 * where the account has no room, whoever's uploads of which nothing was sent for a while.
 */
async function takePlace(ctx: Context, tx: Tx, actor: Actor, size: number): Promise<void> {
  const { account_id } = actor
  let bytes = await lockUsage(tx, account_id)
  const giveWay = async (session: UploadSessionRow): Promise<void> => {
    const freed = await deleteSession(tx, session)
    await addUsage(tx, account_id, -freed)
    bytes -= freed
  }
  const open = await openSessionsOf(tx, { account_id, caller: callerOf(actor), now: ctx.now() })
  if (open.length >= MOST_OPEN) {
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
    throw new Refusal('conflict', "There is no place left for the account's files.", {
      code: 'file_storage_limit',
    })
  await addUsage(tx, account_id, size)
}

/** The first of them ends by itself after the seconds in retry_after. */
function tooManyOpen(ctx: Context, open: readonly UploadSessionRow[]): Refusal {
  const soonest = Math.min(...open.map(({ expires_at }) => expires_at))
  return new Refusal('too_many', `You have ${MOST_OPEN} uploads under way: finish or delete one first.`, {
    code: 'upload_limit',
    retry_after: Math.max(1, soonest - ctx.now()),
  })
}

/** Whose uploads are counted together: those of an integration, whoever allowed it, or of a person in the browser. */
const callerOf = ({ integration, user_id }: Actor): string => integration?.id ?? String(user_id)

/** Gives an upload up: its bytes go, and the room that was promised to it. Throws Refusal('not_found') for none. */
export async function dropSession(ctx: Context, actor: Actor, token: string): Promise<void> {
  const session = await requireSession(ctx, actor.account_id, token)
  // What became a file stays one.
  if (session.is_finished === 1) throw noSession()
  const isOpen = await ctx.db.transaction().execute(async (tx) => {
    const now = await lockSession(tx, session)
    if (!now || now.is_finished === 1) return false
    // From now on it takes no part.
    await updateSession(tx, now, { expires_at: 0 })
    return true
  })
  if (!isOpen) throw noSession()
  await removeSession(ctx, session)
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
