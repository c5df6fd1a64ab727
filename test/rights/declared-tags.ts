import type { CardType } from '../../src/entities/records/entity-types.ts'
import type { Declarations } from './declaration.ts'

const id = '{id}'

/** Routes of the tags of one kind. Their names belong to the account. */
export const tagging = (type: CardType): Declarations => ({
  [`GET /${type}/tags`]: { answers: 200, asks: {}, shows: 'tags' },
  [`POST /${type}/tags`]: {
    needs: { add: type },
    answers: 200,
    asks: { body: [{ name: 'tag {n}' }] },
    shows: 'tags',
  },
  [`PATCH /${type}/tags`]: {
    needs: 'admin',
    answers: 200,
    ids: [{ at: 'item', of: `tags of ${type}`, request: { body: [{ id, name: 'tag {n}' }] } }],
  },
  [`GET /${type}/tags/:id`]: {
    answers: 200,
    ids: [{ at: 'path', of: `tags of ${type}`, request: {} }],
    shows: 'tags',
  },
  [`PATCH /${type}/tags/:id`]: {
    needs: 'admin',
    answers: 200,
    ids: [{ at: 'path', of: `tags of ${type}`, request: { body: { name: 'tag {n}' } } }],
  },
  [`DELETE /${type}/tags/:id`]: {
    needs: 'admin',
    answers: 204,
    ids: [{ at: 'path', of: `tags of ${type}`, request: {} }],
  },
})
