import {
  type Outbound,
  type OutboundAnswer,
  OutboundError,
  type OutboundRequest,
} from '../outbound/http-client.ts'
import { type SentBody, sentBody, type Traffic } from '../traffic.ts'

/** Records every attempt to reach another server, with its answer or the reason why there is none. */
export function observedOutbound(outbound: Outbound, traffic: Traffic, clock: () => number): Outbound {
  const record = (
    request: OutboundRequest,
    at: number,
    outcome: { answer?: OutboundAnswer; error?: OutboundError },
  ) => {
    const { about, url: address, method, headers = {}, body } = request
    const url = URL.parse(address)
    if (!about || !url) return
    const { answer, error } = outcome
    traffic.add({
      direction: 'out',
      at,
      duration_ms: answer?.duration_ms ?? error?.duration_ms ?? 0,
      method,
      host: url.host,
      url: url.pathname + url.search,
      operation: about.kind,
      request_id: about.request_id,
      account_id: about.account_id,
      integration_id: about.integration_id,
      delivery_id: about.delivery_id,
      attempt: about.attempt,
      subdomain: null,
      user_id: null,
      grant_id: null,
      generation: null,
      status: answer?.status ?? null,
      error: error ? [error.reason, error.message].filter(Boolean).join(': ') : null,
      unread: [],
      request: { ...(about.is_confidential ? onlySize(body) : sentBody(body)), headers: lowered(headers) },
      response: { ...sentBody(answer?.body), headers: answer?.headers ?? {} },
    })
  }
  return {
    close: () => outbound.close(),
    request: async (request) => {
      if (!traffic.isOn) return outbound.request(request)
      const at = clock()
      try {
        const answer = await outbound.request(request)
        record(request, at, { answer })
        return answer
      } catch (error) {
        if (error instanceof OutboundError) record(request, at, { error })
        throw error
      }
    },
  }
}

const onlySize = (body: OutboundRequest['body'] = ''): SentBody => ({
  content: null,
  size: Buffer.byteLength(body),
})

const lowered = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
