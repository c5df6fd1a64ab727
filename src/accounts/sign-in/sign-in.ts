import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { UserRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { type Budget, networkOf } from '../../http/limits/rate-limit.ts'
import { sameText } from '../../secrets.ts'
import { recordAudit } from '../audit/audit.ts'
import { findUser, findUserByEmail, lockUser, renewPasswordHash } from '../members/people-queries.ts'
import { membershipsOf } from '../members/queries.ts'
import { hashPassword, isOutdated, NO_PASSWORD, verifyPassword } from '../passwords/passwords.ts'
import { emailOf } from '../people/new-members.ts'
import { readCookie, setCookie } from '../sessions/cookies.ts'
import { deleteSession, updateSession } from '../sessions/session-queries.ts'
import { type BrowserSession, beginSession, type Device, type StartedSession } from '../sessions/sessions.ts'

/**
 * Sign-in, and protection against password guessing (A9). Wrong guesses are counted by person, by network, and by
 * both together. Correct ones are not counted, so nobody locks themselves out by signing in. A guess is counted
 * before it is verified, and a correct one is given back: other processes verify guesses at the same time. A stranger
 * could use up a person's budget and lock them out. Therefore a browser in which the person has signed in before has a
 * device cookie, and guesses from it have their own budget. So have guesses within a session, where the password is
 * entered again.
 */
export interface SignInRequest extends Device {
  request_id: string
  cookies: string | undefined
}

export interface SignedIn extends StartedSession {
  /** The device cookie, as a Set-Cookie header. */
  set_device: string
}

const DEVICE_MEMORY = 365 * 86_400
const wrong = () => new Refusal('not_authorized', 'The e-mail or the password is wrong.')

/**
 * Starts a session for an e-mail and password, and ends the browser's previous one. On an account's own host, that
 * account is the current one; elsewhere it is the first of the person's accounts. Throws the same
 * Refusal('not_authorized') for every wrong combination, and Refusal('too_many') after too many guesses.
 */
export async function signIn(
  ctx: Context,
  { email, password }: { email: string; password: string },
  request: SignInRequest & { subdomain: string | null; previous: BrowserSession | null },
): Promise<SignedIn> {
  const user = await findUserByEmail(ctx.db, emailOf({ email }))
  const proven = await provePassword(ctx, { user, name: emailOf({ email }), password }, request)
  const { id } = proven
  const memberships = await membershipsOf(ctx.db, id)
  const { subdomain, previous } = request
  const home = memberships.find((one) => subdomain === null || one.subdomain === subdomain)
  const started = await ctx.db.transaction().execute(async (tx) => {
    // A new password has ended all sessions, also those that begin with a check of the old one.
    if ((await lockUser(tx, id))?.password_hash !== proven.password_hash) throw wrong()
    if (previous) await deleteSession(tx, previous.hash)
    if (home)
      await recordAudit(ctx, tx, {
        ...auditOf(request, id),
        account_id: home.account_id,
        action: 'session.started',
      })
    return beginSession(ctx, tx, id, home?.account_id ?? null, request)
  })
  ctx.log.info({ event: 'signed_in', user_id: id, ...place(request) }, 'signed in')
  const device = deviceOf(ctx, id, request.cookies) ?? randomBytes(16).toString('base64url')
  return {
    ...started,
    set_device: setCookie(
      ctx.config,
      'patchbay-device',
      deviceCookieOf(ctx.vault.key(DEVICES), id, device),
      DEVICE_MEMORY,
    ),
  }
}

/** Checks the password again, so that secrets can be shown for 15 minutes (A11). Throws as signIn does. */
export async function confirmPassword(
  ctx: Context,
  session: BrowserSession,
  password: string,
  request: SignInRequest,
): Promise<BrowserSession> {
  const user = await findUser(ctx.db, session.user_id)
  const guess = { user, name: user?.email ?? '', password, session: session.hash.toString('base64url') }
  await provePassword(ctx, guess, request)
  const confirmed_at = ctx.now()
  await ctx.db.transaction().execute((tx) => updateSession(tx, session.hash, { confirmed_at }))
  return { ...session, confirmed_at }
}

const auditOf = ({ address, request_id }: SignInRequest, user_id: number) => ({
  user_id,
  address,
  request_id,
})
const place = ({ address, request_id }: SignInRequest) => ({ address, request_id })

interface Guess {
  user: UserRow | undefined
  /** The e-mail under which the guess is counted, whether or not it exists. */
  name: string
  password: string
  /** The session in which the password is entered again. */
  session?: string
}

/** The person, with the hash that the password has now. Throws as signIn does. */
async function provePassword(ctx: Context, guess: Guess, request: SignInRequest): Promise<UserRow> {
  const { user, password } = guess
  const { lines, budgets } = countedAs(ctx, guess, request)
  const isRight = await sequentially(lines, async () => {
    await ctx.limits.takeAll(budgets)
    let isWrong = false
    try {
      isWrong = !(await verifyPassword(user?.password_hash ?? NO_PASSWORD, password))
      return !isWrong
    } finally {
      if (!isWrong) ctx.limits.giveBack(budgets)
    }
  })
  if (!isRight || !user) {
    // The e-mail is not logged: people type passwords into the wrong field.
    ctx.log.warn({ event: 'sign_in_failed', user_id: user?.id ?? null, ...place(request) }, 'sign-in failed')
    throw wrong()
  }
  return isOutdated(user.password_hash) ? rehash(ctx, user, password) : user
}

/** The rate-limit keys of a wrong guess. A known browser and a session have their own, which nobody else can use up. */
function countedAs(
  ctx: Context,
  { user, name, session }: Guess,
  { address, cookies }: SignInRequest,
): { lines: string[]; budgets: Budget[] } {
  const device = user && deviceOf(ctx, user.id, cookies)
  const own = device ? `device ${device}` : session && `session ${session}`
  if (own) return { lines: [own], budgets: [['sign_in', own]] }
  const network = networkOf(address)
  return {
    lines: [`person ${name}`, `network ${network}`],
    budgets: [
      ['sign_in', `${name} ${network}`],
      ['sign_in_person', name],
      ['sign_in_network', network],
    ],
  }
}

async function rehash(ctx: Context, user: UserRow, password: string): Promise<UserRow> {
  const password_hash = await hashPassword(password)
  await ctx.db.transaction().execute((tx) => renewPasswordHash(tx, user, password_hash))
  return { ...user, password_hash }
}

/** The longest queue that is still served within the timeout of a request; later requests get 503. */
const LONGEST_LINE = 32
const waiting = new Map<string, { length: number; last: Promise<unknown> }>()

/**
 * Runs the guesses of one person and one network sequentially. Otherwise a burst would be evaluated completely
 * before its first guess is counted. All callers pass keys in the same order, so there is no deadlock.
 */
async function sequentially<T>([key, ...rest]: string[], run: () => Promise<T>): Promise<T> {
  if (key === undefined) return run()
  const line = waiting.get(key) ?? { length: 0, last: Promise.resolve() }
  if (line.length >= LONGEST_LINE)
    throw new Refusal('unavailable', 'Too many people are signing in. Please try again.', { retry_after: 5 })
  const mine = line.last.then(() => sequentially(rest, run))
  line.length++
  line.last = mine.catch(() => {})
  waiting.set(key, line)
  try {
    return await mine
  } finally {
    if (--line.length === 0) waiting.delete(key)
  }
}

const DEVICES = 'devices'

/** `user.device.mac`: valid for this person only. */
function deviceCookieOf(key: Buffer, user_id: number, device: string): string {
  const mac = createHmac('sha256', key).update(`${user_id}.${device}`).digest('base64url')
  return `${user_id}.${device}.${mac}`
}

/** The device id in the cookies, if it is this person's; else undefined. */
function deviceOf(ctx: Context, user_id: number, cookies: string | undefined): string | undefined {
  const mark = readCookie(ctx.config, 'patchbay-device', cookies)
  const device = mark?.split('.')[1]
  if (!mark || !device) return undefined
  const keys = ctx.vault.keys(DEVICES)
  return keys.some((key) => sameText(mark, deviceCookieOf(key, user_id, device))) ? device : undefined
}
