import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { commandLine } from './command-line.ts'
import { dropDatabase, freshDatabase, kindOfRun } from './databases.ts'
import { hashAtFullCost } from './fast-hashing.ts'
import { newMasterKey } from './program.ts'
import { scratch } from './scratch.ts'

export interface Foundation {
  /** The settings of the future server. */
  env: Record<string, string>
  admin: { email: string; password: string }
}

/**
 * A database with the account `demo` and its administrator, created by the program's commands, for servers that tests
 * start.
 */
export async function foundAccount(): Promise<Foundation> {
  const folder = mkdtempSync(join(scratch, 'patchbay-founded-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const database_url = await freshDatabase(folder, kindOfRun())
  onTestFinished(() => dropDatabase(database_url))
  const env = { DATA_DIR: folder, DATABASE_URL: database_url, MASTER_KEY: newMasterKey() }
  const patchbay = async (words: string) => {
    const { code, stdout, stderr } = await commandLine(words.split(' '), env)
    if (code !== 0) throw new Error(`${words}: ${stderr}`)
    return stdout
  }
  hashAtFullCost()
  const email = 'ada@demo.example'
  await patchbay('account create --subdomain demo --name Demo')
  const said = await patchbay(`user create --account demo --email ${email} --name Ada --admin`)
  return { env, admin: { email, password: String(/Password: (\S+)/.exec(said)?.[1]) } }
}
