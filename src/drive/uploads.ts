import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextId } from '../db/dialect.ts'
import type { FilePartRow, FileRow, UploadSessionRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { sameDigest, sha256 } from '../secrets.ts'
import { searchName } from './file-names.ts'
import { fileNotFound } from './file-rights.ts'
import { makePreviews, type Preview } from './previews.ts'
import {
  findFileRows,
  findPart,
  findParts,
  findVersions,
  insertFile,
  insertPart,
  insertVersion,
  lockFiles,
  replaceFiles,
  updatePreviews,
} from './queries.ts'
import { lockSession, updateSession } from './session-queries.ts'
import { folderOf, noSession, removeSession, requireRoomForVersion, requireSession } from './sessions.ts'

/**
 * An upload is a session with consecutive parts. Each part becomes a blob, which is durable before its row is
 * written. The row and the session's progress are written in one transaction, so any process can accept the next
 * part, and acknowledged parts are never lost. The URL of a part contains its offset: if a response is lost, the
 * client sends the part again; it is recognised by its bytes and gets the same response. The last part creates the
 * file. The session stays until its expiry, so that the last part can be repeated too.
 */

export const PART_BYTES = 524_288
/** Limits the number of smaller parts: each is a file on the disk. */
const mostParts = (size: number): number => Math.max(10_000, 2 * Math.ceil(size / PART_BYTES))

/** The result of a part: the next offset, or the file. */
export type PartResult = { session_id: number; next: number } | { file: FileRow }

export interface PartDraft {
  token: string
  start: number
  bytes: Buffer
}

/** Accepts a part, or returns the earlier response to it. */
export async function acceptPart(ctx: Context, actor: Actor, draft: PartDraft): Promise<PartResult> {
  const session = await requireSession(ctx, actor.account_id, draft.token)
  const { start, bytes } = draft
  if (start < session.received) return takeAgain(ctx, session, draft)
  if (start > session.received)
    throw new Refusal('conflict', `The next part must start at ${session.received}, not at ${start}.`, {
      code: 'upload_part_order',
    })
  if (bytes.length === 0) throw new Refusal('invalid', 'A part must have at least one byte.')
  if (session.parts >= mostParts(session.size)) throw new Refusal('invalid', 'The parts are too small.')
  if (start + bytes.length > session.size) {
    await endUpload(ctx, session)
    throw new Refusal(
      'invalid',
      `The upload has more bytes than its file_size of ${session.size} and was cancelled.`,
    )
  }
  return (await store(ctx, session, draft)) ?? acceptPart(ctx, actor, draft)
}

async function takeAgain(
  ctx: Context,
  session: UploadSessionRow,
  { start, bytes }: PartDraft,
): Promise<PartResult> {
  const part = await findPart(ctx.db, { ...session, start })
  if (!part || part.size !== bytes.length || !sameDigest(part.sha256, sha256(bytes)))
    throw new Refusal('conflict', 'This part was already uploaded with different bytes.', {
      code: 'upload_part_differs',
    })
  const next = start + part.size
  if (session.is_finished === 0 || next < session.size) return { session_id: session.id, next }
  const [file] = await findFileRows(ctx.db, session.account_id, [session.file_uuid as string])
  if (!file) throw fileNotFound()
  return { file }
}

/** Returns null if a concurrent request stored the same part. */
async function store(
  ctx: Context,
  session: UploadSessionRow,
  { start, bytes }: PartDraft,
): Promise<PartResult | null> {
  const { account_id, version_uuid } = session
  const key = `${folderOf(session)}/${start}-${randomBytes(9).toString('hex')}`
  const stored = await ctx.files.put(key, Readable.from([bytes]), PART_BYTES)
  const part = { account_id, version_uuid, start, key, ...stored }
  const isLast = start + part.size === session.size
  const making = isLast && session.with_preview === 1 ? previewsOf(ctx, session, part) : NO_PREVIEWS
  const previews = await withTimeout(making)
  const forget = async () => {
    await ctx.files.delete([key])
    const forgotten = making.then((made) => ctx.files.delete(made.map((preview) => preview.key)))
    if (previews === null) forgotten.catch(ignored(ctx))
    else await forgotten
  }
  try {
    const taken = await ctx.db.transaction().execute(async (tx) => {
      const now = await lockSession(tx, session)
      if (!now || now.expires_at <= ctx.now()) throw noSession()
      if (now.received !== start) return null
      await insertPart(tx, part)
      const change = { received: start + part.size, parts: now.parts + 1 }
      if (!isLast) {
        await updateSession(tx, now, change)
        return { session_id: now.id, next: change.received }
      }
      const file = await addVersion(ctx, tx, now, previews ?? [])
      await updateSession(tx, now, { ...change, is_finished: 1, file_uuid: file.uuid })
      return { file }
    })
    if (taken === null) await forget()
    const file = taken && 'file' in taken ? taken.file : undefined
    if (file && previews === null) making.then((late) => addPreviews(ctx, file, late)).catch(ignored(ctx))
    return taken
  } catch (error) {
    // A Refusal was thrown before the commit, so the blob is unused. After any other error, the commit may have
    // happened.
    if (error instanceof Refusal) await forget()
    throw error
  }
}

const NO_PREVIEWS: Promise<Preview[]> = Promise.resolve([])
/**
 * Milliseconds for which the response to the last part of a picture waits for previews; later ones are added to the
 * file.
 */
const PATIENCE = 3_000

/** Returns null if they are not ready in time. */
async function withTimeout(making: Promise<Preview[]>): Promise<Preview[] | null> {
  const patience = new AbortController()
  const { signal } = patience
  const late = setTimeout(PATIENCE, null, { signal, ref: false }).catch(() => null)
  try {
    return await Promise.race([making, late])
  } finally {
    patience.abort()
  }
}

/** A missing preview does not fail the upload. */
const ignored = (ctx: Context) => (error: unknown) =>
  ctx.log.warn({ err: error }, 'could not create the previews of a picture')

async function previewsOf(ctx: Context, session: UploadSessionRow, last: FilePartRow): Promise<Preview[]> {
  const { account_id, version_uuid } = session
  const parts = await findParts(ctx.db, account_id, version_uuid)
  const blobs = [...parts.filter(({ start }) => start < last.start), last]
  return makePreviews(ctx, account_id, folderOf(session), blobs).catch((error) => {
    ignored(ctx)(error)
    return []
  })
}

/** Adds late previews to the version, and to its file while the version is active. */
async function addPreviews(
  ctx: Context,
  { account_id, uuid: file_uuid, version_uuid }: FileRow,
  previews: Preview[],
): Promise<void> {
  if (previews.length === 0) return
  const isThere = await ctx.db
    .transaction()
    .execute((tx) => updatePreviews(tx, { account_id, file_uuid, version_uuid }, JSON.stringify(previews)))
  if (!isThere) await ctx.files.delete(previews.map(({ key }) => key))
}

/** Activates the uploaded version of its file, or creates the file if the upload named none. */
async function addVersion(
  ctx: Context,
  tx: Tx,
  session: UploadSessionRow,
  pictures: Preview[],
): Promise<FileRow> {
  const { account_id, version_uuid, extension, mime_type, size, created_by } = session
  const now = ctx.now()
  const version = { extension, mime_type, size, previews: JSON.stringify(pictures) }
  const before = session.file_uuid === null ? null : await lockFile(tx, account_id, session.file_uuid)
  const name = before?.name ?? session.name
  const file: FileRow = {
    ...(before ?? {
      account_id,
      uuid: randomUUID(),
      id: await nextId(tx, 'files'),
      created_by,
      created_at: now,
      is_deleted: 0,
      deleted_by: null,
      deleted_at: null,
    }),
    ...version,
    version_uuid,
    name,
    search_name: searchName({ name, extension }),
    has_multiple_versions: before ? 1 : 0,
    updated_by: created_by,
    updated_at: now,
  }
  const older = before ? await findVersions(tx, account_id, file.uuid) : []
  // Others can have become versions since the upload began.
  requireRoomForVersion(older)
  if (before) await replaceFiles(tx, [file])
  else await insertFile(tx, file)
  const number = older.length + 1
  const own = { account_id, file_uuid: file.uuid, uuid: version_uuid, number, name: session.name }
  await insertVersion(tx, { ...own, ...version, created_by, created_at: now })
  return file
}

async function lockFile(tx: Tx, account_id: number, uuid: string): Promise<FileRow> {
  const [file] = await lockFiles(tx, account_id, [uuid])
  if (!file || file.is_deleted === 1)
    throw new Refusal('conflict', 'The file was deleted while the new version was being uploaded.', {
      code: 'file_deleted',
    })
  return file
}

/** Ends an upload that cannot complete: it accepts no more parts, and its bytes are deleted. */
async function endUpload(ctx: Context, session: UploadSessionRow): Promise<void> {
  const isOpen = await ctx.db.transaction().execute(async (tx) => {
    const now = await lockSession(tx, session)
    if (!now || now.received !== session.received) return false
    await updateSession(tx, now, { expires_at: 0 })
    return true
  })
  if (isOpen) await removeSession(ctx, session)
}
