import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { namesOfIntegrations } from '../integrations/integrations.ts'
import { readRequest } from '../request-log/request-log.ts'
import type { LoggedExchange } from '../request-log/schemas.ts'
import type { AskedRequest, Finding, Subject } from './explain.ts'
import { type Mistake, mistakes } from './mistake-types.ts'
import { type RecipeId, recipes } from './recipes.ts'

/** A request of the log that is or should be signed. */
export interface RecordedRequest {
  request: AskedRequest
  subject: Subject
  /** Whether the log has every byte of its body. */
  is_whole: boolean
  /** When it was sent, in milliseconds. */
  now: number
  /** The finding from the time when it was answered. The signature itself is not stored. */
  finding: Finding
}

const subjects: Record<string, { subject: Subject; recipe: RecipeId }> = {
  chat_message: { subject: 'callback', recipe: 'chat_body' },
  chat_action: { subject: 'callback', recipe: 'chat_body' },
  chat_typing: { subject: 'callback', recipe: 'chat_body' },
  webhook: { subject: 'webhook', recipe: 'webhook' },
  disable_hook: { subject: 'disable_hook', recipe: 'disable_hook' },
}

const INVALID = 'origin_invalid_signature'
const UNCHECKED = ['origin_not_registered', 'too_many']

/** Reads a signed request of the log of an account. Throws Refusal('not_found'), and 'invalid' for one of another kind. */
export async function recordedRequest(
  ctx: Context,
  account_id: number,
  id: number,
): Promise<RecordedRequest> {
  const row = await readRequest(ctx, account_id, id, namesOfIntegrations)
  const isChat = row.direction === 'in' && row.path.startsWith('/v2/origin/custom/')
  const sent = row.direction === 'out' ? subjects[row.operation ?? ''] : undefined
  if (!isChat && !sent)
    throw invalid('request', 'InvalidFormat', 'This request is not signed: it has no signature to check.')
  if (UNCHECKED.includes(row.why?.code ?? ''))
    throw invalid('request', 'InvalidFormat', 'This request was refused before its signature was checked.')
  const body = Buffer.from(row.request.body ?? '')
  const query = row.query === '' ? '' : `?${row.query}`
  const { 'x-signature': _signature, ...headers } = row.request.headers
  return {
    request: { method: row.method, url: row.path + query, headers, body },
    subject: sent?.subject ?? 'chat',
    is_whole: body.length === row.request.size,
    now: row.at,
    finding: findingOf(row, sent?.recipe),
  }
}

function findingOf({ why, request: { headers } }: LoggedExchange, recipe: RecipeId | undefined): Finding {
  const fault = why?.code === INVALID ? (why.signature ?? null) : null
  const isNewer = headers.date !== undefined && headers['content-md5'] !== undefined
  const used = recipe ?? (isNewer ? 'chat_lines' : 'chat_body')
  return {
    holds: why?.code !== INVALID,
    recipe: fault && isRecipe(fault.recipe) ? fault.recipe : used,
    mistakes: (fault?.mistakes ?? []).filter(isKnown),
    others: [],
    is_explained: fault?.is_explained ?? why?.code !== INVALID,
    owner: null,
    expected: Buffer.alloc(0),
    signed: null,
    tried: 0,
    is_complete: false,
  }
}

const isRecipe = (id: string): id is RecipeId => Object.hasOwn(recipes, id)
const isKnown = (mistake: { id: string; detail: string | null }): mistake is Mistake =>
  Object.hasOwn(mistakes, mistake.id)
