import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { NextPart, Session, File as StoredFile } from '../../src/drive/schemas.ts'
import { batchIds } from '../api/batch-ids.ts'
import { query, request } from '../api/client.ts'

export type { StoredFile }

type Taken = Static<typeof NextPart> | StoredFile

/** A file that was uploaded is not uploaded again while the page is open. */
const uploaded = new WeakMap<File, string>()

/** Uploads a file to the account's drive, part by part; the answer is its uuid. */
export async function upload(file: File, onProgress: (share: number) => void): Promise<string> {
  const known = uploaded.get(file)
  if (known) return known
  const session = await request<Static<typeof Session>>('POST', '/web/drive/v1.0/sessions', {
    file_name: file.name,
    file_size: file.size,
    content_type: file.type || null,
    with_preview: true,
  })
  let url = session.upload_url
  for (let start = 0; ; start += session.max_part_size) {
    const end = Math.min(start + session.max_part_size, file.size)
    const part = file.slice(start, end, 'application/octet-stream')
    const taken = await request<Taken>('POST', new URL(url, 'http://anywhere').pathname, part)
    onProgress(end / file.size)
    if ('uuid' in taken) {
      uploaded.set(file, taken.uuid)
      return taken.uuid
    }
    url = taken.next_url
  }
}

const fileOf = batchIds(
  async (uuids: string[]) => {
    const filter = Object.fromEntries(uuids.map((uuid, i) => [`filter[uuid][${i}]`, uuid]))
    const page = await request<{ _embedded: { files: StoredFile[] } }>(
      'GET',
      `/web/drive/v1.0/files${query({ ...filter, limit: uuids.length })}`,
    )
    return page._embedded.files
  },
  ({ uuid }) => uuid,
)

/** A file of the drive, with its previews; null when it was deleted. Its links work for a time only. */
export const fileOptions = (uuid: string) =>
  queryOptions({ queryKey: ['file', uuid], queryFn: () => fileOf(uuid), staleTime: 600_000 })

/** Where a file of the drive is fetched. */
export const downloadOf = (file_uuid: string) =>
  `/web/drive/v1.0/files/${encodeURIComponent(file_uuid)}/download`
