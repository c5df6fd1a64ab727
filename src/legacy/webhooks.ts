import { Type } from 'typebox'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { NewWebhook } from '../webhooks/schemas.ts'
import { listWebhooks, subscribe, unsubscribe } from '../webhooks/webhooks.ts'
import { listIn } from './members.ts'
import { type Batch, inBatch, refuseInvalid } from './requests.ts'

/** A webhook in the legacy form (docs/wire/legacy.md#webhooks). */
export const LegacyWebhook = Type.Object(
  {
    url: Type.String(),
    events: Type.Array(Type.String()),
    disabled: Type.Boolean(),
  },
  { title: 'LegacyWebhook' },
)

export const listLegacyWebhooks = async (ctx: Context, actor: Actor) =>
  (await listWebhooks(ctx, actor, [])).map(({ destination, settings, disabled }) => ({
    url: destination,
    events: settings,
    disabled,
  }))

/** Subscribes each address to its events. Events of an address that is subscribed already are added to its own. */
export function subscribeLegacy(ctx: Context, actor: Actor, batch: Batch) {
  return inTurn(batch, async (draft) => {
    await subscribe(ctx, actor, draft, (present) => [...present, ...draft.settings])
  })
}

/** Takes events from each address. An address without events is removed. */
export function unsubscribeLegacy(ctx: Context, actor: Actor, batch: Batch) {
  return inTurn(batch, async (draft, at) => {
    const { destination, settings } = draft
    const [known] = await listWebhooks(ctx, actor, [destination])
    if (!known) throw invalid(`${at}.url`, 'NotSupportedChoice', 'This URL is not subscribed.')
    await unsubscribe(ctx, actor, destination, settings)
  })
}

/** Validates all items, then handles one after the other. */
async function inTurn(batch: Batch, handle: (draft: NewWebhook, at: string) => Promise<void>) {
  const drafts = batch.items.map(({ url, events }) => ({ destination: url, settings: listIn(events) }))
  refuseInvalid(NewWebhook, drafts, batch)
  for (const [i, draft] of drafts.entries())
    await inBatch(batch, () => handle(draft as NewWebhook, `${batch.at}.${i}`))
  return drafts.map(({ destination, settings }) => ({ url: destination, events: settings, result: true }))
}
