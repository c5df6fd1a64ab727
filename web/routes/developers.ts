import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { type RequestSearch, requestFilters } from '../data/requests.ts'
import { administratorsOnly, searchOf, shell } from './base.ts'

const developers = createRoute({
  getParentRoute: () => shell,
  path: '/developers',
  beforeLoad: async ({ location }) => {
    await administratorsOnly()
    if (location.pathname === '/developers') throw redirect({ to: '/developers/requests' })
  },
  component: lazyRouteComponent(() => import('../developers/developers-frame.tsx'), 'DevelopersFrame'),
})
const requests = createRoute({
  getParentRoute: () => developers,
  path: '/requests',
  validateSearch: (search): RequestSearch => searchOf(search, requestFilters),
  component: lazyRouteComponent(() => import('../requests/requests-page.tsx'), 'RequestsPage'),
})
const request = createRoute({
  getParentRoute: () => developers,
  path: '/requests/$requestId',
  component: lazyRouteComponent(() => import('../requests/request-page.tsx'), 'RequestPage'),
})
const requestTabs = [
  createRoute({
    getParentRoute: () => request,
    path: '/',
    component: lazyRouteComponent(() => import('../requests/message-tabs.tsx'), 'RequestTab'),
  }),
  createRoute({
    getParentRoute: () => request,
    path: '/answer',
    component: lazyRouteComponent(() => import('../requests/message-tabs.tsx'), 'AnswerTab'),
  }),
  createRoute({
    getParentRoute: () => request,
    path: '/caused',
    component: lazyRouteComponent(() => import('../requests/caused-tab.tsx'), 'CausedTab'),
  }),
  createRoute({
    getParentRoute: () => request,
    path: '/why',
    component: lazyRouteComponent(() => import('../requests/why-tab.tsx'), 'WhyTab'),
  }),
] as const

const tokens = createRoute({
  getParentRoute: () => developers,
  path: '/tokens',
  component: lazyRouteComponent(() => import('../integrations/tokens/tokens-page.tsx'), 'TokensPage'),
})
const tokenFamily = createRoute({
  getParentRoute: () => developers,
  path: '/tokens/$grantId',
  component: lazyRouteComponent(() => import('../integrations/tokens/family-page.tsx'), 'FamilyPage'),
})

/** The tools for developers of integrations, for administrators. */
export const developerRoutes = [
  developers.addChildren([requests, request.addChildren(requestTabs), tokens, tokenFamily]),
] as const
