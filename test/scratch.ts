import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** What a whole run keeps at once is far below this. */
const ROOM = 4 * 2 ** 30

/**
 * Where databases of tests lie: in memory where the machine has a file system there with room, because each test makes a
 * database of hundreds of files. What a killed process has written outlives it there as well.
 */
export const scratch: string = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir()

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}
