import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createFolder } from '../folders.ts'

/**
 * Writes a small file (mode 0600) that the next start needs, and creates its folder (mode 0700) if it is missing. After
 * a power loss, the file is complete or absent: its bytes are flushed before the rename, and its folders after it. With
 * `exclusive`, keeps an existing file and throws EEXIST.
 */
export function writeDurably(file: string, text: string, { exclusive = false } = {}): void {
  const folder = dirname(file)
  const made = createFolder(folder)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    if (exclusive) linkSync(draft, file)
    else renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  const last = made === undefined ? folder : dirname(made)
  for (let path = folder; ; path = dirname(path)) {
    flushFolder(path)
    if (path === last) return
  }
}

/** Makes the names in a folder survive a power loss. */
export function flushFolder(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
