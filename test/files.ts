import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Answer, Client } from './client.ts'

/** The address of the file service: for a session below `/web`, for a token the account's `drive_url`. */
export const driveOf = ({ identity }: Client): string => (identity.token ? '/drive' : '/web/drive')

export interface SessionDraft {
  file_name?: string
  file_size?: number
  content_type?: string
  file_uuid?: string
  with_preview?: boolean
}

/** Starts an upload and returns the path of its first part. Throws if it is refused. */
export async function openUpload(
  caller: Client,
  draft: SessionDraft & { file_size: number },
): Promise<string> {
  const answer = await caller.post(`${driveOf(caller)}/v1.0/sessions`, { file_name: 'a.txt', ...draft })
  if (answer.status !== 200) throw new Error(`not opened: ${answer.text}`)
  return pathOf(answer.body.upload_url)
}

export const pathOf = (url: string): string => new URL(url).pathname

export const sendPart = (
  caller: Client,
  path: string,
  bytes: Buffer | string,
  type: string | null = 'application/octet-stream',
): Promise<Answer> => caller.post(path, Buffer.from(bytes), { 'content-type': type ?? undefined })

/** Uploads a file in parts of this size and returns the last answer. */
export async function upload(
  caller: Client,
  content: Buffer | string,
  draft: SessionDraft = {},
  part = 524_288,
  // biome-ignore lint/suspicious/noExplicitAny: the body of the answer
): Promise<any> {
  const bytes = Buffer.from(content)
  let path = await openUpload(caller, { file_size: bytes.length, ...draft })
  for (let at = 0; ; at += part) {
    const answer = await sendPart(caller, path, bytes.subarray(at, at + part))
    if (answer.status !== 200) throw new Error(`not uploaded: ${answer.text}`)
    if (!answer.body.next_url) return answer.body
    path = pathOf(answer.body.next_url)
  }
}

/** Uploads a picture and returns the file when it has its previews, which a busy machine adds after the upload. */
export async function uploadPicture(
  caller: Client,
  content: Buffer,
  draft: SessionDraft = {},
  part?: number,
  // biome-ignore lint/suspicious/noExplicitAny: the body of the answer
): Promise<any> {
  const { uuid } = await upload(caller, content, { ...draft, with_preview: true }, part)
  const shown = async () => (await caller.get(`${driveOf(caller)}/v1.0/files/${uuid}`)).body
  await expect.poll(async () => (await shown()).previews).not.toBeNull()
  return shown()
}

/** The blobs of a world, by their paths below the folder of files. */
export function blobsIn(folder: string): string[] {
  try {
    return readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => join(parentPath, name).slice(join(folder, 'files').length + 1))
  } catch {
    return []
  }
}
