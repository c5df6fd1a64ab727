import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { grantToken } from './installations/long-lived-tokens.ts'
import { nameIn } from './registry/handles.ts'
import { listInstallationRows } from './registry/queries.ts'
import { authenticate } from './tokens/authenticate.ts'

/** An integration as which a tool of this server acts in an account. */
export interface ActingIntegration {
  id: string
  name: string
  /** The JSON of its permissions. */
  permissions: string
  /** The person who installed it. */
  installed_by: number
  has_disable_hook: boolean
}

/**
 * The installed integration with this id, or the oldest one of the account, first those with these permissions; one of
 * another developer only if it is named. Throws Refusal: `not_found` if it is not installed, `conflict` if the account has
 * none of its own.
 */
export async function actingIntegration(
  ctx: Context,
  account_id: number,
  client_id: string | undefined,
  needed: readonly string[] = [],
): Promise<ActingIntegration> {
  const rows = await listInstallationRows(ctx.db, account_id)
  const active = rows.filter(({ is_active }) => is_active === 1)
  const own = active.filter(({ developer_id }) => developer_id === account_id)
  const hasAll = ({ permissions }: { permissions: string }) =>
    needed.every((one) => JSON.parse(permissions).includes(one))
  const found =
    client_id === undefined
      ? (own.findLast(hasAll) ?? own.at(-1))
      : active.find(
          (row) =>
            nameIn(ctx, account_id, { id: row.integration_id, account_id: row.developer_id }) === client_id,
        )
  if (!found && client_id !== undefined)
    throw new Refusal('not_found', 'No integration with this id is installed and active in the account.')
  if (!found)
    throw new Refusal(
      'conflict',
      'The account has no active integration of its own. Register one, or name another one.',
    )
  return {
    id: found.integration_id,
    name: found.name,
    permissions: found.permissions,
    installed_by: found.installed_by,
    has_disable_hook: Boolean(found.disable_hook_url),
  }
}

/** Tokens that this process has issued to its tools, by account, integration and person. They are not stored elsewhere. */
const issued = new WeakMap<Context, Map<string, string>>()
const MOST = 1_000

/** A token of the actor for an integration, for a tool of this server. It is named after the tool and lives for a day. */
export async function tokenFor(
  ctx: Context,
  actor: Actor,
  integration: ActingIntegration,
  tool: string,
): Promise<string> {
  const known = issued.get(ctx) ?? new Map<string, string>()
  issued.set(ctx, known)
  const key = `${tool} ${actor.account_id} ${integration.id} ${actor.user_id}`
  const present = known.get(key)
  if (present !== undefined && (await isAccepted(ctx, present, integration))) return present
  const { access_token } = await grantToken(ctx, actor, integration, { name: tool, days: 1 })
  if (known.size >= MOST) known.clear()
  known.set(key, access_token)
  return access_token
}

/** Whether the token is still valid and has the present permissions of the integration. */
async function isAccepted(ctx: Context, token: string, { permissions }: ActingIntegration): Promise<boolean> {
  try {
    const { integration } = await authenticate(ctx, token, { request_id: '', address: '127.0.0.1' })
    return JSON.stringify(integration?.scopes) === permissions
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
