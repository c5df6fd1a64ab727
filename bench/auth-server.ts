import type { Databases } from './databases.ts'
import type { Program } from './programs.ts'
import { exchange, type Keys, makeCodes, openAccount, startServer } from './server.ts'

/** The real program, with everything that is necessary to call its token endpoint. */
export interface AuthServer {
  program: Program
  keys: Keys
  access_token: string
  /** The first refresh token of each family. */
  refresh_tokens: string[]
  codes: string[]
}

export function startAuthServer(
  databases: Databases,
  amounts: { families: number; codes: number },
): Promise<AuthServer> {
  return startServer(databases, async (ctx) => {
    const { actor, keys } = await openAccount(ctx)
    const sets = []
    for (const code of await makeCodes(ctx, actor, keys.client_id, amounts.families + 1))
      sets.push(await exchange(ctx, keys, code))
    const [bearer, ...chains] = sets
    return {
      keys,
      access_token: bearer?.access_token as string,
      refresh_tokens: chains.map(({ refresh_token }) => refresh_token),
      codes: await makeCodes(ctx, actor, keys.client_id, amounts.codes),
    }
  })
}
