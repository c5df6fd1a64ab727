import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import {
  type AskedRequest,
  explain,
  type Finding,
  firstDifference,
  type Subject,
  sentencesOf,
} from './explain.ts'
import { knownSecrets } from './known-secrets.ts'
import { type Mistake, sentenceOf } from './mistake-types.ts'
import { recordedRequest } from './recorded-request.ts'
import { askedOf } from './refused-signature.ts'
import { samplesOf } from './samples.ts'
import { type CheckedRequest, LARGEST_BODY, type SignatureCheck } from './schemas.ts'
import { Budget } from './search.ts'

/** About a tenth of a second of a processor. */
const UNITS = 100_000_000
/** Of a text, so many bytes are shown, and of its first difference so many around it. */
const SHOWN = 16_384
const AROUND = { before: 24, after: 40 }

/**
 * Checks the signature of a request of an account, pasted or from its request log. Throws Refusal('invalid') if there is
 * nothing to check, 'not_found' for an unknown request, channel or webhook, and 'too_many'.
 */
export async function checkSignature(
  ctx: Context,
  account_id: number,
  checked: CheckedRequest,
): Promise<SignatureCheck> {
  await ctx.limits.take('signature_check', String(account_id))
  const recorded =
    checked.request === undefined ? null : await recordedRequest(ctx, account_id, checked.request)
  const request = requestOf(checked, recorded?.request ?? null)
  const { subject, chosen } = subjectOf(checked, request, recorded?.subject ?? null)
  if (recorded && !hasSignature(checked))
    return checkOf({ ...recorded.finding, ...expectedOf(subject, request, recorded) })
  if (recorded && !recorded.is_whole && !hasBody(checked))
    throw invalid(
      'body',
      'FieldMissing',
      'The log does not have the whole body of this request: paste it here.',
    )
  const secrets = await knownSecrets(ctx, account_id, subject, chosen)
  return checkOf(explain(request, subject, secrets, ctx.clock(), new Budget(UNITS)))
}

const hasBody = ({ body, body_base64 }: CheckedRequest) => body !== undefined || body_base64 !== undefined

const hasSignature = ({ headers = {} }: CheckedRequest): boolean =>
  Object.keys(headers).some((name) => /^(x|webhook)-signature$/i.test(name))

function requestOf(checked: CheckedRequest, recorded: AskedRequest | null): AskedRequest {
  const { method, url, headers = {}, body = '', body_base64 } = checked
  if (!recorded && url === undefined && Object.keys(headers).length === 0)
    throw invalid(
      'url',
      'FieldMissing',
      'This field is missing: give the request, or the id of a recorded one.',
    )
  const bytes = body_base64 === undefined ? Buffer.from(body) : Buffer.from(body_base64, 'base64')
  if (bytes.length > LARGEST_BODY)
    throw invalid(
      'body',
      'TooLong',
      `The body has ${bytes.length} bytes, and at most ${LARGEST_BODY} are checked.`,
    )
  const address = url === undefined ? undefined : addressOf(url)
  const given = askedOf({ method: method ?? 'POST', url: '', headers, body: bytes }).headers
  return {
    method: method ?? recorded?.method ?? 'POST',
    url: address?.url ?? recorded?.url ?? '',
    headers: { ...(address?.host && { host: address.host }), ...recorded?.headers, ...given },
    body: hasBody(checked) || !recorded ? bytes : recorded.body,
  }
}

/** The path and the query of an address, and its host if it has one. */
function addressOf(text: string): { url: string; host?: string } {
  const [, host, url] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(text) ?? []
  return host === undefined ? { url: text } : { url: url || '/', host }
}

const CHAT = /^\/v2\/origin\/custom\/([0-9a-f-]{36})(?:[_/?]|$)/

function subjectOf(
  { channel_id, webhook_id }: CheckedRequest,
  { url, headers }: AskedRequest,
  recorded: Subject | null,
): { subject: Subject; chosen: string | null } {
  const channel = channel_id ?? CHAT.exec(url)?.[1] ?? null
  if (webhook_id !== undefined) return { subject: 'webhook', chosen: String(webhook_id) }
  const client = new URLSearchParams(url.split('?')[1] ?? '').get('client_uuid')
  if (recorded === 'disable_hook' || (client !== null && url.includes('signature=')))
    return { subject: 'disable_hook', chosen: client }
  if (url.startsWith('/v2/origin/custom')) return { subject: 'chat', chosen: channel }
  if (recorded === 'webhook' || (headers['webhook-signature'] !== undefined && channel === null))
    return { subject: 'webhook', chosen: null }
  return { subject: 'callback', chosen: channel }
}

/** The text to sign of a recorded request, if its body is there. */
function expectedOf(
  subject: Subject,
  request: AskedRequest,
  { is_whole, now, finding }: { is_whole: boolean; now: number; finding: { recipe: Finding['recipe'] } },
): Pick<Finding, 'expected'> & { has_text: boolean } {
  const { expected, recipe } = explain(request, subject, [], now, new Budget(0))
  return { expected, has_text: is_whole && recipe === finding.recipe }
}

function checkOf(finding: Finding & { has_text?: boolean }): SignatureCheck {
  const {
    holds,
    recipe,
    is_explained,
    is_complete,
    tried,
    owner,
    expected,
    signed,
    has_text = true,
  } = finding
  const at = signed && firstDifference(expected, signed)
  return {
    holds,
    sentence: sentencesOf(finding),
    recipe,
    mistakes: finding.mistakes.map(shownMistake),
    others: finding.others.map((list) => list.map(shownMistake)),
    is_explained,
    is_complete,
    tried,
    owner,
    expected: has_text ? shownText(expected) : null,
    signed: signed && shownText(signed),
    difference:
      at === null ? null : { at, expected: around(expected, at), signed: around(signed as Buffer, at) },
    samples: samplesOf(recipe),
  }
}

const shownMistake = (mistake: Mistake) => ({ ...mistake, sentence: sentenceOf(mistake) })

const textOf = (bytes: Buffer): string => new TextDecoder().decode(bytes)

const shownText = (bytes: Buffer) => ({
  text: textOf(bytes.subarray(0, SHOWN)),
  size: bytes.length,
  is_cut: bytes.length > SHOWN,
})

const around = (bytes: Buffer, at: number): string =>
  textOf(bytes.subarray(Math.max(0, at - AROUND.before), at + AROUND.after))
