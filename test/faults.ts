import type { Answer } from './client.ts'

/** The status of a refusal, and each fault as `request_id code path`. */
export function faultsOf({ status, body }: Answer): (string | number)[] {
  const items: { request_id: string; errors: { code: string; path: string }[] }[] =
    body['validation-errors'] ?? []
  return [
    status,
    ...items.flatMap(({ request_id, errors }) =>
      errors.map(({ code, path }) => `${request_id} ${code} ${path}`),
    ),
  ]
}
