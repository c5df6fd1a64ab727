import { type RegisteredChannel, signatureOf, signedAnew } from '../fixtures/chats.ts'
import type { Plan, Sent } from './requests.ts'

/** Fifteen minutes and one second, after which a signature expires. */
const TOO_LONG_MS = 901_000

/** Ways to invalidate a signature. */
const forgeries: readonly ((headers: Record<string, string>) => Record<string, string | undefined>)[] = [
  () => ({ 'x-signature': undefined }),
  () => ({ 'x-signature': 'none' }),
  (headers) => ({ 'x-signature': String(headers['x-signature']).toUpperCase() }),
  (headers) => ({ 'x-signature': String(headers['x-signature']).slice(1) }),
  () => ({ 'x-signature': signatureOf('another secret', '') }),
  () => ({ date: 'yesterday', 'content-md5': '0'.repeat(32) }),
]

const isSigned = ({ operation }: Plan): boolean => operation.security.some((one) => 'signature' in one)

/** Whether the request has a wrong signature for its channel. */
export const isForged = (plan: Plan): boolean => plan.variant === 'stranger' && isSigned(plan)

/**
 * Signs the request as the provider of its channel, with either protocol. A stranger's signature is wrong. Requests for
 * unknown channels are signed for the first one.
 */
export function signedBy(channels: readonly RegisteredChannel[], now: number, sent: Sent, plan: Plan): Sent {
  if (!isSigned(plan)) return sent
  const { method, url, payload, headers } = sent
  const path = url.split('?', 1)[0] as string
  const { secret } = channels.find(({ id }) => path.includes(id)) ?? (channels[0] as RegisteredChannel)
  const body = String(payload ?? '')
  const isBytes = typeof payload === 'object'
  const isOld = body !== '' && (isBytes || plan.choice % 2 === 0)
  const date = new Date(plan.variant === 'key' && plan.choice % 7 === 0 ? now - TOO_LONG_MS : now)
  const type = headers['content-type'] ?? (payload === undefined ? 'application/json' : '')
  const signature: Record<string, string> = isOld
    ? { 'x-signature': signatureOf(secret, payload ?? '') }
    : signedAnew(secret, { method, path, body, date, type })
  const forged = isForged(plan) ? forgeries[plan.choice % forgeries.length]?.(signature) : undefined
  const all = Object.entries({ ...headers, ...signature, ...forged, authorization: undefined })
  const given = all.flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []))
  return { ...sent, headers: Object.fromEntries(given) }
}
