import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Problem, Unreachable } from '../api/problem.ts'
import { answers, doubtReachable } from '../api/reachable.ts'
import { queryClient } from '../data/query-client.ts'
import { sessionOptions } from '../data/session.ts'
import { speak, speakToAdministrators } from '../i18n/i18n.ts'
import { StartProblem } from '../shell/state-pages.tsx'

/**
 * A page in a file of its own. If the file is missing, the router loads the application again: right after an upgrade of
 * the server, but without a connection nothing of the application would be left.
 */
export const lazyPage = <File extends Record<string, unknown>, Name extends keyof File>(
  load: () => Promise<File>,
  name: Name,
) => lazyRouteComponent<File, Name>(() => load().catch(refuse), name)

/** A page for administrators with texts that nobody else loads. They come with its file. */
export const lazyAdministratorPage = <File extends Record<string, unknown>, Name extends keyof File>(
  load: () => Promise<File>,
  name: Name,
) => lazyPage(async () => (await Promise.all([load(), speakToAdministrators()]))[0], name)

async function refuse(error: unknown): Promise<never> {
  doubtReachable()
  throw (await answers()) ? error : new Unreachable(error)
}

export const session = () => queryClient.ensureQueryData(sessionOptions)

export const root = createRootRoute({
  errorComponent: StartProblem,
  beforeLoad: async () => {
    const { user } = await session()
    if (user) await speak(user.lang)
  },
})

/** The pages behind sign-in. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyPage(() => import('./frame.tsx'), 'Frame'),
  errorComponent: lazyPage(() => import('../shell/no-account.tsx'), 'FrameProblem'),
  beforeLoad: async ({ location }) => {
    const { user, account, setup_needed } = await session()
    if (setup_needed) throw redirect({ to: '/setup' })
    if (!user) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } })
    if (!account) throw new Problem(403, { type: '#not_a_member' })
  },
})

/** Shows a message to people without permission. The server checks again. */
export async function administratorsOnly() {
  const { account } = await session()
  if (!account?.is_admin) throw new Problem(403, { type: '#forbidden' })
}

export const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value))

/** The query parameters of the API, as they are in the address. */
export type ListSearch = Record<string, string>

const asked = /^(?:query|view|shape|columns|(?:filter|order)(?:\[[^\]]*\])+)$/

/** Keeps the parameters of the API and drops unknown ones. */
export const listSearch = (search: Record<string, unknown>): ListSearch =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([name]) => asked.test(name))
      .map(([name, value]) => [name, String(value)]),
  )

/** Keeps the named parameters, as texts. */
export const searchOf = (search: Record<string, unknown>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = text(search[name])
      return value === undefined ? [] : [[name, value]]
    }),
  )
