import type { Context } from '../context.ts'
import { networkOf } from '../http/limits/rate-limit.ts'
import { RECORDED_BYTES, type SignatureFault } from '../traffic.ts'
import { type AskedRequest, explain, sentencesOf } from './explain.ts'
import { knownSecrets } from './known-secrets.ts'
import { Budget } from './search.ts'

/** A few milliseconds of a processor: strangers cause it. */
const UNITS = 8_000_000

interface RefusedRequest {
  method: string
  url: string
  headers: Readonly<Record<string, unknown>>
  body: Buffer
  address: string
}

/**
 * Explains a refused signature when the request log writes it, after the answer. A channel has few explanations a minute,
 * and each network fewer of them. Undefined if nothing is recorded, or the body is too large.
 */
export function explainRefused(
  ctx: Context,
  channel: { id: string; account_id: number },
  request: RefusedRequest,
): ((account_id: number) => Promise<SignatureFault | null>) | undefined {
  if (!ctx.traffic.isOn || request.body.length > RECORDED_BYTES) return undefined
  const now = ctx.clock()
  return async (account_id) => {
    try {
      if (!(await isAllowed(ctx, channel.id, request.address))) return null
      const secrets = await knownSecrets(ctx, channel.account_id, 'chat', channel.id)
      // Another account must not learn which other channels the owner of this one has.
      const shown = account_id === channel.account_id ? secrets : secrets.map(withoutOwner)
      const finding = explain(askedOf(request), 'chat', shown, now, new Budget(UNITS))
      const { recipe, mistakes, is_explained } = finding
      return { rule: sentencesOf(finding), recipe, mistakes: [...mistakes], is_explained }
    } catch (err) {
      ctx.log.warn({ err }, 'could not explain a refused signature')
      return null
    }
  }
}

async function isAllowed(ctx: Context, channel_id: string, address: string): Promise<boolean> {
  const key = `${channel_id} ${networkOf(address)}`
  return (
    (await ctx.limits.allows('explanation', key)) &&
    (await ctx.limits.allows('channel_explanation', channel_id))
  )
}

const withoutOwner = <T extends Awaited<ReturnType<typeof knownSecrets>>[number]>(one: T): T =>
  one.mistake?.id === 'other_secret'
    ? { ...one, mistake: { ...one.mistake, detail: 'another channel' } }
    : one

export const askedOf = ({ method, url, headers, body }: Omit<RefusedRequest, 'address'>): AskedRequest => ({
  method,
  url,
  body,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value === undefined ? undefined : String(value),
    ]),
  ),
})
