import { expect, test } from 'vitest'
import { world } from '../world.ts'
import { declaredRights } from './declared-rights.ts'
import { servedRoutes } from './served-routes.ts'

test('the declarations contain exactly the routes below /api/v4 and /web/v4', async () => {
  const { app } = await world()
  const declared = Object.keys(declaredRights).map(withoutNames).toSorted()
  for (const surface of ['/api/v4', '/web/v4'])
    expect({ surface, routes: servedRoutes(app.http, surface) }).toEqual({ surface, routes: declared })
})

test('every declaration has a request without ids, or one for each place of an id', () => {
  const silent = Object.entries(declaredRights).filter(([, { asks, ids }]) => !asks && !ids?.length)
  expect(silent.map(([route]) => route)).toEqual([])
})

/** Replaces the names of parameters, because the router drops some. */
const withoutNames = (route: string): string => route.replaceAll(/:\w+/g, ':')
