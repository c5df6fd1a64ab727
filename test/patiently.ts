import { setTimeout as sleep } from 'node:timers/promises'

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several routes
  body: any
}

/** Repeats a request that a busy machine refused before it was read, as clients do. */
export async function patiently<A extends Answer>(ask: () => Promise<A>): Promise<A> {
  for (;;) {
    const answer = await ask()
    if (!isOverloaded(answer)) return answer
    await sleep(200)
  }
}

/** The refusal of an overloaded server, in the form of v4 or of the chat surface. */
const isOverloaded = ({ status, body }: Answer): boolean =>
  status === 503 && (String(body.type).endsWith('#overloaded') || body.error_type === 'OVERLOADED')
