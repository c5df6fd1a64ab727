import { setTimeout as sleep } from 'node:timers/promises'

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several routes
  body: any
}

/** Repeats a request that a busy machine refused before it was looked at, as clients do. */
export async function patiently<A extends Answer>(ask: () => Promise<A>): Promise<A> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503 || !String(answer.body.type).endsWith('#overloaded')) return answer
    await sleep(200)
  }
}
