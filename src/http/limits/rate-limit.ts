import ipaddr from 'ipaddr.js'
import { Refusal } from '../../errors.ts'

/** A token bucket: `burst` requests at once, refilled with `per_second`. */
export interface Rate {
  burst: number
  per_second: number
}

/**
 * All rate limits (V10). The processes of `WORKERS` share the buckets. A caller cannot use up another caller's bucket: a request
 * takes from the bucket of a client, channel or link only after it has verified the secret, signature or link, and a
 * failure takes from the bucket of its address or network.
 */
export const rates = {
  /** v4, by integration and account. */
  api: { burst: 40, per_second: 20 },
  /** v4, by account. */
  account: { burst: 200, per_second: 100 },
  /** Imports and bulk changes that are begun, by account: each stores up to 50,000 rows, or a file of 20 MiB. */
  job: { burst: 60, per_second: 1 },
  /** The token endpoint, by client, after its secret was verified. */
  token: { burst: 20, per_second: 10 },
  /** Token requests with a wrong secret, by network and client. */
  token_failure: { burst: 5, per_second: 5 / 60 },
  /** Requests without a valid token, secret or signature, by address. */
  stranger: { burst: 40, per_second: 20 },
  /** Signed requests of a chat channel, by channel. */
  push: { burst: 500, per_second: 100 },
  /** Refused signatures that are explained in the request log: by channel and network, and by channel. */
  explanation: { burst: 5, per_second: 5 / 60 },
  channel_explanation: { burst: 20, per_second: 20 / 60 },
  /** Signatures that developers check, by account. */
  signature_check: { burst: 20, per_second: 1 },
  /** Consent pages, by session. */
  consent: { burst: 10, per_second: 10 / 60 },
  /** Wrong passwords, by known browser, by session, or by person and network; by person; by network. */
  sign_in: { burst: 10, per_second: 10 / 900 },
  sign_in_person: { burst: 100, per_second: 100 / 3600 },
  sign_in_network: { burst: 60, per_second: 60 / 3600 },
  /**
   * Short links and the visitor pixel, by network. Surveys, forms and file links, by network if they are invalid, otherwise
   * by network and survey or form, or by network and the account of the file.
   */
  visitor: { burst: 100, per_second: 10 },
  /** Forms that are sent, by network and form. */
  site_form: { burst: 10, per_second: 10 / 600 },
  /** Records of one short link or one visitor. */
  visitor_record: { burst: 20, per_second: 20 / 3600 },
} as const satisfies Record<string, Rate>

/** A bucket: the limit, and whose it is. */
export type Budget = [rate: keyof typeof rates, key: string]

/** Each method waits if another process counts; a caller always awaits the result. */
export interface Limiter {
  /** Takes one token. Throws Refusal('too_many') with the seconds to wait if the bucket is empty. */
  take(...budget: Budget): Promise<void> | undefined
  /** Takes one token of each bucket. If one is empty, it throws like `take` and takes none. */
  takeAll(budgets: Budget[]): Promise<void> | undefined
  /** Returns tokens that were taken. */
  giveBack(budgets: Budget[]): void
  /** Takes one token if there is one, and returns whether there was. */
  allows(...budget: Budget): Promise<boolean> | boolean
}

/** Counts requests. */
export interface Buckets {
  /** Takes one token of each and returns 0; if one is empty, takes none and returns the seconds to wait. */
  take(budgets: Budget[]): number | Promise<number>
  giveBack(budgets: Budget[]): void
}

interface Bucket {
  left: number
  at: number
}

/** Rounding error of fractions. A client that waited as announced must not be refused because of it. */
const ROUNDING = 1e-6

/**
 * Keys per rate and half. A used key moves to the young half. When that is full, the old half is dropped, which refills
 * its buckets. Dropping single keys would make V8's map scan all dropped entries.
 */
const KEPT = 100_000

interface Halves {
  young: Map<string, Bucket>
  old: Map<string, Bucket>
}

/** The buckets in the memory of this process. */
export function createBuckets(clock: () => number) {
  const all = Object.fromEntries(
    Object.keys(rates).map((name): [string, Halves] => [name, { young: new Map(), old: new Map() }]),
  )

  const bucketOf = ([name, key]: Budget): Bucket => {
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
  const waitFor = (budget: Budget): number => {
    const { left } = bucketOf(budget)
    return left < 1 - ROUNDING ? (1 - left) / rates[budget[0]].per_second : 0
  }
  const add = (budgets: Budget[], tokens: number) => {
    for (const budget of budgets) bucketOf(budget).left += tokens
  }
  return {
    take: (budgets: Budget[]): number => {
      for (const budget of budgets) {
        const wait = waitFor(budget)
        if (wait > 0) return wait
      }
      add(budgets, -1)
      return 0
    },
    giveBack: (budgets: Budget[]): void => add(budgets, 1),
  } satisfies Buckets
}

/** Applies the limits, or none of them. */
export function createLimiter(buckets: Buckets, enabled: boolean): Limiter {
  if (!enabled)
    return { take: () => undefined, takeAll: () => undefined, giveBack: () => {}, allows: () => true }
  const takeAll = (budgets: Budget[]): Promise<void> | undefined => {
    const wait = buckets.take(budgets)
    return typeof wait === 'number' ? refuse(wait) : wait.then(refuse)
  }
  return {
    take: (...budget) => takeAll([budget]),
    takeAll,
    giveBack: (budgets) => buckets.giveBack(budgets),
    allows: (...budget) => {
      const wait = buckets.take([budget])
      return typeof wait === 'number' ? wait === 0 : wait.then((seconds) => seconds === 0)
    },
  }
}

function refuse(seconds: number): undefined {
  if (seconds > 0) throw tooMany(seconds)
}

function tooMany(seconds: number): Refusal {
  return new Refusal(
    'too_many',
    'You have sent too many requests in a given amount of time. Please try again later.',
    { retry_after: Math.max(1, Math.ceil(seconds - ROUNDING)) },
  )
}

/** The network of an address (IPv4 /24, IPv6 /64). Guesses come from many addresses of one network. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.octets.slice(0, 3).join('.')
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')
}
