import { createRouter } from '@tanstack/react-router'
import { root, shell } from './routes/base.ts'
import { developerRoutes } from './routes/developers.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { integrationRoutes } from './routes/integrations.ts'
import { outsideRoutes } from './routes/outside.ts'
import { recordRoutes } from './routes/records.ts'
import { settingsRoutes } from './routes/settings.ts'
import { workRoutes } from './routes/work.ts'
import { ProblemPage, WaitingPage } from './shell/state-pages.tsx'

const routeTree = root.addChildren([
  shell.addChildren([
    ...workRoutes,
    ...recordRoutes,
    ...inboxRoutes,
    ...integrationRoutes,
    ...developerRoutes,
    ...settingsRoutes,
  ]),
  ...outsideRoutes,
])

/** Addresses may come from outside, so values stay text and are never parsed as JSON. */
function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** Keeps the original search text, because the consent page passes it on byte for byte. */
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

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollToTopSelectors: ['#main'],
  defaultErrorComponent: ProblemPage,
  defaultPendingComponent: WaitingPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
