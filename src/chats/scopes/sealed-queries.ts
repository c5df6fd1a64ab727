import type { SealedTable } from '../../db/sealed-tables.ts'

/** One place for both columns, so that a rotation can move the sealed secret as it is. */
export const secretPlace = (channel_id: string): string => `channels/secret/${channel_id}`

export const sealedChannels: SealedTable = {
  table: 'channels',
  key: ['id'],
  columns: ['secret_sealed', 'previous_sealed'],
  placeOf: ({ id }) => secretPlace(String(id)),
}
