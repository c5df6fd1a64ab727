import { type CardType, cardTypes } from '../../src/entities/records/entity-types.ts'
import { cardKinds } from '../../src/notes/parents.ts'
import type { Declarations, IdPlace } from './declaration.ts'
import { inPath } from './places.ts'

const names =
  'with=contact_name,lead_name,company_name,customer_name,catalog_element_name,catalog_name&limit=250'

const filter = (of: IdPlace['of'], query: string): IdPlace => ({
  at: 'filter',
  of,
  right: 'view',
  request: { query: `${query}&${names}` },
})

const timelineOf = (type: CardType): Declarations => ({
  [`GET /${type}/:id/timeline`]: {
    paid: true,
    answers: 200,
    shows: 'links',
    ids: [
      inPath(type, 'view', { query: 'limit=100' }),
      { ...inPath(type, 'view', { query: 'with=only_deleted' }), at: 'path into the trash', trashed: true },
    ],
  },
})

/** Everybody can read the log, limited to visible records. */
export const declaredEvents: Declarations = {
  'GET /events': {
    paid: true,
    answers: 200,
    asks: { query: names },
    shows: 'links',
    ids: [
      filter('events', 'filter[id]={id}'),
      ...cardTypes.map((type) =>
        filter(type, `filter[entity]=${cardKinds[type]}&filter[entity_id]={id},{own ${type}}`),
      ),
      filter('tasks', 'filter[entity]=task&filter[entity_id]={id},{own tasks}'),
      {
        ...filter('catalog_elements', 'filter[entity]=catalog_{its list}&filter[entity_id]={id}'),
        within: 'its list',
      },
      { at: 'filter by person', of: 'users', request: { query: 'filter[created_by]={id}' } },
      {
        at: 'filter by type',
        of: 'fields of leads',
        request: { query: 'filter[type]=custom_field_{id}_value_changed' },
      },
    ],
  },
  'GET /events/counts': {
    paid: true,
    answers: 200,
    asks: { query: 'by=hour&time_zone=Europe/Madrid' },
    ids: [{ at: 'filter by person', of: 'users', request: { query: 'filter[created_by]={id}' } }],
  },
  ...Object.assign({}, ...cardTypes.map(timelineOf)),
  'GET /events/integrations': { paid: true, answers: 200, asks: {} },
  'GET /events/types': { paid: true, answers: 200, asks: { query: 'language_code=ru' } },
  'GET /events/:id': {
    paid: true,
    answers: 200,
    shows: 'links',
    ids: [inPath('events', 'view', { query: names })],
  },
}
