import { deepEqual, equal, notEqual, ok, partialDeepStrictEqual } from 'node:assert/strict'
import type { Client } from 'amocrm-js'
import { demo, freshCode, host } from '../errand.ts'
import type { Calls } from '../every-method.ts'

const DAY = 86_400

/** Settings, tokens and the connection. */
export function connectionCalls(client: Client): Calls {
  const { auth, connection, environment, token } = client
  return {
    'environment.get': () => equal(environment.get('domain'), host),
    'environment.set': () => equal(environment.set('auth.state', 'abc'), environment),
    'environment.exists': () =>
      deepEqual([environment.exists('auth.state'), environment.exists('x')], [true, false]),
    'auth.getUrl': () => {
      const { origin, pathname, searchParams } = new URL(auth.getUrl('popup'))
      equal(origin + pathname, 'https://www.amocrm.ru/oauth')
      equal(searchParams.get('client_id'), demo.integration.client_id)
    },
    'auth.setCode': async () => {
      auth.setCode(await freshCode())
      equal(token.exists(), false)
    },
    'token.exists': () => equal(token.exists(), false),
    'token.fetch': async () =>
      partialDeepStrictEqual(await token.fetch(), { token_type: 'Bearer', expires_in: DAY }),
    'token.refresh': async () => {
      const before = token.getValue()?.access_token
      notEqual((await token.refresh())?.access_token, before)
    },
    'token.isExpired': () => equal(token.isExpired(), false),
    'token.getValue': () => equal(token.getValue()?.expires_in, DAY),
    'token.clear': () => {
      const kept = token.getValue()
      token.clear()
      equal(token.getValue(), undefined)
      token.setValue(kept as NonNullable<typeof kept>)
    },
    'token.setValue': () => {
      const kept = token.getValue() as NonNullable<ReturnType<typeof token.getValue>>
      token.setValue({ ...kept })
      deepEqual(token.getValue(), kept)
    },
    'connection.connect': async () => equal(await connection.connect(), true),
    'connection.isTokenExpired': () => equal(connection.isTokenExpired(), false),
    'connection.update': async () => equal(await connection.update(), true),
    'connection.makeRequest': async () => {
      const { data } = await connection.makeRequest<{ id: number }>('GET', '/api/v4/account')
      equal(data.id, demo.account.id)
    },
  }
}

/** Plain requests, and the makers of records. */
export function requestCalls(client: Client): Calls {
  const { request } = client
  const own = [{ name: 'Too late', sort: 200 }]
  let reason = 0
  return {
    'request.make': async () =>
      equal((await request.make<{ id: number }>('GET', '/api/v4/account')).data.id, demo.account.id),
    'request.get': async () =>
      partialDeepStrictEqual((await request.get('/api/v4/account', { with: 'amojo_id' })).data, {
        amojo_id: demo.account.amojo_id,
      }),
    'request.post': async () => {
      type Added = { _embedded: { loss_reasons: { id: number }[] } }
      const { data } = await request.post<Added>('/api/v4/leads/loss_reasons', own)
      reason = data._embedded.loss_reasons[0]?.id as number
      ok(reason)
    },
    'request.patch': async () => {
      const [pipeline] = (await request.get<Plan>('/api/v4/leads/pipelines')).data._embedded.pipelines
      const { data } = await request.patch<{ name: string }>(`/api/v4/leads/pipelines/${pipeline?.id}`, {
        name: 'Our sales',
      })
      equal(data.name, 'Our sales')
    },
    'request.delete': async () => {
      // It sends the body without its length, so that no server can read it.
      await request.delete(`/api/v4/leads/loss_reasons/${reason}`, { id: reason })
      const { data } = await request.get('/api/v4/leads/loss_reasons')
      ok(!JSON.stringify(data).includes('Too late'))
    },
    'client.getRequest': () => equal(client.getRequest(), request),
    'client.getFactoryConstructors': () => ok(client.getFactoryConstructors().leads),
    'client.getEntityConstructors': () => ok(client.getEntityConstructors().Lead),
    'client.assignEntity': () => {
      const Lead = client.assignEntity(client.leads as never)
      partialDeepStrictEqual(new Lead({ name: 'Sofa' }), { name: 'Sofa' } as object)
    },
    ...Object.fromEntries(
      (['Lead', 'Contact', 'Company', 'Task'] as const).map((kind) => [
        `client.${kind}`,
        () => equal(new client[kind]({}).isNew(), true),
      ]),
    ),
  }
}

type Plan = { _embedded: { pipelines: { id: number }[] } }
