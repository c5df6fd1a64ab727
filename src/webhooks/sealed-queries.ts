import type { SealedTable } from '../db/sealed-tables.ts'

/** Where the signing secret of a webhook is sealed. */
export const secretPlace = (id: number): string => `webhooks/secret/${id}`

export const sealedWebhooks: SealedTable = {
  table: 'webhooks',
  key: ['account_id', 'id'],
  columns: ['signing_secret'],
  placeOf: ({ id }) => secretPlace(Number(id)),
}
