import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Far more than a whole run needs. */
const ROOM = 4 * 2 ** 30

/**
 * The folder of test databases: in memory if the machine has a memory file system with space, because each test creates
 * a database of hundreds of files. Data in it survives a killed process as well.
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
