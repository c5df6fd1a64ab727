import { type CardType, cardTypes, entityTypes } from '../../src/entities/records/entity-types.ts'
import type { Declarations, IdPlace, SettingKind } from './declaration.ts'
import { tagging } from './declared-tags.ts'
import { inPath, people } from './places.ts'

/** Routes of leads, contacts, companies and customers, with every place for an id. */

const named = { name: 'Named {n}' }

const id = '{id}'
const ownOf = (type: CardType) => `{own ${type}}`
const newOf = (type: CardType) => `{new ${type}}`

const cards = (type: CardType): Declarations => ({
  ...reading(type),
  ...adding(type),
  ...changing(type),
  ...trashing(type),
  ...tagging(type),
  ...linking(type),
  ...merging(type),
  ...audiences(type),
  ...surveys(type),
})

function reading(type: CardType): Declarations {
  const own = ownOf(type)
  const everything = entityTypes[type].links.join(',')
  return {
    [`GET /${type}`]: {
      paid: true,
      answers: 200,
      asks: { query: `with=${everything}` },
      ids: [
        { at: 'filter', of: type, right: 'view', request: { query: 'filter[id]={id}' } },
        {
          at: 'filter with their own',
          of: type,
          right: 'view',
          request: { query: `filter[id][]=${own}&filter[id][]={id}&with=${everything}` },
        },
        {
          at: 'filter of the trash',
          of: type,
          right: 'view',
          trashed: true,
          request: { query: 'filter[id]={id}&with=only_deleted' },
        },
      ],
    },
    [`GET /${type}/totals`]: {
      paid: true,
      answers: 200,
      asks: {},
      ids: [
        { at: 'filter of what is counted', of: type, right: 'view', request: { query: 'filter[id]={id}' } },
      ],
    },
    [`GET /${type}/:id`]: {
      paid: true,
      answers: 200,
      ids: [
        { ...inPath(type, 'view', { query: `with=${everything}` }), missing: 204 },
        {
          at: 'path into the trash',
          of: type,
          right: 'view',
          trashed: true,
          missing: 204,
          request: { query: 'with=only_deleted' },
        },
      ],
    },
  }
}

function adding(type: CardType): Declarations {
  const { links } = entityTypes[type]
  return {
    [`POST /${type}`]: {
      needs: { add: type },
      answers: 200,
      asks: { body: [named] },
      ids: [
        ...links.map(
          (to): IdPlace => ({
            at: `_embedded.${to}`,
            of: to,
            right: 'view',
            request: { body: [named, { ...named, _embedded: { [to]: [{ id }] } }] },
          }),
        ),
        ...people((body) => ({ body: [{ ...named, ...body }] })),
        ...choices(type).map(
          ([member, of, body]): IdPlace => ({
            at: member,
            of,
            request: { body: [named, { ...named, ...body }] },
          }),
        ),
      ],
    },
  }
}

function changing(type: CardType): Declarations {
  const own = ownOf(type)
  const { links } = entityTypes[type]
  return {
    [`PATCH /${type}`]: {
      answers: 200,
      ids: [
        { at: 'item', of: type, right: 'edit', request: { body: [{ id, ...named }] } },
        {
          at: 'item after their own',
          of: type,
          right: 'edit',
          beside: [[type, 'edit']],
          request: {
            body: [
              { id: own, ...named },
              { id, ...named },
            ],
          },
        },
        ...links.map(
          (to): IdPlace => ({
            at: `_embedded.${to} of an item`,
            of: to,
            right: 'view',
            beside: [[type, 'edit']],
            request: { body: [{ id: own, ...named, _embedded: { [to]: [{ id }] } }] },
          }),
        ),
        ...choices(type).map(
          ([member, of, body]): IdPlace => ({
            at: `${member} of an item`,
            of,
            beside: [[type, 'edit']],
            request: { body: [{ id: newOf(type), ...named, ...body }] },
          }),
        ),
      ],
    },
    [`PATCH /${type}/:id`]: {
      answers: 200,
      ids: [
        inPath(type, 'edit', { body: named }),
        ...people((body) => ({ params: { id: newOf(type) }, body: { ...named, ...body } }), [[type, 'edit']]),
      ],
    },
  }
}

const trashing = (type: CardType): Declarations => ({
  [`DELETE /${type}/:id`]: { answers: 204, ids: [inPath(type, 'delete')] },
  [`DELETE /${type}`]: {
    answers: 204,
    ids: [
      { at: 'item', of: type, right: 'delete', request: { body: [{ id }] } },
      {
        at: 'item after their own',
        of: type,
        right: 'delete',
        beside: [[type, 'delete']],
        request: { body: [{ id: newOf(type) }, { id }] },
      },
    ],
  },
  [`POST /${type}/:id/restore`]: {
    answers: 200,
    ids: [{ ...inPath(type, 'delete'), trashed: true }],
  },
})

const merging = (type: CardType): Declarations => ({
  [`POST /${type}/merge`]: {
    answers: 200,
    ids: [
      {
        at: 'survivor',
        of: type,
        right: 'edit',
        beside: [[type, 'delete']],
        missing: 400,
        request: { body: { id, merge: [newOf(type)] } },
      },
      {
        at: 'merged',
        of: type,
        right: 'delete',
        beside: [[type, 'edit']],
        request: { body: { id: newOf(type), merge: [id] } },
      },
    ],
  },
})

function audiences(type: CardType): Declarations {
  const own = ownOf(type)
  return {
    [`GET /${type}/:id/audiences`]: { answers: 200, ids: [inPath(type, 'view')] },
    [`POST /${type}/:id/audiences`]: {
      answers: 200,
      ids: [
        inPath(type, 'edit', { body: { audience_id: '{own audiences}' } }),
        {
          at: 'audience_id',
          of: 'audiences',
          beside: [[type, 'edit']],
          request: { params: { id: own }, body: { audience_id: id } },
        },
      ],
    },
    [`DELETE /${type}/:id/audiences/:audience_id`]: {
      answers: 204,
      ids: [
        inPath(type, 'edit', { params: { audience_id: '{own audiences}' } }),
        {
          at: 'path, audience',
          of: 'audiences',
          beside: [[type, 'edit']],
          missing: 404,
          request: { params: { id: own, audience_id: id } },
        },
      ],
    },
  }
}

const surveys = (type: CardType): Declarations => ({
  [`POST /${type}/:id/surveys`]: { answers: 200, ids: [inPath(type, 'edit')] },
  [`POST /${type}/:id/nps`]: { answers: 200, ids: [inPath(type, 'edit', { body: { rate: 9 } })] },
})

/** Other members with ids of settings. `{new …}` keeps each lead in its known stage. */
function choices(type: CardType): [member: string, of: SettingKind, body: object][] {
  const field: [string, SettingKind, object] = [
    'custom_fields_values',
    `fields of ${type}`,
    { custom_fields_values: [{ field_id: id, values: [{ value: 'x' }] }] },
  ]
  const common: [string, SettingKind, object][] = [
    field,
    ['_embedded.tags', `tags of ${type}`, { _embedded: { tags: [{ id }] } }],
    ['tags_to_add', `tags of ${type}`, { tags_to_add: [{ id }] }],
  ]
  if (type === 'customers') return [...common, ['status_id', 'customer_statuses', { status_id: id }]]
  if (type !== 'leads') return common
  return [
    ...common,
    ['status_id', 'statuses', { status_id: id }],
    ['pipeline_id', 'pipelines', { pipeline_id: id }],
    ['loss_reason_id', 'loss_reasons', { status_id: 143, loss_reason_id: id }],
  ]
}

function linking(type: CardType): Declarations {
  const own = ownOf(type)
  return {
    [`GET /${type}/:id/links`]: {
      answers: 200,
      ids: [
        inPath(type, 'view'),
        ...entityTypes[type].links.map(
          (kind): IdPlace => ({
            at: `filter by target, ${kind}`,
            of: kind,
            right: 'view',
            beside: [[type, 'view']],
            request: {
              params: { id: own },
              query: `filter[to_entity_id]={id}&filter[to_entity_type]=${kind}`,
            },
          }),
        ),
      ],
    },
    [`GET /${type}/links`]: {
      answers: 200,
      ids: [
        { at: 'filter', of: type, right: 'view', request: { query: 'filter[entity_id][]={id}' } },
        {
          at: 'filter with their own',
          of: type,
          right: 'view',
          request: { query: `filter[entity_id][0]=${own}&filter[entity_id][1]={id}` },
        },
      ],
    },
    ...linkWrites(type, 'link', 200),
    ...linkWrites(type, 'unlink', 204),
  }
}

function linkWrites(type: CardType, verb: 'link' | 'unlink', answers: number): Declarations {
  const own = ownOf(type)
  const { links } = entityTypes[type]
  const to = links[0] as CardType
  const far = { to_entity_type: to, to_entity_id: ownOf(to) }
  return {
    [`POST /${type}/:id/${verb}`]: {
      answers,
      ids: [
        inPath(type, 'edit', { body: [far] }),
        ...links.map(
          (kind): IdPlace => ({
            at: `link target, ${kind}`,
            of: kind,
            right: 'view',
            beside: [[type, 'edit']],
            request: { params: { id: own }, body: [far, { to_entity_type: kind, to_entity_id: id }] },
          }),
        ),
      ],
    },
    [`POST /${type}/${verb}`]: {
      answers,
      ids: [
        { at: 'item', of: type, right: 'edit', request: { body: [{ entity_id: id, ...far }] } },
        {
          at: 'link target of an item',
          of: to,
          right: 'view',
          beside: [[type, 'edit']],
          request: {
            body: [
              { entity_id: own, ...far },
              { entity_id: own, to_entity_type: to, to_entity_id: id },
            ],
          },
        },
      ],
    },
  }
}

/** Leads with a contact and a company. */
const complex: Declarations = {
  'POST /leads/complex': {
    needs: { add: 'leads' },
    answers: 200,
    asks: { body: [{ ...named, _embedded: { contacts: [named], companies: [named] } }] },
    ids: (['contacts', 'companies'] as const).map((kind) => ({
      at: `_embedded.${kind}`,
      of: kind,
      right: 'view',
      request: { body: [named, { ...named, _embedded: { [kind]: [{ id: '{id}' }] } }] },
    })),
  },
}

/** A search finds exactly the visible records. It runs before the merges, because it would also find their results. */
const search: Declarations = {
  'GET /search': { paid: true, answers: 200, asks: { query: 'query=alike&limit=20' } },
}

const shortLinks: Declarations = {
  'POST /short_links': {
    answers: 200,
    ids: [
      {
        at: 'metadata',
        of: 'contacts',
        right: 'edit',
        request: {
          body: [{ url: 'https://shop.example/', metadata: { entity_type: 'contacts', entity_id: '{id}' } }],
        },
      },
    ],
  },
}

export const declaredCards: Declarations = Object.assign(
  {},
  search,
  ...cardTypes.map(cards),
  complex,
  shortLinks,
)
