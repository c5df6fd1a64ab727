import type { SealedTable } from '../../db/sealed-tables.ts'

/** Where the secret of an integration is sealed. */
export const secretPlace = (client_id: string): string => `integrations/secret/${client_id}`

export const sealedIntegrations: SealedTable = {
  table: 'integrations',
  key: ['id'],
  columns: ['secret_sealed'],
  placeOf: ({ id }) => secretPlace(String(id)),
}

/** Where the settings of an installed widget are sealed. */
export const settingsPlace = (account_id: number, widget_id: number): string =>
  `widgets/settings/${account_id}/${widget_id}`

export const sealedWidgets: SealedTable = {
  table: 'widget_installations',
  key: ['account_id', 'widget_id'],
  columns: ['settings'],
  placeOf: ({ account_id, widget_id }) => settingsPlace(Number(account_id), Number(widget_id)),
}
