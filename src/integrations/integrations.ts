import { randomUUID } from 'node:crypto'
import { type Actor, lockAccount, recordAudit, requireAdmin } from '../accounts/accounts.ts'
import type { AuditAction, AuditDetails } from '../accounts/audit/audit-types.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { IntegrationRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { installWithCodes } from './installations/installations.ts'
import { iconUrl } from './registry/icons.ts'
import { newSecret, openSecret } from './registry/keys.ts'
import { ownIntegration } from './registry/own-integration.ts'
import { countOwn, insertIntegration, ownIntegrations, updateIntegrationRow } from './registry/queries.ts'
import { checkRedirectUri, checkUrl, isAvailable } from './registry/redirect-uris.ts'
import type {
  Integration,
  IntegrationPatch,
  Keys,
  NewIntegration,
  SavedIntegration,
} from './registry/schemas.ts'
import { tellWidget } from './tokens/codes.ts'

export { type ActingIntegration, actingIntegration, tokenFor } from './acting.ts'
export { disable as disableIntegration } from './installations/installations.ts'
export { authenticateByHash, type LoginAndHash } from './oauth/login-hash.ts'
export { tokenRefusals } from './oauth/token-refusals.ts'
export { actingIntegrations } from './registry/acting-integrations.ts'
export { integrationsOfChannels } from './registry/channel-integrations.ts'
export { idNamed, integrationsOfWebhooks, namesOfIntegrations } from './registry/handles.ts'
export { disableHookDeliveries } from './registry/hooks.ts'
export { integrationSecrets } from './registry/keys.ts'
export { clientNames, hookedIntegrations, moveIntegrations } from './registry/queries.ts'
export { sealedIntegrations, sealedWidgets } from './registry/sealed-queries.ts'
export { sourcesOfChats } from './sources/chat-sources.ts'
export { sourcesOfLeads } from './sources/lead-sources.ts'
export { moveSources } from './sources/source-queries.ts'
export { authenticate, notAuthorized } from './tokens/authenticate.ts'
export { noteElsewhere, writeUses } from './tokens/last-use.ts'
export { oldGrants } from './tokens/old-grants.ts'
export { ownerOfPass, withPass } from './tokens/passes.ts'
export { endSentence } from './tokens/token-sentences.ts'
export { accountOfClient, type TokenState, tokenState } from './tokens/token-states.ts'
export { upkeep } from './upkeep.ts'
export { callableWidgets, findWidgetCall, type WidgetCall } from './widgets/widget-calls.ts'

/** The page of integrations shows all of them. */
const MAX_INTEGRATIONS = 1_000

/**
 * Creates an integration: generates its keys, installs it in the developer account, and returns its first authorization
 * code (A21). Throws Refusal('invalid') for invalid values and 'forbidden' unless the actor is an administrator.
 */
export async function createIntegration(
  ctx: Context,
  actor: Actor,
  draft: NewIntegration,
): Promise<SavedIntegration> {
  requireAdmin(actor)
  checkUrls(draft)
  const id = randomUUID()
  const now = ctx.now()
  const columns: Omit<IntegrationRow, 'number' | 'secret_hash' | 'secret_sealed'> = {
    ...stored({ ...defaults, ...draft }),
    id,
    account_id: actor.account_id,
    redirect_checked_at: null,
    redirect_failures: 0,
    redirect_error: null,
    created_at: now,
    created_by: actor.user_id,
    updated_at: now,
    updated_by: actor.user_id,
  }
  const { row, codes, secret } = await ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    if ((await countOwn(tx, actor.account_id)) >= MAX_INTEGRATIONS)
      throw new Refusal('conflict', `An account can have at most ${MAX_INTEGRATIONS} integrations.`, {
        code: 'integration_limit',
      })
    const { secret, ...sealed } = await newSecret(ctx, tx, id)
    const row = await insertIntegration(tx, { ...columns, ...sealed })
    await audit(ctx, tx, actor, id, 'integration.created', { name: row.name })
    return { row, codes: await installWithCodes(ctx, tx, actor, row), secret }
  })
  await tellWidget(ctx, actor, row, codes)
  return {
    integration: await readIntegration(ctx, actor, id),
    keys: { client_id: id, client_secret: secret },
    code: codes.code,
  }
}

const defaults: Required<Omit<NewIntegration, 'name' | 'redirect_uri'>> = {
  description: '',
  disable_hook_url: null,
  permissions: ['crm'],
  access: 'private',
  duplicate_control: false,
  multiple_sources: false,
  has_widget: false,
  revoke_on_reuse: false,
}

export async function listIntegrations(ctx: Context, actor: Actor): Promise<Integration[]> {
  requireAdmin(actor)
  return (await ownIntegrations(ctx.db, actor.account_id)).map((row) => shown(ctx, row))
}

export async function readIntegration(ctx: Context, actor: Actor, id: string): Promise<Integration> {
  requireAdmin(actor)
  const [row] = await ownIntegrations(ctx.db, actor.account_id, id)
  if (!row) throw new Refusal('not_found', 'Integration not found in this account.')
  return shown(ctx, row)
}

/** Changes the given members. A new redirect URI starts unchecked. */
export async function updateIntegration(
  ctx: Context,
  actor: Actor,
  id: string,
  patch: IntegrationPatch,
): Promise<Integration> {
  const before = await ownIntegration(ctx, actor, id)
  checkUrls(patch)
  const changes = Object.entries(stored(patch)).filter(
    ([name, value]) => value !== before[name as keyof IntegrationRow],
  )
  if (changes.length > 0) {
    const moved = patch.redirect_uri !== undefined && patch.redirect_uri !== before.redirect_uri
    await ctx.db.transaction().execute(async (tx) => {
      await updateIntegrationRow(tx, id, {
        ...Object.fromEntries(changes),
        ...(moved && { redirect_checked_at: null, redirect_failures: 0, redirect_error: null }),
        updated_at: ctx.now(),
        updated_by: actor.user_id,
      })
      await audit(ctx, tx, actor, id, 'integration.changed', { changed: changes.map(([name]) => name) })
    })
  }
  return readIntegration(ctx, actor, id)
}

/** The keys. Every display is recorded in the audit log (A11). */
export async function showKeys(ctx: Context, actor: Actor, id: string): Promise<Keys> {
  const integration = await ownIntegration(ctx, actor, id)
  await ctx.db.transaction().execute((tx) => audit(ctx, tx, actor, id, 'integration.secret_shown'))
  return { client_id: id, client_secret: openSecret(ctx, integration) }
}

/** Replaces the secret. The old one is rejected at once, but tokens remain valid (A7). */
export async function regenerateSecret(ctx: Context, actor: Actor, id: string): Promise<Keys> {
  await ownIntegration(ctx, actor, id)
  return ctx.db.transaction().execute(async (tx) => {
    const { secret, secret_hash, secret_sealed } = await newSecret(ctx, tx, id)
    await updateIntegrationRow(tx, id, {
      secret_hash,
      secret_sealed,
      updated_at: ctx.now(),
      updated_by: actor.user_id,
    })
    await audit(ctx, tx, actor, id, 'integration.secret_regenerated')
    return { client_id: id, client_secret: secret }
  })
}

/** Checks the redirect URI now and returns the updated integration. */
export async function checkIntegration(ctx: Context, actor: Actor, id: string): Promise<Integration> {
  await checkRedirectUri(ctx, await ownIntegration(ctx, actor, id))
  return readIntegration(ctx, actor, id)
}

/** Whether a change requires a re-entered password, because it affects where codes and hooks are sent. */
export const isSensitive = (patch: IntegrationPatch): boolean =>
  patch.redirect_uri !== undefined || patch.disable_hook_url !== undefined

function checkUrls({ redirect_uri, disable_hook_url }: IntegrationPatch): void {
  if (redirect_uri !== undefined) checkUrl('redirect_uri', redirect_uri)
  if (disable_hook_url) checkUrl('disable_hook_url', disable_hook_url)
}

/** The columns of the given members. */
function stored<Draft extends IntegrationPatch>({ permissions, ...draft }: Draft): StoredColumns<Draft> {
  const columns: Record<string, unknown> = {
    ...draft,
    ...(permissions && { permissions: JSON.stringify(permissions) }),
  }
  for (const name of Object.keys(columns)) {
    if (!isColumn(name) || columns[name] === undefined) delete columns[name]
    else if (typeof columns[name] === 'boolean') columns[name] = Number(columns[name])
  }
  return columns as StoredColumns<Draft>
}

type StoredColumns<Draft> = Pick<IntegrationRow, keyof Draft & keyof IntegrationRow>
const isColumn = (name: string) => Object.hasOwn(defaults, name) || name === 'name' || name === 'redirect_uri'

function shown(ctx: Context, row: Awaited<ReturnType<typeof ownIntegrations>>[number]): Integration {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    redirect_uri: row.redirect_uri,
    disable_hook_url: row.disable_hook_url,
    permissions: JSON.parse(row.permissions),
    access: row.access as Integration['access'],
    duplicate_control: row.duplicate_control === 1,
    multiple_sources: row.multiple_sources === 1,
    has_widget: row.has_widget === 1,
    revoke_on_reuse: row.revoke_on_reuse === 1,
    icon_url: iconUrl(ctx, row.id, row.icon_type),
    redirect_available: isAvailable(row),
    redirect_checked_at: row.redirect_checked_at,
    redirect_error: row.redirect_error,
    installed_in: row.installed_in ?? 0,
    created_at: row.created_at,
    created_by: row.created_by,
    updated_at: row.updated_at,
    updated_by: row.updated_by,
  }
}

function audit(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  integration_id: string,
  action: AuditAction,
  details: AuditDetails = {},
): Promise<void> {
  const { account_id, user_id, address, request_id } = actor
  return recordAudit(ctx, tx, { account_id, user_id, integration_id, action, details, address, request_id })
}
