import { expect, test } from 'vitest'
import type { LinkRow } from '../../src/db/tables.ts'
import { cardTypes, type EntityType, entityTypes } from '../../src/entities/records/entity-types.ts'
import { ofSample } from '../sample.ts'
import type { RecordKind } from './declaration.ts'
import { type Resource, reaches } from './expected.ts'
import type { Caller } from './people.ts'
import { createScene, type Scene } from './scene.ts'
import { linkEverything } from './states.ts'
import { askedBy, every, walk } from './walk.ts'

/** A list with a query, and a predicate for the expected objects. */
interface Asked {
  query: string
  of?: (resource: Resource, caller: Caller) => boolean
  direction?: 'desc'
}

const all = () => true
/** Queries that all kinds of records support. Each also contains hidden records, by id, name, owner or value. */
function commonQueries(scene: Scene, kind: RecordKind, resources: Resource[]): Asked[] {
  const ids = resources.map(({ id }) => id)
  const people = [...new Set(resources.map(({ responsible_user_id }) => responsible_user_id))]
  const field = scene.home.fields.get(kind as EntityType)
  const texts = resources.map(textOf)
  return [
    { query: '', of: all },
    { query: every('filter[id]', ids), of: all },
    { query: every('filter[name]', texts), of: all },
    // Elements have no responsible user.
    ...(kind === 'catalog_elements'
      ? []
      : [
          { query: every('filter[responsible_user_id]', people), of: all },
          ...people.map((id) => ({
            query: `filter[responsible_user_id]=${id}`,
            of: (resource: Resource) => resource.responsible_user_id === id,
          })),
        ]),
    { query: 'filter[created_at][from]=1&filter[updated_at][to]=9999999999', of: all },
    { query: 'query=alike', of: all },
    ...resources.map((resource) => ({
      query: `query=zqx${resource.mark}x`,
      of: (one: Resource) => one === resource,
    })),
    ...(field === undefined
      ? []
      : [
          {
            query: every(
              `filter[custom_fields_values][${field}]`,
              texts.map((text) => `${text} value`),
            ),
            of: all,
          },
        ]),
    { query: 'order[id]=desc', of: all, direction: 'desc' as const },
    ...(kind === 'catalog_elements'
      ? []
      : (['created_at', 'updated_at'] as const).flatMap((column): Asked[] => [
          { query: `order[${column}]=asc`, of: all },
          { query: `order[${column}]=desc&query=alike`, of: all, direction: 'desc' },
        ])),
    { query: 'with=only_deleted', of: ({ is_deleted }) => is_deleted },
  ]
}

function queriesOf(scene: Scene, kind: RecordKind, resources: Resource[]): Asked[] {
  if (kind === 'tasks')
    return [
      { query: '', of: all },
      {
        query: every(
          'filter[id]',
          resources.map(({ id }) => id),
        ),
        of: all,
      },
      {
        query: 'filter[entity_type]=leads',
        of: ({ parent }, caller) => parent !== null && reaches(caller, 'view', parent),
      },
      { query: 'filter[is_completed]=0', of: all },
      { query: 'order[complete_till]=desc', of: all, direction: 'desc' },
      { query: 'order[created_at]=asc', of: all },
    ]
  if (kind === 'transactions')
    return [
      { query: '', of: all },
      {
        query: every(
          'filter[id]',
          resources.map(({ id }) => id),
        ),
        of: all,
      },
    ]
  const [, closed, open] = scene.home.stages
  const inStage = (status_id: number): Asked => ({
    query: `filter[statuses][0][pipeline_id]=${scene.home.pipeline_id}&filter[statuses][0][status_id]=${status_id}`,
    of: ({ stage }) => stage?.status_id === status_id,
  })
  return [
    ...commonQueries(scene, kind, resources),
    ...(kind === 'leads'
      ? [inStage(closed), inStage(open), { query: 'filter[price][from]=880000000', of: all }]
      : []),
  ]
}

const textOf = ({ mark }: Resource): string => `zqx${mark}x alike`

const kinds = [...cardTypes, 'catalog_elements', 'tasks', 'transactions'] as const

function pathsOf(
  scene: Scene,
  kind: (typeof kinds)[number],
): [path: string, of: (resource: Resource) => boolean][] {
  if (kind === 'transactions') return [['customers/transactions', all]]
  if (kind !== 'catalog_elements') return [[kind, all]]
  return scene.home.lists.map((list) => [
    `catalogs/${list}/elements`,
    ({ catalog_id }) => catalog_id === list,
  ])
}

/** Every object of a kind in the first account. */
const resourcesOf = (scene: Scene, kind: RecordKind): Resource[] =>
  [...scene.byId.values()].filter((resource) => resource.kind === kind && resource.account_id === scene.here)

const membersOf = (scene: Scene): Caller[] =>
  scene.people.callers.filter(({ account_id }) => account_id === scene.here)

test('lists contain exactly the visible records, for each filter, search, order and page', {
  timeout: 300_000,
}, async () => {
  const scene = await createScene()
  for (const kind of kinds) await scene.states(kind)
  await linkEverything(scene)
  const failures: string[] = []
  for (const kind of kinds) {
    const resources = resourcesOf(scene, kind)
    for (const [path, isIn] of pathsOf(scene, kind))
      for (const [person, caller] of membersOf(scene).entries())
        for (const { query, of = all, direction } of askedBy(person, queriesOf(scene, kind, resources))) {
          const isOfTrash = query.includes('only_deleted')
          const expected = resources
            .filter((resource) => isIn(resource) && resource.is_deleted === isOfTrash && of(resource, caller))
            .filter((resource) => reaches(caller, 'view', resource))
            .map(({ id }) => Number(id))
            .toSorted((a, b) => (direction ? b - a : a - b))
          const isHiddenList = kind === 'catalog_elements' && !reaches(caller, 'view', listOf(scene, path))
          for (const limit of query === '' || query.includes('alike') ? [2, 250] : [250]) {
            const { ids, faults } = await walk(caller, path, query, limit)
            if (limit === 250 && kind !== 'tasks' && kind !== 'transactions')
              failures.push(...(await miscounted(caller, path, query, isHiddenList ? null : expected.length)))
            const name = `GET ${path}?${query}, by ${limit}: ${caller.name}`
            if (isHiddenList) {
              if (!faults[0]?.startsWith('404')) failures.push(`${name}: ${faults[0] ?? 'is shown'}`)
            } else if (faults.length > 0) failures.push(`${name}: ${faults.join(', ')}`)
            else if (String(ids) !== String(expected)) failures.push(`${name}: ${ids} and not ${expected}`)
          }
        }
  }
  expect(failures, ofSample).toEqual([])
})

/** The faults in the totals of a list; null if the caller cannot see the list. */
async function miscounted(
  caller: Caller,
  path: string,
  query: string,
  expected: number | null,
): Promise<string[]> {
  const { status, body } = await caller.client.get(`${caller.surface}/${path}/totals?${query}`)
  const total = status === 200 ? body.total : status
  return total === (expected ?? 404)
    ? []
    : [`GET ${path}/totals?${query}: ${caller.name}: ${total}, not ${expected}`]
}

test('an export contains exactly the exportable records, and a search the visible ones', {
  timeout: 300_000,
}, async () => {
  const scene = await createScene()
  const exported = [...cardTypes, 'catalog_elements'] as const
  for (const kind of exported) await scene.states(kind)
  await linkEverything(scene)
  const failures: string[] = []
  const note = (name: string, caller: Caller, actual: unknown, expected: unknown) => {
    if (String(actual) !== String(expected))
      failures.push(`${name}: ${caller.name}: ${actual} and not ${expected}`)
  }
  const idsIn = (text: string) => [...text.matchAll(/^\{"id":(\d+),/gm)].map(([, id]) => Number(id))
  const sorted = (ids: number[]) => ids.toSorted((a, b) => a - b)
  for (const caller of membersOf(scene)) {
    const found = (await caller.client.get(`${caller.surface}/search?query=alike&limit=20`)).body._embedded
    for (const kind of exported) {
      const there = resourcesOf(scene, kind).filter(({ is_deleted }) => !is_deleted)
      const seen = there.filter((resource) => reaches(caller, 'view', resource))
      const ids = found[kind].map(({ id }: { id: number }) => id)
      // A search returns at most twenty records.
      const isWhole = seen.length <= 20
      if (isWhole) note(`search, ${kind}`, caller, sorted(ids), sorted(seen.map(({ id }) => Number(id))))
      else if (ids.some((id: number) => !seen.some((resource) => Number(resource.id) === id)))
        failures.push(`search, ${kind}: ${caller.name}: shows what is hidden`)
      for (const [path, isIn] of pathsOf(scene, kind)) {
        const { status, text } = await caller.client.get(`${caller.surface}/${path}?format=ndjson`)
        const taken = seen.filter((resource) => isIn(resource) && reaches(caller, 'export', resource))
        if (status === 200) note(path, caller, idsIn(text), sorted(taken.map(({ id }) => Number(id))))
        else note(path, caller, taken.length, 0)
      }
    }
  }
  expect(failures).toEqual([])
})

const listOf = (scene: Scene, path: string): Resource =>
  scene.byId.get(path.split('/')[1] as string) as Resource

test('embedded and linked records are exactly the visible ones', { timeout: 300_000 }, async () => {
  const scene = await createScene()
  for (const kind of [...cardTypes, 'catalog_elements'] as const) await scene.states(kind)
  await linkEverything(scene)
  const { db } = scene.world.ctx
  const links = await db.selectFrom('links').selectAll().orderBy('to_entity_id').execute()
  const linksOf = Map.groupBy(links, ({ entity_id }) => entity_id)
  const failures: string[] = []
  for (const caller of membersOf(scene))
    for (const kind of cardTypes) {
      const seen = resourcesOf(scene, kind).filter(
        (resource) => !resource.is_deleted && reaches(caller, 'view', resource),
      )
      const expected = (resource: Resource, to: EntityType): string => {
        const far = (linksOf.get(Number(resource.id)) ?? []).filter(
          (link: LinkRow) => link.to_entity_type === to,
        )
        return far
          .map(({ to_entity_id }) => scene.byId.get(String(to_entity_id)) as Resource)
          .filter((one) => !one.is_deleted && reaches(caller, 'view', one))
          .map(({ id }) => id)
          .join()
      }
      const asked = entityTypes[kind].links.filter((to) => !(kind === 'companies' && to === 'companies'))
      const at = `${caller.surface}/${kind}`
      const { body } = await caller.client.get(`${at}?limit=250&with=${asked.join()}`)
      for (const record of body._embedded[kind]) {
        const resource = scene.byId.get(String(record.id)) as Resource
        for (const to of asked) {
          const shown = (record._embedded[to] ?? []).map(({ id }: { id: number }) => id).join()
          if (record._embedded[to] && shown !== expected(resource, to))
            failures.push(`${caller.name}: ${kind} ${resource.state} with ${to}: ${shown}`)
        }
      }
      const hidden = resourcesOf(scene, kind).map(({ id }) => `filter[entity_id][]=${id}`)
      const many = (await caller.client.get(`${at}/links?${hidden.join('&')}`)).body._embedded.links
      for (const resource of seen) {
        const one = (await caller.client.get(`${at}/${resource.id}/links`)).body._embedded.links
        for (const to of entityTypes[kind].links)
          for (const [name, list] of [
            ['links', one],
            ['links of many', many.filter(({ entity_id }: LinkRow) => entity_id === resource.id)],
          ] as const) {
            const shown = list
              .filter((link: LinkRow) => link.to_entity_type === to)
              .map(({ to_entity_id }: LinkRow) => to_entity_id)
              .join()
            if (shown !== expected(resource, to))
              failures.push(`${caller.name}: ${name} of ${kind} ${resource.state} to ${to}: ${shown}`)
          }
      }
      const near = new Set(many.map(({ entity_id }: LinkRow) => entity_id))
      for (const { id } of seen) near.delete(id)
      if (near.size > 0) failures.push(`${caller.name}: links of ${kind} that they cannot see: ${[...near]}`)
    }
  expect(failures).toEqual([])
})
