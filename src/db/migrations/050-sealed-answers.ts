import type { Migration } from './migration.ts'

/** Answers under an `Idempotency-Key` that can have secrets are encrypted; the others stay in `answer`. */
export const sealedAnswers: Migration = {
  name: '050-sealed-answers',
  counted: [],
  isAdditive: true,
  statements: ['alter table idempotency_keys add column sealed_answer bytea'],
}
