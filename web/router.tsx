import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { Problem } from './api/problem.ts'
import { queryClient } from './api/query-client.ts'
import { sessionOptions } from './api/session.ts'
import { speak } from './i18n/i18n.ts'
import { LostPage, ProblemPage, StartProblem, WaitingPage } from './shell/states.tsx'

const session = () => queryClient.ensureQueryData(sessionOptions)

const root = createRootRoute({
  errorComponent: StartProblem,
  beforeLoad: async () => {
    const { user } = await session()
    if (user) await speak(user.lang)
  },
})

/** The rooms, for those who have signed in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
  beforeLoad: async ({ location }) => {
    const { user, setup_needed } = await session()
    if (setup_needed) throw redirect({ to: '/setup' })
    if (!user) throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } })
  },
})

/** Says so instead of showing a room in which nothing can be done. The server decides for itself. */
async function administratorsOnly() {
  const { account } = await session()
  if (!account?.is_admin) throw new Problem(403, { type: '#forbidden' })
}

const index = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: async () => {
    const { account } = await session()
    throw redirect({ to: account?.is_admin ? '/integrations' : '/settings/profile' })
  },
})

const integrations = createRoute({
  getParentRoute: () => shell,
  id: 'lists',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./integrations/integrations-page.tsx'), 'IntegrationsPage'),
})
const installed = createRoute({
  getParentRoute: () => integrations,
  path: '/integrations',
  component: lazyRouteComponent(() => import('./integrations/installed-list.tsx'), 'InstalledList'),
})
const built = createRoute({
  getParentRoute: () => integrations,
  path: '/integrations/built',
  component: lazyRouteComponent(() => import('./integrations/built-list.tsx'), 'BuiltList'),
})
const newIntegration = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/new',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(
    () => import('./integrations/new-integration-page.tsx'),
    'NewIntegrationPage',
  ),
})
const installation = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/installed/$clientId',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./integrations/installation-page.tsx'), 'InstallationPage'),
})
const integration = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/built/$clientId',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./integrations/integration-window.tsx'), 'IntegrationWindow'),
})
const integrationSettings = createRoute({
  getParentRoute: () => integration,
  path: '/',
  component: lazyRouteComponent(() => import('./integrations/settings-tab.tsx'), 'SettingsTab'),
})
const integrationKeys = createRoute({
  getParentRoute: () => integration,
  path: '/keys',
  component: lazyRouteComponent(() => import('./integrations/keys-tab.tsx'), 'KeysTab'),
})
const integrationLog = createRoute({
  getParentRoute: () => integration,
  path: '/log',
  component: lazyRouteComponent(() => import('./integrations/log-tab.tsx'), 'LogTab'),
})

const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  beforeLoad: ({ location }) => {
    if (location.pathname === '/settings') throw redirect({ to: '/settings/profile' })
  },
})
const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: lazyRouteComponent(() => import('./accounts/profile-page.tsx'), 'ProfilePage'),
})
const account = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./accounts/account-page.tsx'), 'AccountPage'),
})
const people = createRoute({
  getParentRoute: () => settings,
  path: '/people',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./accounts/people-page.tsx'), 'PeoplePage'),
})
const newPerson = createRoute({
  getParentRoute: () => settings,
  path: '/people/new',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./accounts/new-person-page.tsx'), 'NewPersonPage'),
})
const person = createRoute({
  getParentRoute: () => settings,
  path: '/people/$userId',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./accounts/person-page.tsx'), 'PersonPage'),
})
const roles = createRoute({
  getParentRoute: () => settings,
  path: '/roles',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./accounts/roles-page.tsx'), 'RolesPage'),
})
const newRole = createRoute({
  getParentRoute: () => settings,
  path: '/roles/new',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./accounts/role-page.tsx'), 'NewRolePage'),
})
const role = createRoute({
  getParentRoute: () => settings,
  path: '/roles/$roleId',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./accounts/role-page.tsx'), 'RolePage'),
})
const groups = createRoute({
  getParentRoute: () => settings,
  path: '/groups',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./accounts/groups-page.tsx'), 'GroupsPage'),
})

/** Addresses come from outside as well, so their values are text and are never read as JSON. */
function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** The address that one has come by is left as it was written: the consent page passes it on byte for byte. */
function stringifySearch(search: Record<string, unknown>): string {
  const words = written(search)
  return words === written(parseSearch(window.location.search))
    ? window.location.search
    : words && `?${words}`
}

const written = (search: Record<string, unknown>) => {
  const set = Object.entries(search).filter(([, value]) => value !== undefined)
  return new URLSearchParams(set.map(([key, value]) => [key, String(value)])).toString()
}

/** Where to go after signing in: a page of this very address, never another's. */
const localPath = (to: unknown) => {
  if (typeof to !== 'string' || !to.startsWith('/')) return undefined
  const url = URL.parse(to, window.location.origin)
  return url?.origin === window.location.origin ? to : undefined
}
const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value))

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ to }): { to?: string } => ({ to: localPath(to) }),
  component: lazyRouteComponent(() => import('./accounts/sign-in.tsx'), 'SignInPage'),
})
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  validateSearch: ({ token }): { token?: string } => ({ token: text(token) }),
  component: lazyRouteComponent(() => import('./accounts/set-up.tsx'), 'SetUpPage'),
})
const consent = createRoute({
  getParentRoute: () => root,
  path: '/oauth',
  component: lazyRouteComponent(() => import('./integrations/consent-page.tsx'), 'ConsentPage'),
})
const refused = createRoute({
  getParentRoute: () => root,
  path: '/oauth/refused',
  component: lazyRouteComponent(() => import('./integrations/refused-page.tsx'), 'RefusedPage'),
})

const routeTree = root.addChildren([
  shell.addChildren([
    index,
    integrations.addChildren([installed, built]),
    newIntegration,
    installation,
    integration.addChildren([integrationSettings, integrationKeys, integrationLog]),
    settings.addChildren([profile, account, people, newPerson, person, roles, newRole, role, groups]),
  ]),
  signIn,
  setUp,
  consent,
  refused,
])

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
  defaultErrorComponent: ProblemPage,
  defaultNotFoundComponent: LostPage,
  defaultPendingComponent: WaitingPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
