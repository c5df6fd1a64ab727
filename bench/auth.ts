import { join } from 'node:path'
import { freePort } from '../src/commands/ports.ts'
import { type AuthServer, startAuthServer } from './auth-server.ts'
import { type DatabaseName, openDatabases } from './databases.ts'
import { fill, known, openStore } from './floors/auth.ts'
import { type Caller, requestBytes } from './load.ts'
import { type Program, startProgram } from './programs.ts'
import { columnsFor, pairingColumns, type Result, type Table, tableOf } from './report.ts'
import { interleave, isChosen, type Options } from './rounds.ts'

const CONNECTIONS = 16
/** Codes are consumed, so a round ends early without them. The highest rates so far, per second. */
const CODES_A_SECOND = { floor: 10_000, ours: 5_000 }

/** Bearer calls, refreshes and exchanges, each compared with a floor: a minimal program that does the same work. */
export async function benchAuth(database: DatabaseName, options: Options): Promise<Table> {
  await using databases = await openDatabases(database)
  const seconds = options.seconds * options.rounds + 3
  const floorCodes = CODES_A_SECOND.floor * seconds
  const address = (await databases.create('floor')) || join(databases.folder, 'floor', 'floor.db')
  const store = await openStore(database, address)
  await fill(store, CONNECTIONS + 1, floorCodes * 2)
  await store.close()
  const ours = await startAuthServer(databases, {
    families: CONNECTIONS,
    codes: CODES_A_SECOND.ours * seconds,
  })
  await using server = ours.program
  const floorPort = await freePort()
  await using floor = await startProgram({
    words: [join(import.meta.dirname, 'floors/auth.ts'), String(floorPort), database, address],
    port: floorPort,
    ready: '/ready',
    output: join(databases.folder, 'floor.log'),
  })
  const results: Result[] = []
  for (const [floors, own] of works(floor, server, ours, floorCodes)) {
    if (!Object.keys(floors).some((name) => isChosen(name, options))) continue
    results.push(
      ...(await interleave(databases, floors, own, options)).map((pairing) => ({
        database: databases.version,
        ...pairing,
      })),
    )
  }
  return tableOf(columnsFor(pairingColumns, options), results)
}

function* works(floor: Program, server: Program, ours: AuthServer, floorCodes: number) {
  const at = (program: Program, callers: Caller[]) => ({ program, callers })
  yield [
    { 'GET /api/v4/account': at(floor, bearers('/account', known.access(CONNECTIONS))) },
    at(server, bearers('/api/v4/account', ours.access_token)),
  ] as const

  const tokens = '/oauth2/access_token'
  const starts = range(CONNECTIONS).map(known.refresh)
  // One chain, used alternately by the floors with and without signature.
  const chains = starts.map((token) => ({ token }))
  yield [
    {
      'token refresh': at(
        floor,
        chains.map((chain) => refresher('/refresh', chain, {})),
      ),
      'token refresh, floor signs too': at(
        floor,
        chains.map((chain) => refresher('/refresh/signed', chain, {})),
      ),
    },
    at(
      server,
      ours.refresh_tokens.map((token) => refresher(tokens, { token }, ours.keys)),
    ),
  ] as const

  const codes = range(floorCodes * 2).map(known.code)
  const [opaque, signed] = [codes.slice(0, floorCodes), codes.slice(floorCodes)]
  yield [
    {
      'code exchange': at(floor, exchangers('/exchange', opaque, {})),
      'code exchange, floor signs too': at(floor, exchangers('/exchange/signed', signed, {})),
    },
    at(server, exchangers(tokens, [...ours.codes], ours.keys)),
  ] as const
}

const range = (count: number) => Array.from({ length: count }, (_, n) => n)

function bearers(path: string, token: string): Caller[] {
  const request = requestBytes(path, { authorization: `Bearer ${token}` })
  return range(CONNECTIONS).map(() => ({ next: () => request }))
}

/** Follows one chain: each request exchanges the refresh token of the previous answer. */
function refresher(path: string, chain: { token: string }, keys: object): Caller {
  return {
    next: () => requestBytes(path, {}, { ...keys, grant_type: 'refresh_token', refresh_token: chain.token }),
    answered: (body) => {
      chain.token = JSON.parse(body).refresh_token
    },
  }
}

/** All callers take codes from one list. */
function exchangers(path: string, codes: string[], keys: object): Caller[] {
  const next = () => {
    const code = codes.pop()
    return code ? requestBytes(path, {}, { ...keys, grant_type: 'authorization_code', code }) : undefined
  }
  return range(CONNECTIONS).map(() => ({ next }))
}
