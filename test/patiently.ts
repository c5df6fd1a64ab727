import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Repeats a request that the server refuses for the moment, as clients do: a busy machine may refuse it before it is
 * read, or after it has waited two seconds for others that change the same data.
 */
export async function patiently<A extends { status: number }>(ask: () => Promise<A>): Promise<A> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
    await sleep(200)
  }
}
