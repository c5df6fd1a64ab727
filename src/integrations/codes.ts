import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { InstallationRow, IntegrationRow } from '../db/tables.ts'
import { randomToken, sha256 } from '../secrets.ts'
import { sendWidgetHook } from './hooks.ts'
import { CODE_SECONDS } from './lifetimes.ts'
import { requireAvailable } from './redirect-uris.ts'
import type { Code } from './schemas.ts'
import { insertCode } from './token-queries.ts'

/** What an installation gives: the code that is answered, and one of its own for the widget hook (A13). */
export interface Codes {
  code: Code
  widget_code: Code | null
}

/**
 * New authorization codes of the actor, each told once and stored as a hash. An integration whose redirect URI does not
 * answer gets none, however it is asked for: Refusal('unavailable') (A12).
 */
export async function giveCodes(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  integration: IntegrationRow,
  { installation, tellsWidget, code_challenge = null }: Giving,
): Promise<Codes> {
  requireAvailable(ctx, integration)
  return {
    code: await issueCode(ctx, tx, actor, installation, code_challenge),
    widget_code: tellsWidget && integration.has_widget ? await issueCode(ctx, tx, actor, installation) : null,
  }
}

interface Giving {
  installation: InstallationRow
  /** Whether the widget is told of it: after each installation. */
  tellsWidget: boolean
  code_challenge?: string | null
}

/** Sends the widget hook after the commit of what it tells. */
export async function tellWidget(
  ctx: Context,
  actor: Actor,
  integration: IntegrationRow,
  { widget_code }: Codes,
): Promise<void> {
  if (!widget_code) return
  const { subdomain, request_id } = actor
  const referer = ctx.hosts.accountHost(subdomain)
  await sendWidgetHook(ctx, integration, { code: widget_code.code, referer, request_id })
}

export async function issueCode(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  installation: InstallationRow,
  code_challenge: string | null = null,
): Promise<Code> {
  const code = randomToken('pbc_')
  const issued_at = ctx.now()
  await insertCode(tx, {
    hash: sha256(code),
    integration_id: installation.integration_id,
    account_id: actor.account_id,
    user_id: actor.user_id,
    installation_epoch: installation.epoch,
    member_epoch: actor.member_epoch,
    code_challenge,
    issued_at,
    expires_at: issued_at + CODE_SECONDS,
    consumed_at: null,
    grant_id: null,
  })
  return { code, expires_at: issued_at + CODE_SECONDS }
}
