import type { IdPlace, Kind } from './declaration.ts'

/** Places that many routes have. */

export const inPath = (of: Kind, right: IdPlace['right'], request: IdPlace['request'] = {}): IdPlace => ({
  at: 'path',
  of,
  right,
  request,
})

/** Members of a body with ids of people. They are not secret within the account, and invalid outside of it. */
export function people(
  request: (body: object) => IdPlace['request'],
  beside: IdPlace['beside'] = [],
): IdPlace[] {
  return ['responsible_user_id', 'created_by', 'updated_by'].map((member) => ({
    at: member,
    of: 'users',
    beside,
    request: request({ [member]: '{id}' }),
  }))
}
