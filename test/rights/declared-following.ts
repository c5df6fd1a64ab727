import { followedTypes } from '../../src/subscriptions/subscriptions.ts'
import type { Declarations } from './declaration.ts'
import { inPath } from './places.ts'

/** Following a card requires that it is visible. Everybody can stop following any card. */
export const declaredFollowing: Declarations = Object.assign(
  {},
  ...followedTypes.map(
    (type): Declarations => ({
      [`GET /${type}/:id/subscriptions`]: { paid: true, answers: 200, ids: [inPath(type, 'view')] },
      [`GET /${type}/:id/followers`]: { paid: true, answers: 200, ids: [inPath(type, 'view')] },
      [`PUT /${type}/:id/subscriptions`]: { answers: 204, ids: [inPath(type, 'view')] },
      [`DELETE /${type}/:id/subscriptions`]: { answers: 204, asks: { params: { id: `{own ${type}}` } } },
    }),
  ),
)
