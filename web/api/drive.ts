import type { Static } from 'typebox'
import type { NextPart, Session, File as StoredFile } from '../../src/drive/schemas.ts'
import { request } from './client.ts'

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
    const taken = await request<Taken>('POST', new URL(url, window.location.origin).pathname, part)
    onProgress(end / file.size)
    if ('uuid' in taken) {
      uploaded.set(file, taken.uuid)
      return taken.uuid
    }
    url = taken.next_url
  }
}
