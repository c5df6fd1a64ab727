import { Refusal } from '../errors.ts'

/** A token bucket: `burst` requests at once, and `per_second` more with time. */
export interface Rate {
  burst: number
  per_second: number
}

/** Every limit on requests, in one place; the README's table is this one (V10). Buckets are kept by each process. */
export const rates = {
  /** v4, by integration and account. */
  api: { burst: 40, per_second: 20 },
  /** v4, by account. */
  account: { burst: 200, per_second: 100 },
  /** The token endpoint, by client. */
  token: { burst: 20, per_second: 10 },
  /** Token requests with a wrong secret, by address and client. */
  token_failure: { burst: 5, per_second: 5 / 60 },
  /** Requests without a valid token, by address. */
  stranger: { burst: 40, per_second: 20 },
  /** Consent pages, by session. */
  consent: { burst: 10, per_second: 10 / 60 },
  /** Sign-in, by person and network; by person; by network. */
  sign_in: { burst: 10, per_second: 10 / 900 },
  sign_in_person: { burst: 100, per_second: 100 / 3600 },
  sign_in_network: { burst: 60, per_second: 60 / 3600 },
} as const satisfies Record<string, Rate>

export interface Limiter {
  /** Takes one from the key's bucket. Throws Refusal('too_many') with the seconds to wait when it is empty. */
  take(rate: keyof typeof rates, key: string): void
  /** Throws as `take` does when the bucket is empty, and takes nothing. */
  check(rate: keyof typeof rates, key: string): void
}

interface Bucket {
  left: number
  at: number
}

/** Keys that are remembered for each rate. Past that the longest unused are forgotten, which only helps them. */
const KEPT = 100_000

export function createLimiter(clock: () => number, enabled: boolean): Limiter {
  if (!enabled) return { take: () => {}, check: () => {} }
  const all = Object.fromEntries(Object.keys(rates).map((name) => [name, new Map<string, Bucket>()]))

  const look = (name: keyof typeof rates, key: string): Bucket => {
    const buckets = all[name] as Map<string, Bucket>
    const { burst, per_second } = rates[name]
    const now = clock()
    const bucket = buckets.get(key) ?? { left: burst, at: now }
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, now - bucket.at) / 1000) * per_second)
    bucket.at = now
    // Put at the end: the map's order is then that of the last use.
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > KEPT) buckets.delete(buckets.keys().next().value as string)
    if (bucket.left < 1) throw tooMany((1 - bucket.left) / per_second)
    return bucket
  }
  return {
    take: (name, key) => {
      look(name, key).left -= 1
    },
    check: (name, key) => {
      look(name, key)
    },
  }
}

function tooMany(seconds: number): Refusal {
  return new Refusal(
    'too_many',
    'You have sent too many requests in a given amount of time. Please try again later.',
    { retry_after: Math.max(1, Math.ceil(seconds)) },
  )
}

/** The network of an address: guesses come from many addresses of one network (IPv4 /24, IPv6 /64). */
export function networkOf(address: string): string {
  const ipv4 = address.startsWith('::ffff:') ? address.slice(7) : address
  return ipv4.includes(':') ? ipv4.split(':').slice(0, 4).join(':') : ipv4.split('.').slice(0, 3).join('.')
}
