import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { type ChatFilter, chatStates, messagesOptions } from './api/chats.ts'
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
    throw redirect({ to: account?.is_admin ? '/integrations' : '/inbox' })
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

const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value))

const inbox = createRoute({
  getParentRoute: () => shell,
  path: '/inbox',
  validateSearch: ({ state, channel, query }): ChatFilter => ({
    state: chatStates.find((one) => one === state),
    channel: text(channel),
    query: text(query),
  }),
  component: lazyRouteComponent(() => import('./chats/inbox/inbox-page.tsx'), 'InboxPage'),
})
const noChat = createRoute({
  getParentRoute: () => inbox,
  path: '/',
  component: lazyRouteComponent(() => import('./chats/inbox/no-chat.tsx'), 'NoChat'),
})
const chat = createRoute({
  getParentRoute: () => inbox,
  path: '/$chatId',
  // A conversation that one points at is read ahead.
  loader: ({ params }) => {
    queryClient.prefetchInfiniteQuery(messagesOptions(params.chatId))
  },
  component: lazyRouteComponent(() => import('./chats/inbox/thread-page.tsx'), 'ThreadPage'),
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
const channels = createRoute({
  getParentRoute: () => settings,
  path: '/channels',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./chats/channels/channels-page.tsx'), 'ChannelsPage'),
})
const newChannel = createRoute({
  getParentRoute: () => settings,
  path: '/channels/new',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./chats/channels/new-channel-page.tsx'), 'NewChannelPage'),
})
const channel = createRoute({
  getParentRoute: () => settings,
  path: '/channels/$channelId',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./chats/channels/channel-page.tsx'), 'ChannelPage'),
})
const channelTabs = [
  createRoute({
    getParentRoute: () => channel,
    path: '/',
    component: lazyRouteComponent(() => import('./chats/channels/settings-tab.tsx'), 'SettingsTab'),
  }),
  createRoute({
    getParentRoute: () => channel,
    path: '/keys',
    component: lazyRouteComponent(() => import('./chats/channels/keys-tab.tsx'), 'KeysTab'),
  }),
  createRoute({
    getParentRoute: () => channel,
    path: '/connections',
    component: lazyRouteComponent(() => import('./chats/channels/connections-tab.tsx'), 'ConnectionsTab'),
  }),
  createRoute({
    getParentRoute: () => channel,
    path: '/health',
    component: lazyRouteComponent(() => import('./chats/channels/health-tab.tsx'), 'HealthTab'),
  }),
  createRoute({
    getParentRoute: () => channel,
    path: '/log',
    component: lazyRouteComponent(() => import('./chats/channels/log-tab.tsx'), 'LogTab'),
  }),
] as const
const bot = createRoute({
  getParentRoute: () => settings,
  path: '/bot',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('./chats/bot/bot-page.tsx'), 'BotPage'),
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
    inbox.addChildren([noChat, chat]),
    newIntegration,
    installation,
    integration.addChildren([integrationSettings, integrationKeys, integrationLog]),
    settings.addChildren([
      profile,
      account,
      people,
      newPerson,
      person,
      roles,
      newRole,
      role,
      groups,
      channels,
      newChannel,
      channel.addChildren(channelTabs),
      bot,
    ]),
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
