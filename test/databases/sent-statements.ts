import pg from 'pg'
import { onTestFinished, vi } from 'vitest'

/** A statement as PostgreSQL received it. */
export interface Sent {
  text: string
  values: readonly unknown[]
}

/** A query, with the statements that were sent with it (`pipelined-query.ts`). */
interface Query extends Sent {
  before?: readonly Sent[]
}

/** Returns the statements that all connections have sent since, each with the values of its first use. */
export function recordStatements(): () => Sent[] {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => spy.mockRestore())
  return () => {
    const calls = spy.mock.calls as unknown as [asked: string | Query, values: unknown[] | undefined][]
    const sent = calls.flatMap(([asked, values = []]) =>
      typeof asked === 'string' ? [{ text: asked, values }] : [...(asked.before ?? []), asked],
    )
    const unique = new Map(sent.toReversed().map((one) => [one.text, one]))
    return [...unique.values()].filter(({ text }) =>
      /^\s*(select|insert|update|delete|with)\b/i.test(text ?? ''),
    )
  }
}
