import { Type } from 'typebox'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { invalid, Refusal } from '../errors.ts'
import { NewWebhook } from '../webhooks/schemas.ts'
import { listWebhooks, subscribe, unsubscribe } from '../webhooks/webhooks.ts'
import { listIn } from './members.ts'
import { asOne, type Batch, inBatch, validated } from './requests.ts'

/** A webhook in the legacy form (docs/wire/legacy.md#webhooks). */
export const LegacyWebhook = Type.Object(
  {
    url: Type.String({ description: 'The URL that receives the webhook.' }),
    events: Type.Array(Type.String(), { description: 'The codes of the changes, such as `add_lead`.' }),
    disabled: Type.Boolean({ description: 'Whether the server has stopped sending.' }),
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
  return together(batch, async (draft) => {
    await subscribe(ctx, actor, draft, (present) => [...present, ...draft.settings])
  })
}

/** Takes events from each address. An address without events is removed. */
export function unsubscribeLegacy(ctx: Context, actor: Actor, batch: Batch) {
  return together(batch, async (draft) => {
    const { destination, settings } = draft
    const [known] = await listWebhooks(ctx, actor, [destination])
    if (!known) throw invalid('url', 'NotSupportedChoice', 'This URL is not subscribed.')
    await unsubscribe(ctx, actor, destination, settings)
  })
}

/** Validates all items, then handles one after the other, all of them or none. */
async function together(batch: Batch, handle: (draft: NewWebhook) => Promise<void>) {
  const items = batch.items.map(({ url, events }) => ({ destination: url, settings: listIn(events) }))
  const drafts = validated(NewWebhook, items, batch)
  await asOne(() => inBatch(batch, () => inTurn(drafts, handle)))
  return drafts.map(({ destination, settings }) => ({ url: destination, events: settings, result: true }))
}

/** A fault of an item has the item's place, and the name that the address has there. */
async function inTurn(drafts: NewWebhook[], handle: (draft: NewWebhook) => Promise<void>): Promise<void> {
  for (const [i, draft] of drafts.entries())
    await handle(draft).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.faults.length === 0) throw error
      const faults = error.faults.map((fault) => ({ ...fault, request_id: String(i), path: 'url' }))
      throw new Refusal(error.reason, error.message, { faults })
    })
}
