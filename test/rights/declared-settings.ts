import { cardTypes } from '../../src/entities/records/entity-types.ts'
import type { Declarations, FieldHome, IdPlace, SettingKind, Template } from './declaration.ts'

/** Routes of the account and its settings. Everybody can read some of them, and administrators can write. */

const inPath = (of: SettingKind, request: Template = {}): IdPlace => ({ at: 'path', of, request })
const inItem = (of: SettingKind, request: Template): IdPlace => ({ at: 'item', of, request })
const inMember = (at: string, of: SettingKind, request: Template): IdPlace => ({ at, of, request })
const named = { name: 'Named {n}' }

/** The five usual routes of a resource. */
function usual(
  at: string,
  of: SettingKind,
  {
    read,
    add,
    added = 200,
    patch = named,
    changed = 200,
    params,
  }: {
    read: 'admin' | 'member'
    add: unknown
    added?: number
    patch?: object
    changed?: number
    params?: Record<string, string>
  },
): Declarations {
  const may = read === 'admin' ? ({ needs: 'admin' } as const) : {}
  const around = params ? { params } : {}
  return {
    [`GET ${at}`]: { ...may, answers: 200, asks: around },
    [`GET ${at}/:id`]: { ...may, answers: 200, ids: [inPath(of, around)] },
    [`POST ${at}`]: { needs: 'admin', answers: added, asks: { ...around, body: add }, ids: [] },
    [`PATCH ${at}/:id`]: { needs: 'admin', answers: changed, ids: [inPath(of, { ...around, body: patch })] },
    [`DELETE ${at}/:id`]: { needs: 'admin', answers: 204, ids: [inPath(of, around)] },
  }
}

const account: Declarations = {
  'GET /currencies': { answers: 200, asks: {} },
  'GET /account': { answers: 200, asks: { query: 'with=users_groups,task_types,amojo_rights' } },
  'PATCH /account': { needs: 'admin', answers: 200, asks: { body: named } },
}

const person = { ...named, email: 'person-{n}@example.com', password: 'blue otter sings 9' }

const people: Declarations = {
  ...usual('/users', 'users', { read: 'admin', add: [person], added: 201, patch: { phone_number: '+{n}' } }),
  'POST /users/:id/activate': { needs: 'admin', answers: 202, ids: [inPath('users')] },
  'POST /users/:id/deactivate': { needs: 'admin', answers: 204, ids: [inPath('users')] },
  'POST /users/activate': {
    needs: 'admin',
    answers: 204,
    ids: [inItem('users', { body: [{ id: '{id}' }] })],
  },
  'POST /users/deactivate': {
    needs: 'admin',
    answers: 204,
    ids: [inItem('users', { body: [{ id: '{id}' }] })],
  },
  ...usual('/roles', 'roles', { read: 'admin', add: named, added: 201, changed: 202 }),
  ...usual('/groups', 'groups', { read: 'admin', add: named, added: 201 }),
}
people['POST /users']?.ids?.push(
  inMember('role_id', 'roles', { body: [{ ...person, role_id: '{id}' }] }),
  inMember('group_id', 'groups', { body: [{ ...person, group_id: '{id}' }] }),
)
people['PATCH /users/:id']?.ids?.push(
  inMember('role_id', 'roles', { params: { id: '{new users}' }, body: { role_id: '{id}' } }),
  inMember('group_id', 'groups', { params: { id: '{new users}' }, body: { group_id: '{id}' } }),
)
// Groups are only read as a list.
delete people['GET /groups/:id']

const audiences: Declarations = usual('/audiences', 'audiences', {
  read: 'member',
  add: [{ ...named, service: 'ads' }],
})

const stage = { ...named, sort: 50 }
const pipelines: Declarations = {
  ...usual('/leads/pipelines', 'pipelines', {
    read: 'member',
    add: [{ ...named, sort: 50, is_main: false, is_unsorted_on: false }],
  }),
  ...usual('/leads/pipelines/:pipeline_id/statuses', 'statuses', {
    read: 'member',
    add: [stage],
    params: { pipeline_id: '{main pipelines}' },
  }),
  'PATCH /leads/pipelines': {
    needs: 'admin',
    answers: 200,
    ids: [inItem('pipelines', { body: [{ id: '{id}', ...named }] })],
  },
  'PATCH /leads/pipelines/:pipeline_id/statuses': {
    needs: 'admin',
    answers: 200,
    ids: [
      inItem('statuses', {
        params: { pipeline_id: '{main pipelines}' },
        body: [{ id: '{id}', ...named }],
      }),
    ],
  },
  ...usual('/leads/pipelines/:pipeline_id/automations', 'automations', {
    read: 'admin',
    add: [{ status_id: 142, action: { type: 'create_task', text: 'Call {n}' } }],
    patch: { action: { type: 'create_task', text: 'Call {n}' } },
    params: { pipeline_id: '{main pipelines}' },
  }),
  'GET /leads/pipelines/:pipeline_id/automations/runs': {
    needs: 'admin',
    answers: 204,
    asks: { params: { pipeline_id: '{main pipelines}' } },
  },
  ...usual('/leads/loss_reasons', 'loss_reasons', { read: 'member', add: [named] }),
  ...usual('/customers/statuses', 'customer_statuses', { read: 'member', add: [stage] }),
  'PATCH /customers/mode': {
    needs: 'admin',
    answers: 200,
    asks: { body: { mode: 'segments', is_enabled: true } },
  },
}

function fields(path: string, home: FieldHome): Declarations {
  const at = `${path}/custom_fields`
  const of = `fields of ${home}` as const
  const ofList = home === 'catalog_elements'
  const params: Record<string, string> = ofList ? { catalog_id: '{main catalogs}' } : {}
  const read = usual(at, of, { read: 'member', add: [{ ...named, type: 'text' }], added: 201, params })
  if (ofList) closeToOthers(read, at, { ...named, type: 'text' })
  return {
    ...read,
    [`GET ${at}/:id/usage`]: { needs: 'admin', answers: 200, ids: [inPath(of, { params })] },
    [`PATCH ${at}`]: {
      needs: 'admin',
      answers: 200,
      ids: [inItem(of, { params, body: [{ id: '{id}', ...named }] })],
    },
  }
}

/** Fields of a list and their groups require access to the list. */
function closeToOthers(fields: Declarations, at: string, draft: object): void {
  const list = (body?: unknown): IdPlace => ({
    at: 'path, list',
    of: 'catalogs',
    right: 'view',
    request: { params: { catalog_id: '{id}' }, ...(body !== undefined && { body }) },
  })
  fields[`GET ${at}`] = { answers: 200, ids: [list()] }
  const one = fields[`GET ${at}/:id`]?.ids?.[0] as IdPlace
  one.beside = [['catalogs', 'view']]
  fields[`POST ${at}`]?.ids?.push(list([draft]))
}

function fieldGroups(path: string, home: Exclude<FieldHome, 'segments'>): Declarations {
  const at = `${path}/custom_fields/groups`
  const of = `groups of ${home}` as const
  const ofList = home === 'catalog_elements'
  const params: Record<string, string> = ofList ? { catalog_id: '{main catalogs}' } : {}
  const draft = { ...named, sort: 5 }
  const groups = usual(at, of, { read: 'member', add: [draft], added: 201, params })
  const fields = { fields: ['{id}'] }
  if (ofList) closeToOthers(groups, at, draft)
  groups[`POST ${at}`]?.ids?.push(
    inMember('fields', `fields of ${home}`, { params, body: [{ ...draft, ...fields }] }),
  )
  groups[`PATCH ${at}/:id`]?.ids?.push(
    inMember('fields', `fields of ${home}`, { params: { ...params, id: `{own ${of}}` }, body: fields }),
  )
  return groups
}

/** Sources belong to an integration and have their own refusals (A14). */
const source = { ...named, external_id: 'external-{n}' }
const sources: Declarations = {
  'GET /sources': { needs: 'integration', answers: 200, asks: {} },
  'GET /sources/:id': { needs: 'integration', answers: 200, ids: [inPath('sources')] },
  'POST /sources': {
    needs: 'integration',
    answers: 200,
    asks: { body: [source] },
    ids: [inMember('pipeline_id', 'pipelines', { body: [{ ...source, pipeline_id: '{id}' }] })],
  },
  'PATCH /sources': {
    needs: 'integration',
    answers: 200,
    ids: [inItem('sources', { body: [{ id: '{id}', ...named }] })],
  },
  'PATCH /sources/:id': { needs: 'integration', answers: 200, ids: [inPath('sources', { body: named })] },
  'DELETE /sources': {
    needs: 'integration',
    answers: 204,
    ids: [inItem('sources', { body: [{ id: '{id}' }] })],
  },
  'DELETE /sources/:id': { needs: 'integration', answers: 204, ids: [inPath('sources')] },
}

/** Webhooks are named by their address, which is not an id. */
const webhooks: Declarations = {
  'GET /outgoing_requests': { needs: 'admin', answers: 200, asks: {} },
  'GET /webhooks': { needs: 'admin', answers: 200, asks: {} },
  'POST /webhooks': {
    needs: 'admin',
    answers: 201,
    asks: { body: { destination: 'https://hook.example/{n}', settings: ['add_lead'] } },
  },
  'DELETE /webhooks': {
    needs: 'admin',
    answers: 404,
    asks: { body: { destination: 'https://hook.example/none' } },
  },
}

const lists: Declarations = {
  'GET /catalogs': { answers: 200, asks: {} },
  'GET /catalogs/:id': {
    answers: 200,
    ids: [{ at: 'path', of: 'catalogs', right: 'view', request: {} }],
  },
  'POST /catalogs': { needs: 'admin', answers: 200, asks: { body: [named] } },
  'PATCH /catalogs': {
    needs: 'admin',
    answers: 200,
    ids: [{ at: 'item', of: 'catalogs', request: { body: [{ id: '{id}', ...named }] } }],
  },
  'PATCH /catalogs/:id': {
    needs: 'admin',
    answers: 200,
    ids: [{ at: 'path', of: 'catalogs', request: { body: named } }],
  },
  'DELETE /catalogs/:id': {
    needs: 'admin',
    answers: 204,
    ids: [{ at: 'path', of: 'catalogs', request: {} }],
  },
}

const homes: [string, FieldHome][] = [
  ...cardTypes.map((type): [string, FieldHome] => [`/${type}`, type]),
  ['/customers/segments', 'segments'],
  ['/catalogs/:catalog_id', 'catalog_elements'],
]

const products: Declarations = {
  'GET /catalogs/products/settings': { answers: 200, asks: {} },
  'PATCH /catalogs/products/settings': {
    needs: 'admin',
    answers: 200,
    asks: { body: { is_enabled: false } },
  },
}

/** Widgets are named by their code. */
const widgets: Declarations = {
  'GET /widgets': { answers: 204, asks: {} },
  'GET /widgets/:code': { answers: 404, asks: { params: { code: 'none' } } },
  'POST /widgets/:code': { needs: 'admin', answers: 404, asks: { params: { code: 'none' }, body: {} } },
  'DELETE /widgets/:code': { needs: 'admin', answers: 404, asks: { params: { code: 'none' } } },
}

const segments: Declarations = usual('/customers/segments', 'segments', { read: 'member', add: named })

export const declaredSettings: Declarations = Object.assign(
  {},
  account,
  people,
  audiences,
  pipelines,
  segments,
  products,
  widgets,
  lists,
  ...homes.map(([path, home]) => fields(path, home)),
  ...homes.flatMap(([path, home]) => (home === 'segments' ? [] : [fieldGroups(path, home)])),
  sources,
  webhooks,
)
