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
