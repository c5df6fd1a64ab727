import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Actor,
  addMember,
  createAccount,
  findAccountBySubdomain,
  findActor,
  findUserByEmail,
} from '../../accounts/accounts.ts'
import { botIdOf, connectOwn, createChannel, type Protocol, scopeIdOf } from '../../chats/chats.ts'
import { ConfigError } from '../../config.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors.ts'
import { writeDurably } from '../../files/durable-file.ts'
import { authenticate, createIntegration } from '../../integrations/integrations.ts'
import { randomAlphanumeric } from '../../secrets.ts'
import type { DemoChannel } from './demo-chats.ts'
import { readDemo } from './demo-file.ts'
import { seedHistory } from './demo-history.ts'
import { DAY, later } from './demo-times.ts'
import { caller, connect, newTokens } from './demo-tokens.ts'

/** The data of a channel that its provider needs. */
export interface KnownChannel extends DemoChannel {
  /** The id of the channel's bot. */
  bot_id: string
}

/** `data/demo.json`: everything that a script needs to use the demo account (P4). */
export interface Demo {
  base_url: string
  account: { id: number; subdomain: string; url: string; amojo_id: string }
  user: { email: string; password: string }
  integration: { client_id: string; client_secret: string; redirect_uri: string }
  /** Accepts pushes as documented; null if no administrator is left to register it. */
  channel: KnownChannel | null
  /** Accepts pushes in the format of the live service, for existing clients. */
  channel_live: KnownChannel | null
  tokens: { access_token: string; refresh_token: string }
  /** For `/test_helpers`. */
  test_helpers: { key: string }
}

/** The seconds since the account was created. Its history is shorter. */
const AGE = 60 * DAY
const SUBDOMAIN = 'demo'
const EMAIL = 'ada@demo.example'
const REDIRECT_URI = 'http://localhost:3000/oauth/callback'
/** The address of examples/chat-provider. */
const CALLBACK_URL = 'http://127.0.0.1:3100/callback'

/**
 * Creates the demo account on the first run. On later runs, it updates the addresses, and the tokens if they have
 * expired.
 */
export async function prepareDemo(ctx: Context, onMake: () => void = () => {}): Promise<Demo | null> {
  const file = join(ctx.config.data_dir, 'demo.json')
  const account = await findAccountBySubdomain(ctx.db, SUBDOMAIN)
  if (account && !existsSync(file)) return null
  if (!account) onMake()
  const demo = account ? await refreshed(ctx, readDemo(file)) : await made(ctx, file)
  writeDemo(file, demo)
  return demo
}

const writeDemo = (file: string, demo: Demo): void => writeDurably(file, `${JSON.stringify(demo, null, 2)}\n`)

async function made(ctx: Context, file: string): Promise<Demo> {
  const draft = { name: 'Demo Ltd', subdomain: SUBDOMAIN }
  const founding = later(ctx, -AGE)
  const account = await ctx.db.transaction().execute((tx) => createAccount(founding, tx, draft))
  const password = randomAlphanumeric(20)
  await addMember(founding, account.id, { name: 'Ada Demo', email: EMAIL, password, is_admin: true })
  const actor = await ada(ctx, account.id)
  const { keys } = await createIntegration(ctx, actor, {
    name: 'Demo integration',
    description: '<p>Made by <code>patchbay dev</code>. Change it, or register your own.</p>',
    redirect_uri: REDIRECT_URI,
    permissions: ['crm', 'chats', 'files', 'files_delete', 'notifications'],
  })
  const integration = { ...keys, redirect_uri: REDIRECT_URI }
  const channel = await newChannel(ctx, actor, account, 'spec')
  const channel_live = await newChannel(ctx, actor, account, 'live')
  const demo = {
    base_url: ctx.config.public_url,
    account: addressOf(ctx, account),
    user: { email: EMAIL, password },
    integration,
    channel,
    channel_live,
    tokens: await newTokens(ctx, actor, integration),
    test_helpers: { key: ctx.testHelpersKey ?? '' },
  }
  // The history takes most of the time. If it is interrupted, the password is known.
  writeDemo(file, demo)
  await seedHistory(ctx, actor, channel, connect)
  return demo
}

async function refreshed(ctx: Context, demo: Demo): Promise<Demo> {
  const tokens = (await isAccepted(ctx, demo.tokens.access_token)) ? demo.tokens : await renewed(ctx, demo)
  return {
    ...demo,
    base_url: ctx.config.public_url,
    account: addressOf(ctx, demo.account),
    // Data of an older version has no channels and no bot ids.
    channel: withBot(demo.channel) ?? (await added(ctx, demo, 'spec')),
    channel_live: withBot(demo.channel_live) ?? (await added(ctx, demo, 'live')),
    tokens,
    test_helpers: { key: ctx.testHelpersKey ?? '' },
  }
}

const withBot = (channel: DemoChannel | null | undefined): KnownChannel | null =>
  channel ? { ...channel, bot_id: botIdOf(channel.id) } : null

async function added(ctx: Context, { account }: Demo, protocol: Protocol): Promise<KnownChannel | null> {
  try {
    return await newChannel(ctx, await ada(ctx, account.id), account, protocol)
  } catch (error) {
    if (error instanceof Refusal || error instanceof ConfigError) return null
    throw error
  }
}

/** A chat channel connected to the demo account; its provider is the example. */
async function newChannel(
  ctx: Context,
  actor: Actor,
  { amojo_id }: Pick<Demo['account'], 'amojo_id'>,
  protocol: Protocol,
): Promise<KnownChannel> {
  const name = protocol === 'live' ? 'Demo channel, live' : 'Demo channel'
  const { keys } = await createChannel(ctx, actor, { name, callback_url: CALLBACK_URL, protocol })
  const { channel_id: id, secret } = keys
  await connectOwn(ctx, actor, id)
  return { id, secret, scope_id: scopeIdOf(id, amojo_id), bot_id: botIdOf(id) }
}

/** Returns valid tokens. If somebody changed the demo integration (a new secret, switched off), it stays as it is. */
async function renewed(ctx: Context, demo: Demo): Promise<Demo['tokens']> {
  try {
    return await newTokens(ctx, await ada(ctx, demo.account.id), demo.integration)
  } catch (error) {
    if (error instanceof Refusal || error instanceof ConfigError) return demo.tokens
    throw error
  }
}

function addressOf(
  ctx: Context,
  { id, subdomain, amojo_id }: Pick<Demo['account'], 'id' | 'subdomain' | 'amojo_id'>,
): Demo['account'] {
  return { id, subdomain, url: ctx.hosts.accountUrl(subdomain), amojo_id }
}

async function ada(ctx: Context, account_id: number): Promise<Actor> {
  const user = await findUserByEmail(ctx.db, EMAIL)
  const actor =
    user && (await findActor(ctx, { account_id, user_id: user.id }, { integration: null, ...caller }))
  if (!actor) throw new ConfigError(`${EMAIL} is not an active member of the demo account.`)
  return actor
}

async function isAccepted(ctx: Context, token: string): Promise<boolean> {
  try {
    await authenticate(ctx, token, caller)
    return true
  } catch {
    return false
  }
}
