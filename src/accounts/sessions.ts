import { createHmac } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { unlessDiskFull } from '../db/failures.ts'
import { Refusal } from '../errors.ts'
import { randomToken, sha256 } from '../secrets.ts'
import { cookie, readCookie, setCookie } from './cookies.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  findSessionRow,
  insertSession,
  updateSession,
} from './session-queries.ts'

/**
 * A browser session (A9) is a row here and a random cookie there. Only the cookie's SHA-256 is stored, so a stolen
 * database signs nobody in. It ends 8 hours after it was last seen, and after 7 days in any case. It always begins
 * with a cookie of the server's own making: what a browser brings along is never adopted (fixation).
 */
const IDLE = 8 * 3_600
const LIFETIME = 7 * 86_400
/** How exactly the last use is kept, in seconds: a write with every request would cost more than the request. */
const SEEN_GRAIN = 300
/** For so long after the password was entered, secrets are shown and changed (A11). */
const CONFIRMATION = 15 * 60

export interface BrowserSession {
  hash: Buffer
  user_id: number
  /** The account that the person works in on an address that names none. */
  account_id: number | null
  /** When the password was last entered, in Unix seconds. */
  confirmed_at: number
  csrf_token: string
}

export interface StartedSession {
  session: BrowserSession
  /** `name=value`, for a Cookie header. */
  cookie: string
  /** The Set-Cookie header. */
  set_cookie: string
  csrf_token: string
}

/** Begins a session in a transaction of its own. */
export async function startSession(
  ctx: Context,
  user_id: number,
  account_id: number | null,
): Promise<StartedSession> {
  return ctx.db.transaction().execute((tx) => beginSession(ctx, tx, user_id, account_id))
}

export async function beginSession(
  ctx: Context,
  tx: Tx,
  user_id: number,
  account_id: number | null,
): Promise<StartedSession> {
  const secret = randomToken('pbs_')
  const now = ctx.now()
  const row = { hash: sha256(secret), user_id, account_id, created_at: now, seen_at: now, confirmed_at: now }
  await insertSession(tx, row)
  const csrf_token = csrfToken(secret)
  return {
    session: { hash: row.hash, user_id, account_id, confirmed_at: now, csrf_token },
    cookie: cookie(ctx.config, 'patchbay', secret),
    set_cookie: setCookie(ctx.config, 'patchbay', secret, LIFETIME),
    csrf_token,
  }
}

/** The Set-Cookie header that makes the browser forget its session. */
export const forgottenCookie = (ctx: Context): string => setCookie(ctx.config, 'patchbay', '', 0)

/** The living session of a Cookie header, or null. */
export async function findSession(ctx: Context, cookies: string | undefined): Promise<BrowserSession | null> {
  const secret = readCookie(ctx.config, 'patchbay', cookies)
  if (!secret) return null
  const row = await findSessionRow(ctx.db, sha256(secret))
  const now = ctx.now()
  if (!row || now >= row.seen_at + IDLE || now >= row.created_at + LIFETIME) return null
  if (Math.abs(now - row.seen_at) >= SEEN_GRAIN)
    await unlessDiskFull(() =>
      ctx.db.transaction().execute((tx) => updateSession(tx, row.hash, { seen_at: now })),
    )
  const { hash, user_id, account_id, confirmed_at } = row
  return { hash, user_id, account_id, confirmed_at, csrf_token: csrfToken(secret) }
}

/** The living session of a request. Throws Refusal('not_authorized') when there is none. */
export async function requireSession(
  ctx: Context,
  request: { headers: { cookie?: string } },
): Promise<BrowserSession> {
  const session = await findSession(ctx, request.headers.cookie)
  if (!session) throw new Refusal('not_authorized', 'Sign in first.')
  return session
}

export async function endSession(ctx: Context, hash: Buffer): Promise<void> {
  await ctx.db.transaction().execute((tx) => deleteSession(tx, hash))
}

/** Deletes what has ended by time; a job that runs now and then. */
export async function sweepSessions(ctx: Context): Promise<void> {
  const now = ctx.now()
  await ctx.db.transaction().execute((tx) => deleteExpiredSessions(tx, now - IDLE, now - LIFETIME))
}

/** Unix seconds until which secrets may be shown, or null when the password has to be entered first. */
export function confirmedUntil(session: BrowserSession, now: number): number | null {
  const until = session.confirmed_at + CONFIRMATION
  // Confirmed while the clock was ahead, nobody knows when.
  const isAhead = session.confirmed_at > now + SEEN_GRAIN
  return now < until && !isAhead ? until : null
}

/** Throws Refusal('forbidden') of the code `password_needed`, at which the web application asks for the password. */
export function requireConfirmed(session: BrowserSession, now: number): void {
  if (confirmedUntil(session, now) === null)
    throw new Refusal('forbidden', 'Enter your password to go on.', { code: 'password_needed' })
}

/** Derived from the cookie, which no other site can read, so that nothing more has to be stored. */
const csrfToken = (secret: string): string =>
  createHmac('sha256', secret).update('patchbay csrf').digest('base64url')

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the surface of the browser, or the handler is not reached. */
    session: BrowserSession
  }
}
