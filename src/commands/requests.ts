import { setTimeout as sleep } from 'node:timers/promises'
import { onlyAccountId } from '../accounts/accounts.ts'
import { ConfigError } from '../config.ts'
import type { Context } from '../context.ts'
import { namesOfIntegrations } from '../integrations/integrations.ts'
import {
  clearRequests,
  type Filter,
  type Found,
  readRequest,
  requestLogOf,
  searchRequests,
  WHOLE,
} from '../request-log/request-log.ts'
import { withContext } from './open.ts'
import { onOneLine, print } from './printable.ts'
import type { Command, Options } from './run.ts'
import { accountNamed } from './user.ts'

const POLL_MS = 500
/** Requests that are shown at the start, and at most at once. */
const SHOWN = { first: 10, most: 1_000 }

const ACCOUNT = { value: 'SUBDOMAIN', description: 'the account, if there are several' }

const requestsTail: Command = {
  name: 'requests tail',
  summary: 'Print the recorded requests of an account as they happen, until the command is stopped.',
  options: {
    account: ACCOUNT,
    status: { value: 'STATUS', description: 'only this status or class, for example 401, 4xx or none' },
    integration: { value: 'ID', description: 'only this integration' },
    operation: { value: 'NAME', description: 'only this operation, for example leads.list' },
    direction: { value: 'WAY', description: 'in: requests to the server; out: its own attempts' },
    unread: { description: 'only requests with members that nothing reads' },
  },
  async run(options) {
    const filter = filterOf(options)
    await withContext(async (ctx) => {
      const account_id = await accountOf(ctx, options.account)
      const stop = new AbortController()
      process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort())
      process.stdout.write(`Requests of the account ${account_id}:\n`)
      await tail(ctx, account_id, filter, stop.signal)
    })
  },
}

const requestsShow: Command = {
  name: 'requests show',
  summary: 'Print a recorded request with its answer.',
  operands: ['ID'],
  options: { account: ACCOUNT },
  run: ({ account }, [id = '']) =>
    withContext(async (ctx) => {
      if (!/^[1-9]\d{0,14}$/.test(id)) throw new ConfigError(`The id of a request is a number: ${id}`)
      const found = await readRequest(ctx, await accountOf(ctx, account), Number(id), namesOfIntegrations)
      print(`${lineOf(found)}${sideOf('Request', found.request)}${sideOf('Answer', found.response)}`)
    }),
}

const requestsClear: Command = {
  name: 'requests clear',
  summary: 'Delete all recorded requests of an account.',
  options: { account: ACCOUNT },
  run: ({ account }) =>
    withContext(async (ctx) => {
      await clearRequests(ctx, await accountOf(ctx, account))
      process.stdout.write('The request log is empty.\n')
    }),
}

interface Side {
  headers: Record<string, string>
  body: string | null
  size: number
  is_cut: boolean
}

function sideOf(title: string, { headers, body, size, is_cut }: Side): string {
  const lines = Object.entries(headers).map(([name, value]) => `  ${onOneLine(`${name}: ${value}`)}\n`)
  const text = body === null ? (size > 0 ? `  (${size} bytes, not kept)\n` : '') : `\n${body}\n`
  return `\n${title}\n${lines.join('')}${text}${is_cut ? `  (cut: the whole body has ${size} bytes)\n` : ''}`
}

/** The account of this subdomain, or the only one of the server. */
export async function accountOf(ctx: Context, subdomain: string | undefined): Promise<number> {
  if (subdomain !== undefined) return (await accountNamed(ctx, subdomain)).id
  const only = await onlyAccountId(ctx.db)
  if (only === undefined) throw new ConfigError('--account is missing: the server has several accounts.')
  return only
}

function filterOf({ status, integration, operation, direction, unread }: Options): Filter {
  if (status !== undefined && !/^([1-5](xx|\d\d)|none)$/.test(status))
    throw new ConfigError(`--status is neither a status nor a class such as 4xx: ${status}`)
  if (direction !== undefined && direction !== 'in' && direction !== 'out')
    throw new ConfigError(`--direction is neither in nor out: ${direction}`)
  return {
    status: status === undefined ? undefined : status === 'none' ? 0 : Number(status.replace('xx', '')),
    integration_id: integration,
    operation,
    direction,
    only_unread: unread !== undefined,
  }
}

async function tail(ctx: Context, account_id: number, filter: Filter, signal: AbortSignal): Promise<void> {
  const { store } = requestLogOf(ctx)
  const [any] = await searchRequests(store, account_id, {}, WHOLE, 1)
  if (!any) process.stdout.write(NONE)
  let after = 0
  let most = SHOWN.first
  while (!signal.aborted) {
    const found = await searchRequests(store, account_id, filter, { ...WHOLE, after }, most)
    for (const one of found.toReversed()) print(lineOf(one))
    after = found[0]?.id ?? after
    most = SHOWN.most
    await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}

const NONE =
  'The log has none yet. If the server runs with "serve", an administrator turns it on: Developers → Requests → Settings.\n'

type Listed =
  | 'id'
  | 'at'
  | 'direction'
  | 'method'
  | 'host'
  | 'path'
  | 'query'
  | 'status'
  | 'error'
  | 'duration_ms'
  | 'why'
  | 'unread'

/** One line with the id, and one for each thing that a developer should see. */
function lineOf({
  id,
  at,
  direction,
  method,
  host,
  path,
  query,
  status,
  error,
  duration_ms,
  why,
  unread,
}: Pick<Found, Listed>) {
  const address = `${direction === 'out' ? host : ''}${path}${query && `?${query}`}`
  const head = `${id} ${new Date(at).toISOString()} ${status ?? '---'} ${method} ${address} ${duration_ms} ms`
  return [
    head,
    error && `    ${error}`,
    why && `    ${why.rule}`,
    unread.length > 0 && `    nothing reads: ${unread.join(', ')}`,
  ]
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => `${onOneLine(line as string)}\n`)
    .join('')
}

export const requestCommands: Command[] = [requestsTail, requestsShow, requestsClear]
