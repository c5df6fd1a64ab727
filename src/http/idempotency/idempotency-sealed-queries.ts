import type { SealedTable } from '../../db/sealed-tables.ts'
import type { KeyId } from './idempotency-queries.ts'

/** Where the answer under a key is sealed. */
export const answerPlace = ({ account_id, caller, key }: KeyId): string =>
  `idempotency/answer/${account_id}/${caller}/${key}`

export const sealedAnswers: SealedTable = {
  table: 'idempotency_keys',
  key: ['account_id', 'caller', 'key'],
  columns: ['sealed_answer'],
  placeOf: (row) => answerPlace(row as unknown as KeyId),
}
