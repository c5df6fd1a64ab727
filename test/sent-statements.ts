import pg from 'pg'
import { onTestFinished, vi } from 'vitest'

/** A statement as PostgreSQL received it. */
export interface Sent {
  text: string
  values: readonly unknown[]
}

/** Returns the statements that all connections have sent since, each with the values of its first use. */
export function recordStatements(): () => Sent[] {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => spy.mockRestore())
  return () => {
    const calls = spy.mock.calls as unknown as [asked: string | Sent, values: unknown[] | undefined][]
    const sent = calls.map(([asked, values = []]) =>
      typeof asked === 'string' ? { text: asked, values } : asked,
    )
    const unique = new Map(sent.toReversed().map((one) => [one.text, one]))
    return [...unique.values()].filter(({ text }) =>
      /^(select|insert|update|delete|with)\b/i.test(text ?? ''),
    )
  }
}
