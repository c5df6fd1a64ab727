import amotop from '@mobilon-dev/amotop'
import { demo, describeWidget, host } from '../errand.ts'

/** The client of the API. Its types call every answer `any`. */
export type Api = InstanceType<typeof amotop.AmoApiClient>

/** The records that the calls share. */
export interface Scene {
  api: Api
  ada: { id: number; amojo_id: string }
  pipeline: number
  stage: number
  lead: number
  contact: number
  company: number
  talk: { talk_id: number; chat_id: string; contact_id: number }
  widget: string
  drive: string
}

export const hour = 3600
export const now = Math.floor(Date.now() / 1000)
export const page = { page: 1, limit: 250 }
export const idsOf = (rows: { id: number }[]): number[] => rows.map(({ id }) => id)

/** Creates one record of each kind, with a client that is not watched. */
export async function setScene(): Promise<Scene> {
  const api = new amotop.AmoApiClient(host, demo.tokens.access_token)
  const { axios } = api
  const added = async (kind: string, draft: object): Promise<number> =>
    (await axios.post(`/api/v4/${kind}`, [draft])).data._embedded[kind][0].id
  const { data: users } = await axios.get('/api/v4/users?with=amojo_id')
  const { data: plan } = await axios.get('/api/v4/leads/pipelines')
  const [{ id: pipeline, _embedded }] = plan._embedded.pipelines
  const { data: talks } = await axios.get('/api/v4/talks')
  const { data: account } = await axios.get('/api/v4/account?with=drive_url')
  return {
    api,
    ada: users._embedded.users.find(({ email }: { email: string }) => email === demo.user.email),
    pipeline,
    stage: _embedded.statuses[1].id,
    lead: await added('leads', {
      name: 'Sixty lamps',
      price: 600,
      _embedded: { tags: [{ name: 'spring' }] },
    }),
    contact: await added('contacts', { name: 'Ida Lund' }),
    company: await added('companies', { name: 'Lund AS' }),
    talk: talks._embedded.talks[0],
    widget: await describeWidget(),
    drive: account.drive_url,
  }
}
