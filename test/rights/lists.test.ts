import { expect, test } from 'vitest'
import type { LinkRow } from '../../src/db/tables.ts'
import { cardTypes, type EntityType, entityTypes } from '../../src/entities/entity-types.ts'
import type { RecordKind } from './declaration.ts'
import { reaches, type Thing } from './expected.ts'
import type { Caller } from './people.ts'
import { type Scene, stage } from './scene.ts'
import { entangle } from './states.ts'
import { every, walk } from './walk.ts'

/** A list with a query, and a predicate for the expected objects. */
interface Asked {
  query: string
  of?: (thing: Thing, caller: Caller) => boolean
  direction?: 'desc'
}

const all = () => true
/** Queries that all kinds of records support. Each also contains hidden records, by id, name, owner or value. */
function commonQueries(scene: Scene, kind: RecordKind, things: Thing[]): Asked[] {
  const ids = things.map(({ id }) => id)
  const people = [...new Set(things.map(({ responsible_user_id }) => responsible_user_id))]
  const field = scene.home.fields.get(kind as EntityType)
  const texts = things.map(textOf)
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
            of: (thing: Thing) => thing.responsible_user_id === id,
          })),
        ]),
    { query: 'filter[created_at][from]=1&filter[updated_at][to]=9999999999', of: all },
    { query: 'query=alike', of: all },
    ...things.map((thing) => ({
      query: `query=zqx${thing.mark}x`,
      of: (one: Thing) => one === thing,
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

function queriesOf(scene: Scene, kind: RecordKind, things: Thing[]): Asked[] {
  if (kind === 'tasks')
    return [
      { query: '', of: all },
      {
        query: every(
          'filter[id]',
          things.map(({ id }) => id),
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
          things.map(({ id }) => id),
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
    ...commonQueries(scene, kind, things),
    ...(kind === 'leads'
      ? [inStage(closed), inStage(open), { query: 'filter[price][from]=880000000', of: all }]
      : []),
  ]
}

const textOf = ({ mark }: Thing): string => `zqx${mark}x alike`

const kinds = [...cardTypes, 'catalog_elements', 'tasks', 'transactions'] as const

function pathsOf(
  scene: Scene,
  kind: (typeof kinds)[number],
): [path: string, of: (thing: Thing) => boolean][] {
  if (kind === 'transactions') return [['customers/transactions', all]]
  if (kind !== 'catalog_elements') return [[kind, all]]
  return scene.home.lists.map((list) => [
    `catalogs/${list}/elements`,
    ({ catalog_id }) => catalog_id === list,
  ])
}

/** Every object of a kind in the first account. */
const thingsOf = (scene: Scene, kind: RecordKind): Thing[] =>
  [...scene.byId.values()].filter((thing) => thing.kind === kind && thing.account_id === scene.here)

const membersOf = (scene: Scene): Caller[] =>
  scene.people.callers.filter(({ account_id }) => account_id === scene.here)

test('lists contain exactly the visible records, for each filter, search, order and page', {
  timeout: 300_000,
}, async () => {
  const scene = await stage()
  for (const kind of kinds) await scene.states(kind)
  await entangle(scene)
  const failures: string[] = []
  for (const kind of kinds) {
    const things = thingsOf(scene, kind)
    for (const [path, isIn] of pathsOf(scene, kind))
      for (const caller of membersOf(scene))
        for (const { query, of = all, direction } of queriesOf(scene, kind, things)) {
          const isOfTrash = query.includes('only_deleted')
          const expected = things
            .filter((thing) => isIn(thing) && thing.is_deleted === isOfTrash && of(thing, caller))
            .filter((thing) => reaches(caller, 'view', thing))
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
  expect(failures).toEqual([])
})

/** The faults in the totals of a list; null if the caller cannot see the list. */
async function miscounted(
  caller: Caller,
  path: string,
  query: string,
  expected: number | null,
): Promise<string[]> {
  const { status, body } = await caller.client.get(`${caller.surface}/${path}/totals?${query}`)
  const told = status === 200 ? body.total : status
  return told === (expected ?? 404)
    ? []
    : [`GET ${path}/totals?${query}: ${caller.name}: ${told}, not ${expected}`]
}

test('an export contains exactly the exportable records, and a search the visible ones', {
  timeout: 300_000,
}, async () => {
  const scene = await stage()
  const exported = [...cardTypes, 'catalog_elements'] as const
  for (const kind of exported) await scene.states(kind)
  await entangle(scene)
  const failures: string[] = []
  const note = (name: string, caller: Caller, told: unknown, expected: unknown) => {
    if (String(told) !== String(expected))
      failures.push(`${name}: ${caller.name}: ${told} and not ${expected}`)
  }
  const idsIn = (text: string) => [...text.matchAll(/^\{"id":(\d+),/gm)].map(([, id]) => Number(id))
  const sorted = (ids: number[]) => ids.toSorted((a, b) => a - b)
  for (const caller of membersOf(scene)) {
    const found = (await caller.client.get(`${caller.surface}/search?query=alike&limit=20`)).body._embedded
    for (const kind of exported) {
      const there = thingsOf(scene, kind).filter(({ is_deleted }) => !is_deleted)
      const seen = there.filter((thing) => reaches(caller, 'view', thing))
      const ids = found[kind].map(({ id }: { id: number }) => id)
      // A search returns at most twenty records.
      const isWhole = seen.length <= 20
      if (isWhole) note(`search, ${kind}`, caller, sorted(ids), sorted(seen.map(({ id }) => Number(id))))
      else if (ids.some((id: number) => !seen.some((thing) => Number(thing.id) === id)))
        failures.push(`search, ${kind}: ${caller.name}: shows what is hidden`)
      for (const [path, isIn] of pathsOf(scene, kind)) {
        const { status, text } = await caller.client.get(`${caller.surface}/${path}?format=ndjson`)
        const taken = seen.filter((thing) => isIn(thing) && reaches(caller, 'export', thing))
        if (status === 200) note(path, caller, idsIn(text), sorted(taken.map(({ id }) => Number(id))))
        else note(path, caller, taken.length, 0)
      }
    }
  }
  expect(failures).toEqual([])
})

const listOf = (scene: Scene, path: string): Thing => scene.byId.get(path.split('/')[1] as string) as Thing

test('embedded and linked records are exactly the visible ones', { timeout: 300_000 }, async () => {
  const scene = await stage()
  for (const kind of [...cardTypes, 'catalog_elements'] as const) await scene.states(kind)
  await entangle(scene)
  const { db } = scene.world.ctx
  const links = await db.selectFrom('links').selectAll().orderBy('to_entity_id').execute()
  const linksOf = Map.groupBy(links, ({ entity_id }) => entity_id)
  const failures: string[] = []
  for (const caller of membersOf(scene))
    for (const kind of cardTypes) {
      const seen = thingsOf(scene, kind).filter(
        (thing) => !thing.is_deleted && reaches(caller, 'view', thing),
      )
      const expected = (thing: Thing, to: EntityType): string => {
        const far = (linksOf.get(Number(thing.id)) ?? []).filter(
          (link: LinkRow) => link.to_entity_type === to,
        )
        return far
          .map(({ to_entity_id }) => scene.byId.get(String(to_entity_id)) as Thing)
          .filter((one) => !one.is_deleted && reaches(caller, 'view', one))
          .map(({ id }) => id)
          .join()
      }
      const asked = entityTypes[kind].links.filter((to) => !(kind === 'companies' && to === 'companies'))
      const at = `${caller.surface}/${kind}`
      const { body } = await caller.client.get(`${at}?limit=250&with=${asked.join()}`)
      for (const record of body._embedded[kind]) {
        const thing = scene.byId.get(String(record.id)) as Thing
        for (const to of asked) {
          const shown = (record._embedded[to] ?? []).map(({ id }: { id: number }) => id).join()
          if (record._embedded[to] && shown !== expected(thing, to))
            failures.push(`${caller.name}: ${kind} ${thing.state} with ${to}: ${shown}`)
        }
      }
      const hidden = thingsOf(scene, kind).map(({ id }) => `filter[entity_id][]=${id}`)
      const many = (await caller.client.get(`${at}/links?${hidden.join('&')}`)).body._embedded.links
      for (const thing of seen) {
        const one = (await caller.client.get(`${at}/${thing.id}/links`)).body._embedded.links
        for (const to of entityTypes[kind].links)
          for (const [name, list] of [
            ['links', one],
            ['links of many', many.filter(({ entity_id }: LinkRow) => entity_id === thing.id)],
          ] as const) {
            const shown = list
              .filter((link: LinkRow) => link.to_entity_type === to)
              .map(({ to_entity_id }: LinkRow) => to_entity_id)
              .join()
            if (shown !== expected(thing, to))
              failures.push(`${caller.name}: ${name} of ${kind} ${thing.state} to ${to}: ${shown}`)
          }
      }
      const near = new Set(many.map(({ entity_id }: LinkRow) => entity_id))
      for (const { id } of seen) near.delete(id)
      if (near.size > 0) failures.push(`${caller.name}: links of ${kind} that he may not see: ${[...near]}`)
    }
  expect(failures).toEqual([])
})
