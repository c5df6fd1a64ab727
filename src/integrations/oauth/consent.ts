import { type Actor, accountNames, findActor, membershipsOf, recordAudit } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { ConsentFormRow, IntegrationRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { randomToken, sha256 } from '../../secrets.ts'
import { canInstall, installIn, requireInstallable } from '../installations/installations.ts'
import { descriptionHtml } from '../registry/description.ts'
import { iconUrl } from '../registry/icons.ts'
import { CONSENT_FORM_SECONDS } from '../registry/lifetimes.ts'
import {
  findClient,
  findIcon,
  insertConsentForm,
  installedAccounts,
  takeConsentForm,
} from '../registry/queries.ts'
import { isAvailable, isHttps, requireAvailable, withParameters } from '../registry/redirect-uris.ts'
import type { Consent, ConsentQuery } from '../registry/schemas.ts'
import { giveCodes, tellWidget } from '../tokens/codes.ts'

/** The signed-in person. They can select any of their accounts. */
export interface Consenting {
  user_id: number
  session_hash: Buffer
  request_id: string
  address: string
  /** The domain of the request, which the referer and the hosts of the accounts keep (P5). */
  base_host: string
}

const modes: readonly (string | undefined)[] = ['popup', 'post_message']

/**
 * The integration of a consent address. With a wrong client or redirect URI there is no redirect: the refusal is shown
 * to the person (A8; RFC 9700, 4.11.2).
 */
export async function consentClient(
  ctx: Context,
  query: Pick<ConsentQuery, 'client_id' | 'redirect_uri'>,
): Promise<IntegrationRow> {
  const integration = await findClient(ctx.db, query.client_id)
  if (!integration) throw new Refusal('not_found', 'Integration not found.', { code: 'unknown_integration' })
  if (query.redirect_uri !== undefined && query.redirect_uri !== integration.redirect_uri)
    throw new Refusal('invalid', 'Redirect URI is not associated with client', {
      code: 'redirect_uri_mismatch',
    })
  return integration
}

/**
 * The content of the consent page, with a one-time form token that is bound to session, client, state and challenge.
 * `state` is the text in the address, still percent-encoded, or null if it was not sent.
 */
export async function prepareConsent(
  ctx: Context,
  person: Consenting,
  query: ConsentQuery,
  state: string | null,
): Promise<Consent> {
  await ctx.limits.take('consent', person.session_hash.toString('base64'))
  const integration = await consentClient(ctx, query)
  const code_challenge = checkChallenge(query)
  const warnings = warningsFor(ctx, integration)
  const accounts = await choosableAccounts(ctx, person, integration)
  const form_token = randomToken('')
  const mode = modes.includes(query.mode) ? (query.mode as 'popup' | 'post_message') : 'page'
  await ctx.db.transaction().execute((tx) =>
    insertConsentForm(tx, {
      hash: sha256(form_token),
      session_hash: person.session_hash,
      integration_id: integration.id,
      state,
      mode,
      code_challenge,
      permissions: integration.permissions,
      expires_at: ctx.now() + CONSENT_FORM_SECONDS,
    }),
  )
  const [icon, developers] = await Promise.all([
    findIcon(ctx.db, integration.id),
    accountNames(ctx.db, [integration.account_id]),
  ])
  return {
    form_token,
    mode,
    integration: {
      name: integration.name,
      description: await descriptionHtml(integration.description),
      icon_url: iconUrl(ctx, integration.id, icon?.type ?? null),
      permissions: JSON.parse(integration.permissions),
      access: integration.access as Consent['integration']['access'],
      developer: { name: developers.get(integration.account_id) ?? '' },
      redirect_host: new URL(integration.redirect_uri).host,
    },
    accounts,
    warnings,
  }
}

/** PKCE (RFC 7636): only S256. */
function checkChallenge({ code_challenge, code_challenge_method }: ConsentQuery): string | null {
  if (code_challenge === undefined) return null
  if (code_challenge_method !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(code_challenge))
    throw new Refusal('invalid', 'The method of a code challenge must be S256.', {
      code: 'code_challenge_not_supported',
    })
  return code_challenge
}

/** If the redirect URI does not answer, consent is refused. In `dev` there is only a warning (A12). */
function warningsFor(ctx: Context, integration: IntegrationRow): Consent['warnings'] {
  const warnings: Consent['warnings'] = []
  if (isAvailable(integration) === false) warnings.push('redirect_uri_unavailable')
  if (integration.access === 'public' && !isHttps(integration.redirect_uri))
    warnings.push('redirect_uri_not_https')
  requireAvailable(ctx, integration)
  return ctx.config.mode === 'dev' ? warnings : []
}

/** The accounts that the person administers. A private integration is limited to its own account (A8). */
async function choosableAccounts(
  ctx: Context,
  { user_id, base_host }: Consenting,
  integration: IntegrationRow,
): Promise<Consent['accounts']> {
  const administered = (await membershipsOf(ctx.db, user_id)).filter(({ is_admin }) => is_admin === 1)
  const allowed = administered.filter(({ account_id }) => canInstall(ctx, integration, account_id))
  if (allowed.length === 0) {
    const code =
      administered.length > 0 && integration.access === 'public'
        ? 'redirect_uri_not_https'
        : 'not_administrator'
    throw new Refusal('forbidden', 'You cannot allow this integration in any account.', { code })
  }
  const installed = await installedAccounts(
    ctx.db,
    integration.id,
    allowed.map(({ account_id }) => account_id),
  )
  return allowed.map(({ account_id, account_name, subdomain }) => ({
    id: account_id,
    name: account_name,
    subdomain,
    host: ctx.hosts.accountHost(subdomain, base_host),
    is_installed: installed.has(account_id),
  }))
}

export interface Decision {
  form_token: string
  decision: 'allow' | 'decline'
  account_id: number | null
}

export interface Outcome {
  /** The registered redirect URI with the parameters of the outcome. There are no redirects to other addresses. */
  location: string
  mode: string
}

/** Applies the person's decision. The form must come from this server and session, and counts once. */
export async function decideConsent(ctx: Context, person: Consenting, decision: Decision): Promise<Outcome> {
  const form = await ctx.db.transaction().execute((tx) => takeConsentForm(tx, sha256(decision.form_token)))
  if (!form?.session_hash.equals(person.session_hash) || form.expires_at <= ctx.now())
    throw new Refusal('forbidden', 'This consent form was used before or is too old. Open the page again.', {
      code: 'stale_form',
    })
  const integration = await consentClient(ctx, { client_id: form.integration_id })
  const mode = form.mode as string
  if (decision.decision === 'decline') {
    return {
      mode,
      location: withParameters(integration.redirect_uri, [
        ['error', 'access_denied'],
        ['client_id', integration.id],
        ...stateOf(form),
      ]),
    }
  }
  return { mode, location: await allow(ctx, person, decision, integration, form) }
}

async function allow(
  ctx: Context,
  person: Consenting,
  { account_id }: Decision,
  integration: IntegrationRow,
  form: ConsentFormRow,
): Promise<string> {
  const actor = await administratorOf(ctx, person, account_id)
  requireInstallable(ctx, integration, actor.account_id)
  const codes = await ctx.db.transaction().execute(async (tx) => {
    const { installation } = await installIn(ctx, tx, actor, integration)
    const { user_id, request_id, address } = actor
    await recordAudit(ctx, tx, {
      account_id: actor.account_id,
      user_id,
      integration_id: integration.id,
      action: 'integration.allowed',
      address,
      request_id,
    })
    const { code_challenge, permissions } = form
    const scopes = permissions ?? integration.permissions
    return giveCodes(ctx, tx, actor, integration, { installation, code_challenge, scopes, tellsWidget: true })
  })
  await tellWidget(ctx, actor, integration, codes)
  return withParameters(integration.redirect_uri, [
    ['code', codes.code.code],
    ['referer', encodeURIComponent(ctx.hosts.accountHost(actor.subdomain, person.base_host))],
    ['client_id', integration.id],
    ...stateOf(form),
    ...(codes.widget_code ? [['from_widget', '1'] as [string, string]] : []),
    ['iss', encodeURIComponent(ctx.config.auth_url)],
  ])
}

async function administratorOf(ctx: Context, person: Consenting, account_id: number | null): Promise<Actor> {
  const { user_id, request_id, address } = person
  const actor =
    account_id === null
      ? undefined
      : await findActor(ctx, { account_id, user_id }, { integration: null, request_id, address })
  if (!actor?.is_admin)
    throw new Refusal('forbidden', 'You are not an administrator of this account.', {
      code: 'not_administrator',
    })
  return actor
}

const stateOf = ({ state }: ConsentFormRow): [string, string][] => (state === null ? [] : [['state', state]])

/**
 * The `state` in an address, still percent-encoded, so that it is returned byte for byte. Characters that are not
 * allowed in an address are encoded. null if it was not sent.
 */
export function rawState(url: string): string | null {
  const query = url.slice(url.indexOf('?') + 1)
  const pair = url.includes('?')
    ? query.split('&').find((part) => part === 'state' || part.startsWith('state='))
    : undefined
  if (pair === undefined) return null
  return pair.slice('state='.length).replace(/[^A-Za-z0-9\-._~!$'()*+,;:@/?%=]/g, encodeURIComponent)
}
