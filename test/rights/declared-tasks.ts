import type { Declarations, IdPlace } from './declaration.ts'
import { inPath, people } from './places.ts'

const text = { text: 'Call {n}', complete_till: 1_800_000_000 }
const parentKinds = ['leads', 'contacts', 'companies', 'customers'] as const

/** Everybody can add tasks. The responsible user determines the rights to change them. */
export const declaredTasks: Declarations = {
  'GET /tasks': {
    answers: 200,
    asks: {},
    ids: [
      { at: 'filter', of: 'tasks', right: 'view', request: { query: 'filter[id]={id}' } },
      ...parentKinds.map(
        (kind): IdPlace => ({
          at: 'filter by parent',
          of: kind,
          right: 'view',
          request: { query: `filter[entity_id]={id}&filter[entity_type]=${kind}` },
        }),
      ),
    ],
  },
  'GET /tasks/totals': {
    answers: 200,
    asks: {},
  },
  'GET /tasks/:id': { answers: 200, ids: [inPath('tasks', 'view')] },
  'POST /tasks': {
    answers: 200,
    asks: { body: [text] },
    ids: [
      ...parentKinds.map(
        (entity_type): IdPlace => ({
          at: 'parent',
          of: entity_type,
          right: 'view',
          request: { body: [text, { ...text, entity_type, entity_id: '{id}' }] },
        }),
      ),
      ...people((body) => ({ body: [{ ...text, ...body }] })),
    ],
  },
  'PATCH /tasks': {
    answers: 200,
    ids: [
      { at: 'item', of: 'tasks', right: 'edit', request: { body: [{ id: '{id}', ...text }] } },
      ...parentKinds.map(
        (entity_type): IdPlace => ({
          at: 'parent of an item',
          of: entity_type,
          right: 'view',
          beside: [['tasks', 'edit']],
          request: { body: [{ id: '{new tasks}', entity_type, entity_id: '{id}' }] },
        }),
      ),
    ],
  },
  'PATCH /tasks/:id': {
    answers: 200,
    ids: [
      inPath('tasks', 'edit', { body: { is_completed: true, result: { text: 'Done' } } }),
      ...people((body) => ({ params: { id: '{new tasks}' }, body }), [['tasks', 'edit']]),
    ],
  },
  'DELETE /tasks/:id': { answers: 204, ids: [inPath('tasks', 'delete')] },
  'DELETE /tasks': {
    answers: 204,
    ids: [{ at: 'item', of: 'tasks', right: 'delete', request: { body: [{ id: '{id}' }] } }],
  },
}
