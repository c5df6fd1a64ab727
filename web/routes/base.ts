import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Problem } from '../api/problem.ts'
import { queryClient } from '../data/query-client.ts'
import { sessionOptions } from '../data/session.ts'
import { speak } from '../i18n/i18n.ts'
import { StartProblem } from '../shell/state-pages.tsx'

const session = () => queryClient.ensureQueryData(sessionOptions)

export const root = createRootRoute({
  errorComponent: StartProblem,
  beforeLoad: async () => {
    const { user } = await session()
    if (user) await speak(user.lang)
  },
})

/** The rooms, for those who have signed in. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
  beforeLoad: async ({ location }) => {
    const { user, setup_needed } = await session()
    if (setup_needed) throw redirect({ to: '/setup' })
    if (!user) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } })
  },
})

/** Says so instead of showing a room in which nothing can be done. The server decides for itself. */
export async function administratorsOnly() {
  const { account } = await session()
  if (!account?.is_admin) throw new Problem(403, { type: '#forbidden' })
}

export const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value))

/** What a list is asked with, as it stands in the address: the very members of the API's query. */
export type ListSearch = Record<string, string>

const asked = /^(?:query|view|shape|columns|(?:filter|order)(?:\[[^\]]*\])+)$/

/** An address is passed on to the API as it is; members that no list knows are left out. */
export const listSearch = (search: Record<string, unknown>): ListSearch =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([name]) => asked.test(name))
      .map(([name, value]) => [name, String(value)]),
  )
