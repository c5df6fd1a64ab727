import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { setFields } from '../../custom-fields/custom-fields.ts'
import { editEntities } from '../../entities/entities.ts'
import { createIntegration } from '../../integrations/integrations.ts'
import type { Random } from './demo-shop.ts'

/** The origin of the service's fields: they are locked, and only the service can change them (F2). */
const ORIGIN = 'swift-courier'
const REDIRECT_URI = 'http://localhost:3001/callback'
const STEPS = ['Packed', 'On its way', 'Delivered']
const LAST = STEPS.length - 1

/** Takes tokens for an integration, so that it is connected. The result uses them, at the time of its context. */
export type Connect = (
  ctx: Context,
  actor: Actor,
  integration: { client_id: string; client_secret: string; redirect_uri: string },
) => Promise<(ctx: Context) => Promise<void>>

export interface Courier {
  /** Advances the open parcels, and adds parcels for some of these leads. */
  advanceParcels(ctx: Context, leads: readonly number[], random: Random): Promise<void>
  /** Calls once with its tokens, at the time of its last change: the server limits how often they can be refreshed. */
  callWithTokens(): Promise<void>
}

async function addIntegration(
  ctx: Context,
  ada: Actor,
  connect: Connect,
): Promise<{ id: string; number: number | null; use: (ctx: Context) => Promise<void> }> {
  const { keys } = await createIntegration(ctx, ada, {
    name: 'Courier',
    description: '<p>Made by <code>patchbay dev</code>. It writes where the parcels are.</p>',
    redirect_uri: REDIRECT_URI,
  })
  const use = await connect(ctx, ada, { ...keys, redirect_uri: REDIRECT_URI })
  const [number = null] = await ctx.actingIntegrations.numbersOf(ctx, [keys.client_id])
  return { id: keys.client_id, number, use }
}

/** A courier integration with two fields on leads, in which it records the status of each parcel. */
export async function addCourier(ctx: Context, ada: Actor, connect: Connect): Promise<Courier> {
  const { use, ...integration } = await addIntegration(ctx, ada, connect)
  const service: Actor = { ...ada, integration: { ...integration, grant_id: '', scopes: ['crm'] } }
  const own = { element_type: 2, disabled: 1, origin: ORIGIN } as const
  const { response } = await setFields(ctx, service, {
    request: {
      fields: {
        add: [
          { ...own, name: 'Delivery', type: 4, enums: [...STEPS] },
          { ...own, name: 'Parcel number', type: 1 },
        ],
      },
    },
  })
  const [delivery, number] = response.fields.add.map(({ id }) => id) as [number, number]
  const underWay: { id: number; step: number }[] = []
  let last = ctx
  return {
    callWithTokens: () => use(last),
    async advanceParcels(ctx, leads, random) {
      const going = underWay.filter(({ step }) => step < LAST && random() < 0.5)
      for (const parcel of going) parcel.step++
      const taken = leads.filter((_, i) => i % 3 === 0).map((id) => ({ id, step: 0 }))
      underWay.push(...taken)
      const patches = [...going, ...taken].map(({ id, step }) => ({
        id,
        custom_fields_values: [
          { field_id: delivery, values: [{ value: STEPS[step] as string }] },
          ...(step === 0 ? [{ field_id: number, values: [{ value: `SC-${40_000 + id * 7}` }] }] : []),
        ],
      }))
      if (patches.length === 0) return
      await editEntities(ctx, service, 'leads', patches, 'item')
      last = ctx
    },
  }
}
