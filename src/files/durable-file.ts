import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a small file (0600) that the program relies on at its next start, and makes its folder (0700) where there is
 * none. The file is whole or absent after a power loss: the bytes are flushed before the name leads to them, and the
 * folders after it. With `exclusive` an existing file is kept and EEXIST is thrown.
 */
export function writeDurably(file: string, text: string, { exclusive = false } = {}): void {
  const folder = dirname(file)
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
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

function flushFolder(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
