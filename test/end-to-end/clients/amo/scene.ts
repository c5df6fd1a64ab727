import type { Amo } from '@shevernitskiy/amo'
import { ask, demo, describeWidget } from '../errand.ts'
import { idsOf } from './answers.ts'

/** The records that the calls share. */
export interface Scene {
  amo: Amo
  /** The administrator. */
  ada: number
  /** The first pipeline and its first two stages. */
  pipeline: number
  stages: [number, number]
  lead: number
  contact: number
  company: number
  customer: number
  /** A list with one element. */
  catalog: number
  element: number
  /** A conversation of the demo account. */
  talk: { talk_id: number; chat_id: string; contact_id: number }
  /** The code of the integration's widget, which is not installed yet. */
  widget: string
  /** The address of the file service. */
  drive: string
}

export const nothing = 987_654_321
export const hour = 3600
export const now = Math.floor(Date.now() / 1000)

/** Creates one record of each kind. */
export async function setScene(amo: Amo): Promise<Scene> {
  const { _embedded: people } = await amo.user.getUsers({ limit: 250 })
  const rows = people.users as unknown as { id: number; email: string }[]
  const { _embedded: plan } = await amo.pipeline.getPipelines()
  const [main] = plan.pipelines
  const stages = (main as NonNullable<typeof main>)._embedded.statuses.slice(1, 3).map(({ id }) => id)
  const added = async (path: string, draft: object) => {
    const url = `/api/v4${path}`
    const answer = await amo.raw.post<{ _embedded: Record<string, object[]> }>({
      url,
      payload: [draft] as never,
    })
    return idsOf(Object.values(answer._embedded)[0])[0] as number
  }
  const catalog = await added('/catalogs', { name: 'Chairs' })
  const talks = await amo.raw.get<{ _embedded: { talks: Scene['talk'][] } }>({ url: '/api/v4/talks' })
  const account = await amo.account.getAccount({ with: ['drive_url'] })
  const lead = await added('/leads', { name: 'Fifty chairs', price: 5000 })
  const customer = await added('/customers', { name: 'Regular', next_date: now + 30 * 24 * hour })
  for (const card of [`leads/${lead}`, `customers/${customer}`])
    await ask('PUT', `/api/v4/${card}/subscriptions`)
  return {
    amo,
    ada: rows.find(({ email }) => email === demo.user.email)?.id as number,
    pipeline: main?.id as number,
    stages: stages as [number, number],
    lead,
    contact: await added('/contacts', { name: 'Nora Tveit' }),
    company: await added('/companies', { name: 'Tveit AS' }),
    customer,
    catalog,
    element: await added(`/catalogs/${catalog}/elements`, { name: 'Thonet 14' }),
    talk: talks._embedded.talks[0] as Scene['talk'],
    widget: await describeWidget(),
    drive: account.drive_url as string,
  }
}
