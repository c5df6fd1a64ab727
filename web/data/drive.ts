import { queryOptions } from '@tanstack/react-query'
import { batchIds } from '../api/batch-ids.ts'
import { api, dataOf, fileBody, type Schemas } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { Cancelled, Problem } from '../api/problem.ts'
import { retry } from './query-client.ts'

export type StoredFile = Schemas['StoredFile']

/** A file that was uploaded is not uploaded again while the page is open. */
const uploaded = new WeakMap<File, string>()

/** Stands for a stored file where a file of this device is expected. It has no content here, and is never uploaded. */
export function fileOfDrive(uuid: string, name: string): File {
  const file = new File([], name)
  uploaded.set(file, uuid)
  return file
}

/** The server does not store files without content. */
export const isEmptyFile = (file: File): boolean => file.size === 0 && !uploaded.has(file)
export const emptyFile = () => new Problem(400, { type: '#empty_file' })

/** Uploads a file to the drive of the account in parts, and returns its uuid. The signal ends the upload. */
export async function upload(
  file: File,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<string> {
  const known = uploaded.get(file)
  if (known) {
    onProgress(1)
    return known
  }
  if (isEmptyFile(file)) throw emptyFile()
  const draft = {
    file_name: file.name,
    file_size: file.size,
    content_type: file.type || null,
    with_preview: true,
  }
  if (signal?.aborted) throw new Cancelled()
  const session = await dataOf(api.POST('/web/drive/v1.0/sessions', { body: draft }))
  let url = session.upload_url
  for (let start = 0; ; start += session.max_part_size) {
    const end = Math.min(start + session.max_part_size, file.size)
    const part = file.slice(start, end, 'application/octet-stream')
    const stored = await sendPart(url, part, signal).catch((error: unknown) => {
      if (signal?.aborted) endUpload(url)
      throw error
    })
    onProgress(end / file.size)
    if ('uuid' in stored) {
      uploaded.set(file, stored.uuid)
      return stored.uuid
    }
    url = stored.next_url
  }
}

/** Sends a part, and again if that can help: the server recognizes a part that it has already. */
async function sendPart(url: string, part: Blob, signal: AbortSignal | undefined) {
  for (let failures = 0; ; failures++)
    try {
      return await dataOf(
        api.POST('/web/drive/v1.0/sessions/upload/{token}/{start}', {
          params: { path: partOf(url) },
          ...fileBody(part),
          ...(signal && { signal }),
        }),
      )
    } catch (error) {
      if (!retry(failures, error as Error)) throw error
      const seconds = (error instanceof Problem && error.retryAfter) || 1
      await new Promise((resume) => setTimeout(resume, seconds * 1_000))
    }
}

/** Gives the space of an upload back. If that fails, the server does it after a day. */
const endUpload = (url: string) =>
  api
    .DELETE('/web/drive/v1.0/sessions/upload/{token}/{start}', { params: { path: partOf(url) } })
    .catch(() => {})

/**
 * The server returns the address of each part, which ends in the token of the upload and the first byte of the part.
 */
function partOf(url: string) {
  const [token = '', start] = new URL(url).pathname.split('/').slice(-2)
  return { token, start: Number(start) }
}

const fileOf = batchIds(
  (uuids: string[]) =>
    readRows(
      api.GET('/web/drive/v1.0/files', {
        params: { query: { 'filter[uuid]': uuids, limit: uuids.length } },
      }),
      ({ files }) => files,
    ),
  ({ uuid }) => uuid,
)

/** A file of the drive with its previews; null if it was deleted. Its links expire. */
export const fileOptions = (uuid: string) =>
  queryOptions({ queryKey: ['file', uuid], queryFn: () => fileOf(uuid), staleTime: 600_000 })

/** The download address of a file. */
export const downloadOf = (file_uuid: string) =>
  `/web/drive/v1.0/files/${encodeURIComponent(file_uuid)}/download`
