import { type Actor, accountNames, recordAudit, requireAdmin, userNames } from '../../accounts/accounts.ts'
import type { AuditAction } from '../../accounts/audit/audit-types.ts'
import { disconnectIntegration, retryOnConflict } from '../../chats/chats.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { InstallationRow, IntegrationRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { disableWebhooksOf } from '../../webhooks/webhooks.ts'
import { descriptionHtml } from '../registry/description.ts'
import { nameIn } from '../registry/handles.ts'
import { queueDisableHook } from '../registry/hooks.ts'
import { iconUrl } from '../registry/icons.ts'
import {
  findClient,
  findInstallation,
  insertInstallation,
  insertInstallationEnding,
  listInstallationRows,
  lockInstallation,
  updateInstallation,
} from '../registry/queries.ts'
import { isHttps } from '../registry/redirect-uris.ts'
import type { Code, Grant, Installation } from '../registry/schemas.ts'
import { addDefaultSource } from '../sources/sources.ts'
import { type Codes, giveCodes, tellWidget } from '../tokens/codes.ts'
import { lastUses } from '../tokens/last-use.ts'
import { listLiveGrants } from '../tokens/token-queries.ts'

/**
 * Installs an integration in the actor's account, or enables it again. `is_new` says whether this changed anything.
 * Grants from before a deactivation stay invalid, because the epoch has changed. The caller has checked the actor's
 * rights.
 */
export async function installIn(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  integration: IntegrationRow,
): Promise<{ installation: InstallationRow; is_new: boolean }> {
  const fresh: InstallationRow = {
    account_id: actor.account_id,
    integration_id: integration.id,
    is_active: 1,
    epoch: 0,
    installed_at: ctx.now(),
    installed_by: actor.user_id,
    disabled_at: null,
    disabled_by: null,
    last_used_at: null,
  }
  if (await insertInstallation(tx, fresh)) {
    await auditInstallation(ctx, tx, actor, integration.id, 'integration.installed')
    if (!integration.multiple_sources) await addDefaultSource(tx, actor.account_id, integration)
    return { installation: fresh, is_new: true }
  }
  const found = (await lockInstallation(tx, actor.account_id, integration.id)) as InstallationRow
  if (found.is_active) return { installation: found, is_new: false }
  const again = {
    is_active: 1,
    installed_at: fresh.installed_at,
    installed_by: actor.user_id,
    disabled_at: null,
    disabled_by: null,
  } as const
  await updateInstallation(tx, actor.account_id, integration.id, again)
  await auditInstallation(ctx, tx, actor, integration.id, 'integration.installed')
  return { installation: { ...found, ...again }, is_new: true }
}

/**
 * An integration can be installed in other accounts only if its redirect URI uses TLS (specification, Integration:
 * redirect URI; A12). A private integration is limited to its own account (A8).
 */
export function canInstall(ctx: Context, integration: IntegrationRow, account_id: number): boolean {
  if (account_id === integration.account_id) return true
  return integration.access === 'public' && (isHttps(integration.redirect_uri) || ctx.config.mode === 'dev')
}

export function requireInstallable(ctx: Context, integration: IntegrationRow, account_id: number): void {
  if (canInstall(ctx, integration, account_id)) return
  const code = integration.access === 'public' ? 'redirect_uri_not_https' : 'not_administrator'
  throw new Refusal('forbidden', 'The integration cannot be installed in this account.', { code })
}

/**
 * Installs an integration of this account, or one that was installed here before. Others are installed through consent.
 */
export async function install(ctx: Context, actor: Actor, client_id: string): Promise<Code> {
  requireAdmin(actor)
  const integration = await findClient(ctx.db, client_id)
  const known =
    integration &&
    (integration.account_id === actor.account_id ||
      (await findInstallation(ctx.db, actor.account_id, client_id)))
  if (!known) throw new Refusal('not_found', 'Integration not found in this account.')
  requireInstallable(ctx, integration, actor.account_id)
  const codes = await ctx.db.transaction().execute((tx) => installWithCodes(ctx, tx, actor, integration))
  await tellWidget(ctx, actor, integration, codes)
  return codes.code
}

/** Installs without consent and issues the codes. */
export async function installWithCodes(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  integration: IntegrationRow,
): Promise<Codes> {
  const { installation, is_new } = await installIn(ctx, tx, actor, integration)
  return giveCodes(ctx, tx, actor, integration, { installation, tellsWidget: is_new })
}

/** A new code, for the integration's window. */
export async function freshCode(ctx: Context, actor: Actor, client_id: string): Promise<Code> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    const installation = await activeInstallation(tx, actor, client_id)
    const integration = (await findClient(tx, client_id)) as IntegrationRow
    const codes = await giveCodes(ctx, tx, actor, integration, { installation, tellsWidget: false })
    return codes.code
  })
}

/** The active installation. Refuses if there is none. */
export async function activeInstallation(tx: Tx, actor: Actor, client_id: string): Promise<InstallationRow> {
  const installation = await findInstallation(tx, actor.account_id, client_id)
  if (!installation) throw new Refusal('not_found', 'Integration not installed in this account.')
  if (!installation.is_active) throw new Refusal('conflict', 'The integration is disabled in this account.')
  return installation
}

/**
 * Disables an installation, for administrators. In this transaction its tokens, pending pairs and codes end in every
 * process, its chat channels are disconnected, and the hook is queued (States and transitions; A7, A13, C3). A second
 * call changes nothing.
 */
export async function disable(ctx: Context, actor: Actor, client_id: string): Promise<void> {
  requireAdmin(actor)
  await retryOnConflict(() => ctx.db.transaction().execute((tx) => disableIn(ctx, tx, actor, client_id)))
  ctx.queued.ring()
}

async function disableIn(ctx: Context, tx: Tx, actor: Actor, client_id: string): Promise<void> {
  const installation = await lockInstallation(tx, actor.account_id, client_id)
  if (!installation) throw new Refusal('not_found', 'Integration not installed in this account.')
  if (!installation.is_active) return
  await updateInstallation(tx, actor.account_id, client_id, {
    is_active: 0,
    epoch: installation.epoch + 1,
    disabled_at: ctx.now(),
    disabled_by: actor.user_id,
  })
  await insertInstallationEnding(tx, {
    account_id: actor.account_id,
    integration_id: client_id,
    epoch: installation.epoch,
    at: ctx.now(),
    ended_by: actor.user_id,
    request_id: actor.request_id,
  })
  await auditInstallation(ctx, tx, actor, client_id, 'integration.disabled')
  await disconnectIntegration(ctx, tx, actor, actor.account_id, client_id)
  await disableWebhooksOf(ctx, tx, actor.account_id, client_id)
  const integration = (await findClient(tx, client_id)) as IntegrationRow
  await queueDisableHook(ctx, tx, integration, actor.account_id, actor.request_id)
}

/** All current and former installations of the account, and who has tokens of each. */
export async function listInstallations(ctx: Context, actor: Actor): Promise<Installation[]> {
  requireAdmin(actor)
  const [rows, grants] = await Promise.all([
    listInstallationRows(ctx.db, actor.account_id),
    listLiveGrants(ctx.db, actor.account_id, ctx.now()),
  ])
  const people = rows.flatMap(({ installed_by, disabled_by }) => [installed_by, disabled_by ?? 0])
  const [names, developers, descriptions] = await Promise.all([
    userNames(ctx.db, [...new Set([...people, ...grants.map(({ user_id }) => user_id)])]),
    accountNames(ctx.db, [...new Set(rows.map(({ developer_id }) => developer_id))]),
    Promise.all(rows.map(({ description }) => descriptionHtml(description))),
  ])
  const unwritten = lastUses(ctx, actor.account_id)
  const person = (id: number | null) => (id ? { id, name: names.get(id) ?? '' } : null)
  return rows.map((row, i) => ({
    integration: {
      id: nameIn(ctx, actor.account_id, { id: row.integration_id, account_id: row.developer_id }),
      name: row.name,
      description: descriptions[i] ?? '',
      icon_url: iconUrl(ctx, row.integration_id, row.icon_type),
      access: row.access as Installation['integration']['access'],
      permissions: JSON.parse(row.permissions),
      developer: { name: developers.get(row.developer_id) ?? '' },
      is_own: row.developer_id === actor.account_id,
    },
    is_active: row.is_active === 1,
    installed_at: row.installed_at,
    installed_by: person(row.installed_by),
    disabled_at: row.disabled_at,
    disabled_by: person(row.disabled_by),
    last_used_at: laterOf(row.last_used_at, unwritten.get(row.integration_id)),
    grants: grants
      .filter(({ integration_id }) => integration_id === row.integration_id)
      .map(({ id, user_id, long_lived, scopes, created_at, expires_at }): Grant => {
        return {
          id,
          user: { id: user_id, name: names.get(user_id) ?? '' },
          long_lived,
          scopes: JSON.parse(scopes),
          created_at,
          expires_at,
        }
      }),
  }))
}

const laterOf = (written: number | null, unwritten: number | undefined): number | null =>
  unwritten === undefined ? written : Math.max(unwritten, written ?? 0)

function auditInstallation(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  integration_id: string,
  action: AuditAction,
): Promise<void> {
  const { account_id, user_id, address, request_id } = actor
  return recordAudit(ctx, tx, { account_id, user_id, integration_id, action, address, request_id })
}
