import { createRoute, redirect } from '@tanstack/react-router'
import {
  type DeliverySearch,
  deliveryFilters,
  type RequestSearch,
  requestFilters,
} from '../data/developer-filters.ts'
import { administratorsOnly, lazyAdministratorPage, lazyPage, searchOf, shell } from './base.ts'

const developers = createRoute({
  getParentRoute: () => shell,
  path: '/developers',
  beforeLoad: async ({ location }) => {
    await administratorsOnly()
    if (location.pathname === '/developers') throw redirect({ to: '/developers/requests' })
  },
  component: lazyAdministratorPage(() => import('../developers/developers-frame.tsx'), 'DevelopersFrame'),
})
const requests = createRoute({
  getParentRoute: () => developers,
  path: '/requests',
  validateSearch: (search): RequestSearch => searchOf(search, requestFilters),
  component: lazyPage(() => import('../request-log/requests-page.tsx'), 'RequestsPage'),
})
const request = createRoute({
  getParentRoute: () => developers,
  path: '/requests/$requestId',
  component: lazyPage(() => import('../request-log/request-page.tsx'), 'RequestPage'),
})
const requestTabs = [
  createRoute({
    getParentRoute: () => request,
    path: '/',
    component: lazyPage(() => import('../request-log/message-tabs.tsx'), 'RequestTab'),
  }),
  createRoute({
    getParentRoute: () => request,
    path: '/answer',
    component: lazyPage(() => import('../request-log/message-tabs.tsx'), 'AnswerTab'),
  }),
  createRoute({
    getParentRoute: () => request,
    path: '/caused',
    component: lazyPage(() => import('../request-log/caused-tab.tsx'), 'CausedTab'),
  }),
  createRoute({
    getParentRoute: () => request,
    path: '/why',
    component: lazyPage(() => import('../request-log/why-tab.tsx'), 'WhyTab'),
  }),
] as const

const tokens = createRoute({
  getParentRoute: () => developers,
  path: '/tokens',
  component: lazyPage(() => import('../integrations/tokens/tokens-page.tsx'), 'TokensPage'),
})
const tokenFamily = createRoute({
  getParentRoute: () => developers,
  path: '/tokens/$grantId',
  component: lazyPage(() => import('../integrations/tokens/family-page.tsx'), 'FamilyPage'),
})
const trace = createRoute({
  getParentRoute: () => developers,
  path: '/traces/$requestId',
  component: lazyPage(() => import('../traces/trace-page.tsx'), 'TracePage'),
})
const deliveries = createRoute({
  getParentRoute: () => developers,
  path: '/deliveries',
  validateSearch: (search): DeliverySearch => searchOf(search, deliveryFilters),
  component: lazyPage(() => import('../deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
})
const delivery = createRoute({
  getParentRoute: () => developers,
  path: '/deliveries/$deliveryId',
  component: lazyPage(() => import('../deliveries/delivery-page.tsx'), 'AnyDeliveryPage'),
})
const signatures = createRoute({
  getParentRoute: () => developers,
  path: '/signatures',
  validateSearch: ({ request }): { request?: number } =>
    Number.isSafeInteger(Number(request)) && Number(request) > 0 ? { request: Number(request) } : {},
  component: lazyPage(() => import('../signatures/signatures-page.tsx'), 'SignaturesPage'),
})

/** The tools for developers of integrations, for administrators. */
export const developerRoutes = [
  developers.addChildren([
    requests,
    request.addChildren(requestTabs),
    tokens,
    tokenFamily,
    trace,
    deliveries,
    delivery,
    signatures,
  ]),
] as const
