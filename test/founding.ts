import { commandLine } from './command-line.ts'
import { migratedDatabase, type Place } from './databases.ts'
import { hashAtFullCost } from './fast-hashing.ts'
import { newMasterKey } from './program.ts'

export interface Foundation {
  /** The settings of the future server. */
  env: Record<string, string>
  admin: { email: string; password: string }
  /** Runs a command of the program on it, with its words and options. Returns its output. */
  patchbay(...words: string[]): Promise<string>
}

/**
 * A database with the account `demo` and its administrator, created by the program's commands, for servers that tests
 * start. An empty database of the caller is migrated first. One at a time, because a command takes over the environment.
 */
export async function foundAccount(place?: Place, more: Record<string, string> = {}): Promise<Foundation> {
  const { database_url, data_dir } = place ?? (await migratedDatabase())
  const env = { DATA_DIR: data_dir, DATABASE_URL: database_url, MASTER_KEY: newMasterKey(), ...more }
  const patchbay = async (...words: string[]) => {
    const { code, stdout, stderr } = await commandLine(words, env)
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
    return stdout
  }
  hashAtFullCost()
  const email = 'ada@demo.example'
  if (place) await patchbay('migrate')
  await patchbay('account', 'create', '--subdomain', 'demo', '--name', 'Demo')
  const of = ['--account', 'demo', '--email', email, '--name', 'Ada', '--admin']
  const said = await patchbay('user', 'create', ...of)
  return { env, admin: { email, password: String(/Password: (\S+)/.exec(said)?.[1]) }, patchbay }
}
