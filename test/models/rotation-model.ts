import fc from 'fast-check'
import { refreshExpiry } from '../../src/integrations/registry/lifetimes.ts'

/** Issues token pairs: the server, or a wrong implementation that the model must detect. */
export interface Authority {
  first(): Promise<Pair>
  /** The pair, or null if the refresh token is refused. */
  refresh(refresh_token: string): Promise<Pair | null>
  /** Whether the access token is accepted by the API. */
  use(access_token: string): Promise<boolean>
  revoke(): Promise<void>
  advance(seconds: number): void
}

export interface Pair {
  access_token: string
  refresh_token: string
}

interface Generation extends Pair {
  issued_at: number
  /** The creation time of the access token, later than `issued_at` if the first one expired unused. */
  access_issued_at: number
  used: boolean
}

const generationOf = (pair: Pair, now: number): Generation => ({
  ...pair,
  issued_at: now,
  access_issued_at: now,
  used: false,
})

const ACCESS_SECONDS = 86_400

/** The rule of A6 in its simplest form. */
class Family {
  readonly pairs: Generation[] = []
  now = 0
  revoked = false

  accepts(n: number): boolean {
    const pair = this.pairs[n] as Generation
    if (this.revoked || this.now >= refreshExpiry(pair.issued_at)) return false
    return n === this.newest || (n === this.newest - 1 && !this.pairs[this.newest]?.used)
  }

  hasEnded({ access_issued_at }: Generation): boolean {
    return this.now >= access_issued_at + ACCESS_SECONDS
  }

  get newest(): number {
    return this.pairs.length - 1
  }
}

type Command = fc.AsyncCommand<Family, Authority>

class Refresh implements Command {
  readonly back: number
  constructor(back: number) {
    this.back = back
  }
  check = () => true
  async run(family: Family, authority: Authority): Promise<void> {
    const n = Math.max(0, family.newest - this.back)
    const parent = family.pairs[n] as Generation
    const expected = family.accepts(n)
    const pair = await authority.refresh(parent.refresh_token)
    if ((pair !== null) !== expected)
      throw new Error(`generation ${n} of ${family.newest}: accepted ${pair !== null}`)
    if (!pair) return
    if (n === family.newest) {
      parent.used = true
      family.pairs.push(generationOf(pair, family.now))
      if (family.pairs.slice(0, -1).some(({ refresh_token }) => refresh_token === pair.refresh_token))
        throw new Error('an old pair again')
    } else {
      const child = family.pairs[n + 1] as Generation
      if (child.refresh_token !== pair.refresh_token) throw new Error('two children')
      const isOver = family.hasEnded(child)
      if ((child.access_token !== pair.access_token) !== isOver)
        throw new Error(`the access token had ended: ${isOver}, and was renewed: ${!isOver}`)
      if (isOver) {
        child.access_token = pair.access_token
        child.access_issued_at = family.now
      }
    }
    const accepted = family.pairs.filter((_pair, i) => family.accepts(i))
    if (accepted.length > 2) throw new Error('more than two refresh tokens')
  }
  toString = () => `refresh(-${this.back})`
}

class Use implements Command {
  readonly back: number
  constructor(back: number) {
    this.back = back
  }
  check = () => true
  async run(family: Family, authority: Authority): Promise<void> {
    const pair = family.pairs[Math.max(0, family.newest - this.back)] as Generation
    const expected = !family.revoked && !family.hasEnded(pair)
    if ((await authority.use(pair.access_token)) !== expected)
      throw new Error(`the access token was accepted: ${!expected}`)
    if (expected) pair.used = true
  }
  toString = () => `use(-${this.back})`
}

/** A careful client that loses an answer. It repeats the request with its stored token and is never locked out (A6). */
class LoseAnswers implements Command {
  readonly times: number
  constructor(times: number) {
    this.times = times
  }
  check = (family: Readonly<Family>) => family.accepts(family.newest)
  async run(family: Family, authority: Authority): Promise<void> {
    const stored = family.pairs[family.newest] as Generation
    stored.used = true
    for (let i = 0; i < this.times; i++) {
      if (!(await authority.refresh(stored.refresh_token))) throw new Error('locked out after a lost answer')
    }
    const pair = await authority.refresh(stored.refresh_token)
    if (!pair) throw new Error('locked out after lost answers')
    family.pairs.push(generationOf(pair, family.now))
  }
  toString = () => `lose(${this.times})`
}

class Advance implements Command {
  readonly seconds: number
  constructor(seconds: number) {
    this.seconds = seconds
  }
  check = () => true
  async run(family: Family, authority: Authority): Promise<void> {
    family.now += this.seconds
    authority.advance(this.seconds)
  }
  toString = () => `advance(${this.seconds})`
}

class Revoke implements Command {
  check = () => true
  async run(family: Family, authority: Authority): Promise<void> {
    family.revoked = true
    await authority.revoke()
  }
  toString = () => 'revoke'
}

const back = fc.integer({ min: 0, max: 3 })
const commands = fc.commands(
  [
    back.map((n) => new Refresh(n)),
    back.map((n) => new Refresh(n)),
    back.map((n) => new Use(n)),
    fc.integer({ min: 1, max: 3 }).map((n) => new LoseAnswers(n)),
    fc
      .constantFrom(1, 3_600, ACCESS_SECONDS - 1, ACCESS_SECONDS, 45 * 86_400, 92 * 86_400)
      .map((n) => new Advance(n)),
    fc.constant(new Revoke()),
  ],
  { maxCommands: 40 },
)

/**
 * Runs generated histories against an authority, each with a new family. Throws with the smallest history that differs.
 */
export async function checkRotation(
  start: (now: number) => Promise<{ authority: Authority; now: number }>,
  numRuns: number,
  seed: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(commands, async (history) => {
      const { authority, now } = await start(0)
      const family = new Family()
      family.now = now
      family.pairs.push(generationOf(await authority.first(), now))
      await fc.asyncModelRun(() => ({ model: family, real: authority }), history)
    }),
    { numRuns, seed, endOnFailure: false },
  )
}
