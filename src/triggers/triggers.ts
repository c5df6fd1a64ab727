/** The public API of the slice: real actions that record each type of event and announce each code of webhooks. */
import { randomUUID } from 'node:crypto'
import { type Actor, emailOf, findActor, findUserByEmail, selectAccount } from '../accounts/accounts.ts'
import { addProviderLine, findProviderLine, type LineNeeds, type ProviderLine } from '../chats/chats.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import {
  type ActingIntegration,
  actingIntegration,
  createIntegration,
  disableIntegration,
  tokenFor,
} from '../integrations/integrations.ts'
import type { Members } from './action.ts'
import { type Outcome, outcomeOf, positionOf } from './outcome.ts'
import { type Inject, Scene } from './scene.ts'
import type { TriggerBody, Triggered, TriggerList } from './schemas.ts'
import { valuesOf } from './set.ts'
import { type Trigger, triggers } from './trigger-table.ts'

/** Everything that can be triggered. */
export const listTriggers = (): TriggerList => ({
  triggers: [...triggers].map(([type, { summary, members, permissions }]) => ({
    type,
    summary,
    set: shown(members),
    permissions: [...permissions],
  })),
})

const shown = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, Number.isNaN(value) ? null : value]),
  )

/**
 * Carries out the action of a type in an account, as an integration with the rights of a person. Throws Refusal: `invalid`
 * for an unknown type or member, `forbidden` with the permission that the integration lacks, `not_found` and `conflict` if
 * there is no such integration, person or channel, `unprocessable` with the requests if one of them was refused, or if
 * they had no effect.
 */
export async function trigger(
  ctx: Context,
  account_id: number,
  { type, set = {}, integration: client_id, user }: TriggerBody,
  inject: Inject,
): Promise<Triggered> {
  const found = triggers.get(type)
  if (!found) throw unknownType(type)
  const values = valuesOf(found, set)
  const integration = await actingIntegration(ctx, account_id, client_id, found.permissions)
  requirePermissions(integration, found)
  const actor = await personOf(ctx, account_id, user, integration)
  const since = await positionOf(ctx, account_id)
  const scene = new Scene({
    ctx,
    inject,
    host: ctx.hosts.accountHost(actor.subdomain),
    token: await tokenFor(ctx, actor, integration, TOOL),
    channel: (id, needs) => channelOf(ctx, actor, id, needs),
    disable: (id, url) => disabled(ctx, actor, id, url),
  })
  await found.run(scene, values)
  const { requests, made } = scene
  const request_ids = [...requests.map(({ request_id }) => request_id), actor.request_id]
  const outcome = await outcomeOf(ctx, account_id, since, request_ids)
  if (!hasEffect(found, outcome))
    throw new Refusal('unprocessable', `The requests were accepted, but they caused no ${type}.`, {
      code: 'trigger_without_effect',
      members: { requests, made },
    })
  return { type, requests, made, ...outcome }
}

function hasEffect(found: Trigger, { events, deliveries }: Outcome): boolean {
  if (found.sort === 'delivery') return deliveries.some(({ kind }) => kind === found.kind)
  return found.event === undefined || events.some(({ type }) => type === found.event)
}

/** The name of its tokens, and the address from which it acts. */
const TOOL = 'patchbay trigger'
const ADDRESS = '127.0.0.1'

function unknownType(type: string): Refusal {
  const words = type.split('_')
  const types = [...triggers.keys()]
  const near = types.filter((name) => words.every((word) => name.includes(word)))
  const similar = near.length > 0 ? ` Similar ones: ${near.slice(0, 10).join(', ')}.` : ''
  const detail = `There is no type "${type}".${similar} All of them are in \`types\`.`
  return new Refusal('invalid', 'Request validation failed', {
    faults: [{ request_id: '0', code: 'NotSupportedChoice', path: 'type', detail }],
    members: { types },
  })
}

function requirePermissions(
  { name, permissions }: ActingIntegration,
  { permissions: needed }: Trigger,
): void {
  const present = JSON.parse(permissions) as string[]
  const scope = ['crm', ...needed].find((one) => !present.includes(one))
  if (scope !== undefined)
    throw new Refusal('forbidden', `The integration "${name}" lacks the permission "${scope}".`, {
      code: 'insufficient_scope',
      members: { scope },
    })
}

/** The person by id or e-mail, by default the one who installed the integration, as the cause of what has no request. */
async function personOf(
  ctx: Context,
  account_id: number,
  named: string | undefined,
  { installed_by }: ActingIntegration,
): Promise<Actor> {
  const isId = named === undefined || /^\d{1,15}$/.test(named)
  const user_id = isId
    ? Number(named ?? installed_by)
    : (await findUserByEmail(ctx.db, emailOf({ email: named })))?.id
  const request = { integration: null, request_id: randomUUID(), address: ADDRESS }
  const actor = user_id && (await findActor(ctx, { account_id, user_id }, request))
  if (actor) return actor
  if (named === undefined)
    throw new Refusal('conflict', 'The person who installed the integration is not active. Name another one.')
  throw new Refusal('not_found', `No active member of the account has the id or e-mail "${named}".`)
}

const CALLBACK_URL = 'http://127.0.0.1:3100/callback'

/** A channel that is connected to the account as needed; a new one if there is none. */
async function channelOf(ctx: Context, actor: Actor, id: string | null, needs: LineNeeds) {
  const account = await selectAccount(ctx.db).where('id', '=', actor.account_id).executeTakeFirstOrThrow()
  const found = await findProviderLine(ctx, account, id, needs)
  if (found) return { ...found, is_new: false }
  const added = await addProviderLine(ctx, actor, { name: 'Messages', callback_url: CALLBACK_URL })
  return { ...((await findProviderLine(ctx, account, added)) as ProviderLine), is_new: true }
}

/** Disables the integration, or a new one with a disable hook at this address. */
async function disabled(ctx: Context, actor: Actor, named: string | null, url: string) {
  if (named !== null) {
    const { id, name, has_disable_hook } = await actingIntegration(ctx, actor.account_id, named)
    if (!has_disable_hook) throw new Refusal('conflict', `The integration "${name}" has no disable hook.`)
    await disableIntegration(ctx, actor, id)
    return { id, is_new: false }
  }
  const draft = { name: 'To be disabled', redirect_uri: 'http://localhost:3000/oauth/callback' }
  const { keys } = await createIntegration(ctx, actor, { ...draft, disable_hook_url: url })
  await disableIntegration(ctx, actor, keys.client_id)
  return { id: keys.client_id, is_new: true }
}
