import { ConfigError } from '../config.ts'
import type { Explanation, FamilyHistory, FamilyPage, Pair } from '../integrations/token-tools/schemas.ts'
import { askServer, ServerRefusal } from '../outbound/server-client.ts'
import { knownServer, serverOptions, unreachable } from './known-server.ts'
import { onOneLine, print } from './printable.ts'
import type { Command, Option, Options } from './run.ts'

/** Commands for the tokens of a server with test helpers. Each of them is one call of `/test_helpers/tokens`. */

const ID = 'CONSENT'
const generation: Option = { value: 'NUMBER', description: 'the number of the pair [the newest]' }
const timeout: Option = { value: 'SECONDS', description: 'how long it waits for refreshes [60]' }

const list: Command = {
  name: 'tokens list',
  summary: 'List the newest consents of an account, with the state of their tokens.',
  options: { integration: { value: 'ID', description: 'only this integration' }, ...serverOptions },
  run: async (options) => {
    const { families } = await ask<FamilyPage>(options, 'GET', '', { integration: options.integration })
    if (families.length === 0) return printLines(['The account has no such tokens.'])
    printLines(
      families.flatMap(({ id, integration, user, long_lived, newest, end }) => [
        `${id}  ${(end ? 'revoked' : (newest?.state ?? 'deleted')).padEnd(9)} ${integration.name}, for ${user.name}${long_lived ? `, ${long_lived}` : ''}`,
      ]),
    )
  },
}

const show: Command = {
  name: 'tokens show',
  summary: 'Show the pairs of a consent: when they were issued, used and ended, and by which requests.',
  operands: [ID],
  options: serverOptions,
  run: async (options, [id = '']) => {
    const { pairs, end } = await ask<FamilyHistory>(options, 'GET', placeOf(id))
    printLines([...(end ? [`ended: ${end.reason}${momentOf(end)}`] : []), ...pairs.flatMap(pairLines)])
  },
}

const explain: Command = {
  name: 'tokens explain',
  summary: 'Say what became of a token or a code, which is read from standard input.',
  options: serverOptions,
  run: async (options) => {
    let token = ''
    for await (const chunk of process.stdin) token += chunk
    if (token.trim() === '') throw new ConfigError('There is no token in standard input.')
    const { sentence, grant_id } = await ask<Explanation>(
      options,
      'POST',
      '/explain',
      {},
      { token: token.trim() },
    )
    printLines([sentence, ...(grant_id ? [`Its consent is ${grant_id}.`] : [])])
  },
}

/** A command that changes the tokens of a consent. `bodyOf` makes the body of the request from the options. */
const alteration = (
  name: string,
  summary: string,
  own: Record<string, Option>,
  bodyOf: (options: Options) => object = () => ({}),
): Command => ({
  name: `tokens ${name}`,
  summary,
  operands: [ID],
  options: { ...own, ...serverOptions },
  run: async (options, [id = '']) => {
    await ask(options, 'POST', `${placeOf(id)}/${name.replace('-', '_')}`, {}, bodyOf(options))
  },
})

export const tokenCommands: Command[] = [
  list,
  show,
  explain,
  alteration(
    'expire',
    'Let a token of a consent expire now.',
    {
      kind: { value: 'KIND', description: 'access_token or refresh_token [access_token]' },
      generation,
    },
    ({ kind = 'access_token', ...options }) => ({ token: kind, ...numberOf(options, 'generation') }),
  ),
  alteration(
    'age',
    'Make a pair of tokens older.',
    { by: { value: 'SPAN', description: 'day or three_months [day]' }, generation },
    ({ by = 'day', ...options }) => ({ by, ...numberOf(options, 'generation') }),
  ),
  alteration('revoke', 'Revoke all tokens of a consent.', {}),
  alteration(
    'lose-answer',
    'Lose the answer to the next refresh, after the new pair was stored.',
    { timeout },
    (options) => numberOf(options, 'timeout'),
  ),
  alteration('race', 'Let the next two refreshes happen at the same time.', { timeout }, (options) =>
    numberOf(options, 'timeout'),
  ),
]

function numberOf(options: Options, name: string): object {
  const text = options[name]
  if (text === undefined) return {}
  if (!/^\d{1,9}$/.test(text)) throw new ConfigError(`--${name} is not a number: ${text}`)
  return { [name]: Number(text) }
}

/** The address of a consent. Throws ConfigError if this cannot be the id of one. */
function placeOf(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id))
    throw new ConfigError(`${ID} is not the id of a consent, as "patchbay tokens list" shows it: ${id}`)
  return `/${id}`
}

async function ask<T>(
  options: Options,
  method: string,
  path: string,
  query: Record<string, string | undefined> = {},
  body?: object,
): Promise<T> {
  const server = knownServer(options)
  const named = Object.entries({ ...query, account: server.account }).filter(
    ([, value]) => value !== undefined,
  )
  const search = new URLSearchParams(named as [string, string][]).toString()
  try {
    return await askServer<T>(server, method, `/test_helpers/tokens${path}${search && `?${search}`}`, body)
  } catch (error) {
    if (error instanceof ServerRefusal) throw new ConfigError(error.message)
    if (error instanceof TypeError) throw new ConfigError(unreachable(server, error))
    throw error
  }
}

const printLines = (lines: string[]): void => print(`${lines.map(onOneLine).join('\n')}\n`)

const timeOf = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z')

type Moment = { at: number | null; request_id: string | null }
const momentOf = ({ at, request_id }: Moment): string =>
  `${at === null ? '' : ` at ${timeOf(at)}`}${request_id ? ` by request ${request_id}` : ''}`

function pairLines(pair: Pair): string[] {
  const { generation: number, state, issued_at, issued_request_id, first_use, last_use } = pair
  const token = (name: string, of: Pair['access_token'] | null) =>
    of
      ? [
          `  ${name} ${of.end ? `${of.end.reason}${momentOf(of.end)}` : `valid until ${timeOf(of.expires_at)}`}`,
        ]
      : []
  return [
    `pair ${number}  ${state}`,
    `  issued       ${momentOf({ at: issued_at, request_id: issued_request_id })}`,
    ...(first_use ? [`  first used   ${momentOf(first_use)}`] : []),
    ...(last_use ? [`  last used    ${momentOf(last_use)}`] : []),
    ...token('access token ', pair.access_token),
    ...token('refresh token', pair.refresh_token),
  ]
}
