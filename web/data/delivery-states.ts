import type { QueryOf } from '../api/client.ts'

export type DeliveryState = NonNullable<QueryOf<'/web/webhooks/{id}/deliveries'>['state']>

/** The states by which deliveries can be listed. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const satisfies DeliveryState[]
