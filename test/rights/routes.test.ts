import { expect, test } from 'vitest'
import { world } from '../world.ts'
import { declaredRights } from './declared-rights.ts'
import { servedRoutes } from './served-routes.ts'

test('every route below /api/v4 and /web/v4 has declared rights, and nothing else has', async () => {
  const { app } = await world()
  const declared = Object.keys(declaredRights).map(withoutNames).toSorted()
  for (const surface of ['/api/v4', '/web/v4'])
    expect({ surface, routes: servedRoutes(app.http, surface) }).toEqual({ surface, routes: declared })
})

test('every declaration is asked for: by a request that names nothing, or by one for each place of an id', () => {
  const silent = Object.entries(declaredRights).filter(([, { asks, ids }]) => !asks && !ids?.length)
  expect(silent.map(([route]) => route)).toEqual([])
})

/** The router does not tell what a parameter is called where routes differ in it. */
const withoutNames = (route: string): string => route.replaceAll(/:\w+/g, ':')
