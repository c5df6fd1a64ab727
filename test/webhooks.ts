import { parse } from 'qs'
import { type Answer, answering, type Hit } from './deliveries.ts'
import type { World } from './world.ts'

export type Item = Record<string, unknown>
/** A body of a webhook as PHP and its relatives parse it. */
export type Body = Record<string, Record<string, Item[]>> & { account: Item }

/** Parses a body with nested names in brackets. */
export const bodyOf = ({ body }: Pick<Hit, 'body'>): Body =>
  parse(body, { depth: 10, arrayLimit: 100, parameterLimit: 10_000 }) as unknown as Body

/** The kind and the action of a body: `leads[status]`. */
export const subjectOf = (hit: Pick<Hit, 'body'>): string => {
  const { account: _, ...rest } = bodyOf(hit)
  return Object.entries(rest)
    .flatMap(([key, actions]) => Object.keys(actions).map((action) => `${key}[${action}]`))
    .join()
}

/** The items of a body. */
export const itemsOf = (hit: Pick<Hit, 'body'>): Item[] => {
  const { account: _, ...rest } = bodyOf(hit)
  return Object.values(rest).flatMap((actions) => Object.values(actions).flat())
}

/** A receiver that the administrator has subscribed to these changes. */
export async function subscribed(
  world: World,
  settings: readonly string[],
  answer?: (hit: Hit, n: number) => Answer | Promise<Answer>,
) {
  const receiver = await answering(answer)
  const destination = `${receiver.url}/hook`
  const webhook = await world.admin.browser.post('/web/v4/webhooks', { destination, settings })
  if (webhook.status !== 201) throw new Error(`not subscribed: ${webhook.text}`)
  /** Sends everything that is due, and returns what arrived since the last call. */
  let seen = 0
  const arrived = async (): Promise<Hit[]> => {
    await world.app.deliveries.runDue()
    const fresh = receiver.hits.slice(seen)
    seen = receiver.hits.length
    return fresh
  }
  return { ...receiver, destination, id: webhook.body.id as number, arrived }
}
