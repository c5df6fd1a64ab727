import ipaddr from 'ipaddr.js'
import { Refusal } from '../errors.ts'

/** A token bucket: `burst` requests at once, and `per_second` more with time. */
export interface Rate {
  burst: number
  per_second: number
}

/**
 * All rate limits (V10). Each process keeps its own buckets. A caller cannot use up the bucket of another one: a request
 * takes from the bucket of a client, a channel or a link after it has proved the secret, the signature or the link, and a
 * failure takes from the bucket of the address or network that it came from.
 */
export const rates = {
  /** v4, by integration and account. */
  api: { burst: 40, per_second: 20 },
  /** v4, by account. */
  account: { burst: 200, per_second: 100 },
  /** The token endpoint, by client that has proved its secret. */
  token: { burst: 20, per_second: 10 },
  /** Token requests with a wrong secret, by network and client. */
  token_failure: { burst: 5, per_second: 5 / 60 },
  /** Requests without a valid token, secret or signature, by address. */
  stranger: { burst: 40, per_second: 20 },
  /** Requests that a chat channel has signed, by channel. */
  push: { burst: 500, per_second: 100 },
  /** Consent pages, by session. */
  consent: { burst: 10, per_second: 10 / 60 },
  /** Wrong passwords, by known browser, by session, or by person and network; by person; by network. */
  sign_in: { burst: 10, per_second: 10 / 900 },
  sign_in_person: { burst: 100, per_second: 100 / 3600 },
  sign_in_network: { burst: 60, per_second: 60 / 3600 },
  /**
   * Short links and the visitor pixel, by network. Surveys and links to files, by network too where they lead nowhere;
   * the others by network and survey, or by network and the account of the file.
   */
  visitor: { burst: 100, per_second: 10 },
  /** What is recorded of one short link or of one visitor. */
  visitor_record: { burst: 20, per_second: 20 / 3600 },
} as const satisfies Record<string, Rate>

export interface Limiter {
  /** Takes one from the key's bucket. Throws Refusal('too_many') with the seconds to wait when it is empty. */
  take(rate: keyof typeof rates, key: string): void
  /** Throws as `take` does when the bucket is empty, and takes nothing. */
  check(rate: keyof typeof rates, key: string): void
  /** Takes one where there is one, and says whether there was. */
  allows(rate: keyof typeof rates, key: string): boolean
}

interface Bucket {
  left: number
  at: number
}

/** What sums of fractions lose: whoever waited as long as he was told is not refused for it. */
const ROUNDING = 1e-6

/**
 * Keys that are remembered for each rate, in two halves: what is used moves to the young one, and when that is full the
 * old one is forgotten, which only helps those in it. To drop one key at a time costs V8's map a walk over all it has dropped.
 */
const KEPT = 100_000

interface Halves {
  young: Map<string, Bucket>
  old: Map<string, Bucket>
}

export function createLimiter(clock: () => number, enabled: boolean): Limiter {
  if (!enabled) return { take: () => {}, check: () => {}, allows: () => true }
  const all = Object.fromEntries(
    Object.keys(rates).map((name): [string, Halves] => [name, { young: new Map(), old: new Map() }]),
  )

  const look = (name: keyof typeof rates, key: string): Bucket => {
    const halves = all[name] as Halves
    const { burst, per_second } = rates[name]
    const now = clock()
    const bucket = halves.young.get(key) ?? halves.old.get(key) ?? { left: burst, at: now }
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * per_second)
    bucket.at = now
    halves.young.set(key, bucket)
    if (halves.young.size >= KEPT / 2) all[name] = { young: new Map(), old: halves.young }
    return bucket
  }
  const isEmpty = ({ left }: Bucket): boolean => left < 1 - ROUNDING
  const filled = (name: keyof typeof rates, key: string): Bucket => {
    const bucket = look(name, key)
    if (isEmpty(bucket)) throw tooMany((1 - bucket.left) / rates[name].per_second)
    return bucket
  }
  return {
    take: (name, key) => {
      filled(name, key).left -= 1
    },
    check: (name, key) => {
      filled(name, key)
    },
    allows: (name, key) => {
      const bucket = look(name, key)
      if (isEmpty(bucket)) return false
      bucket.left -= 1
      return true
    },
  }
}

function tooMany(seconds: number): Refusal {
  return new Refusal(
    'too_many',
    'You have sent too many requests in a given amount of time. Please try again later.',
    { retry_after: Math.max(1, Math.ceil(seconds - ROUNDING)) },
  )
}

/** The network of an address: guesses come from many addresses of one network (IPv4 /24, IPv6 /64). */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.octets.slice(0, 3).join('.')
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
