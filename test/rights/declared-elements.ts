import { entityTypes } from '../../src/entities/records/entity-types.ts'
import type { Declarations, IdPlace } from './declaration.ts'

const named = { name: 'Named {n}' }
const itsList = { catalog_id: '{its list}' }
const mainList = { catalog_id: '{main catalogs}' }

/** An element in its own list, and in another one. */
const element = (right: IdPlace['right'], request: IdPlace['request'], trashed?: true): IdPlace[] => {
  const place: IdPlace = { at: 'path', of: 'catalog_elements', right, request, ...(trashed && { trashed }) }
  return [
    { ...place, within: 'its list', request: { ...request, params: itsList } },
    {
      ...place,
      at: 'path below the open list',
      within: 'main list',
      beside: [['catalogs', 'view']],
      request: { ...request, params: mainList },
    },
  ]
}

const below = (right: IdPlace['right'], request: IdPlace['request'] = {}): IdPlace => ({
  at: 'path, list',
  of: 'catalogs',
  right,
  request: { params: { catalog_id: '{id}' }, ...request },
})

const ownElement = '{own catalog_elements}'
const ownLead = { to_entity_type: 'leads', to_entity_id: '{own leads}' }

/** Records of each kind that an element can be linked to. */
const targets = (at: string, right: 'view' | 'edit', asks: (kind: string) => IdPlace['request']): IdPlace[] =>
  entityTypes.catalog_elements.links.map((kind) => ({
    at: `${at}, ${kind}`,
    of: kind,
    right: 'view',
    beside: [['catalog_elements', right]],
    request: { params: { ...mainList, id: ownElement }, ...asks(kind) },
  }))

const linkWrite = (answers: number): Declarations[string] => ({
  answers,
  ids: [
    ...element('edit', { body: [ownLead] }),
    ...targets('link target', 'edit', (kind) => ({
      body: [ownLead, { to_entity_type: kind, to_entity_id: '{id}' }],
    })),
  ],
})

/** Elements have the rights of their list, regardless of their author. */
export const declaredElements: Declarations = {
  'GET /catalogs/:catalog_id/elements': {
    answers: 200,
    ids: [
      below('view'),
      {
        at: 'filter',
        of: 'catalog_elements',
        right: 'view',
        beside: [['catalogs', 'view']],
        request: { params: mainList, query: 'filter[id]={id}' },
      },
    ],
  },
  'GET /catalogs/:catalog_id/elements/totals': { answers: 200, ids: [below('view')] },
  'GET /catalogs/:catalog_id/elements/:id': {
    answers: 200,
    ids: [...element('view', {}), ...element('view', { query: 'with=only_deleted' }, true)].map((place) =>
      place.of === 'catalog_elements' ? { ...place, missing: 204 } : place,
    ),
  },
  'GET /catalogs/:catalog_id/elements/:id/timeline': {
    paid: true,
    answers: 200,
    shows: 'links',
    ids: [...element('view', {}), ...element('view', { query: 'with=only_deleted' }, true)],
  },
  'GET /catalogs/:catalog_id/elements/:id/links': {
    answers: 200,
    ids: [
      ...element('view', {}),
      ...targets('filter by target', 'view', (kind) => ({
        query: `filter[to_entity_id]={id}&filter[to_entity_type]=${kind}`,
      })),
    ],
  },
  'POST /catalogs/:catalog_id/elements/:id/link': linkWrite(200),
  'POST /catalogs/:catalog_id/elements/:id/unlink': linkWrite(204),
  'POST /catalogs/:catalog_id/elements': { answers: 200, ids: [below('add', { body: [named] })] },
  'PATCH /catalogs/:catalog_id/elements': {
    answers: 200,
    ids: element('edit', { body: [{ id: '{id}', ...named }] }).map((place) => ({
      ...place,
      at: place.at.replace('path', 'item'),
    })),
  },
  'PATCH /catalogs/:catalog_id/elements/:id': { answers: 200, ids: element('edit', { body: named }) },
  'DELETE /catalogs/:catalog_id/elements/:id': { answers: 204, ids: element('delete', {}) },
  'POST /catalogs/:catalog_id/elements/:id/restore': { answers: 200, ids: element('delete', {}, true) },
}
