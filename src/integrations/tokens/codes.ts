import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { InstallationRow, IntegrationRow } from '../../db/tables.ts'
import { afterCommit, openUnit } from '../../db/units.ts'
import { randomToken, sha256 } from '../../secrets.ts'
import { sendWidgetHook } from '../registry/hooks.ts'
import { CODE_SECONDS } from '../registry/lifetimes.ts'
import { requireAvailable } from '../registry/redirect-uris.ts'
import type { Code } from '../registry/schemas.ts'
import { insertCode } from './token-queries.ts'

/** The codes of an installation: one for the answer, and a separate one for the widget hook (A13). */
export interface Codes {
  code: Code
  widget_code: Code | null
}

/**
 * Issues authorization codes to the actor. Each is shown once and stored as a hash. Throws Refusal('unavailable') if
 * the redirect URI does not answer (A12).
 */
export async function giveCodes(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  integration: IntegrationRow,
  { installation, tellsWidget, code_challenge = null, scopes = integration.permissions }: Giving,
): Promise<Codes> {
  requireAvailable(ctx, integration)
  const issue = (challenge: string | null) =>
    issueCode(ctx, tx, actor, installation, { scopes, code_challenge: challenge })
  return {
    code: await issue(code_challenge),
    widget_code: tellsWidget && integration.has_widget ? await issue(null) : null,
  }
}

interface Giving {
  installation: InstallationRow
  /** Whether to send the widget hook: after each installation. */
  tellsWidget: boolean
  code_challenge?: string | null
  /** The permissions that the person has seen, as JSON; by default the present ones of the integration. */
  scopes?: string
}

/**
 * Sends the widget hook, after the commit of the installation, and waits for its answer, but not if the commit is that of a
 * request with an Idempotency-Key: it is still to come.
 */
export async function tellWidget(
  ctx: Context,
  actor: Actor,
  integration: IntegrationRow,
  { widget_code }: Codes,
): Promise<void> {
  if (!widget_code) return
  const { subdomain, request_id, account_id } = actor
  const referer = ctx.hosts.accountHost(subdomain)
  const tell = () =>
    sendWidgetHook(ctx, integration, { code: widget_code.code, referer, request_id, account_id })
  if (!openUnit()) return tell()
  afterCommit(() => {
    tell().catch((error) => ctx.log.error({ err: error }, 'the widget hook failed'))
  })
}

/** Without `scopes`, the tokens get the permissions that the integration has at the exchange. */
export async function issueCode(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  installation: InstallationRow,
  { code_challenge = null, scopes = null }: { code_challenge?: string | null; scopes?: string | null } = {},
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
    scopes,
    issued_at,
    expires_at: issued_at + CODE_SECONDS,
    issued_request_id: actor.request_id,
  })
  return { code, expires_at: issued_at + CODE_SECONDS }
}
