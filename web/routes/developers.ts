import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { administratorsOnly, shell } from './base.ts'

const developers = createRoute({
  getParentRoute: () => shell,
  path: '/developers',
  beforeLoad: async ({ location }) => {
    await administratorsOnly()
    if (location.pathname === '/developers') throw redirect({ to: '/developers/requests' })
  },
})
const requests = createRoute({
  getParentRoute: () => developers,
  path: '/requests',
  component: lazyRouteComponent(() => import('../requests/requests-page.tsx'), 'RequestsPage'),
})
const signatures = createRoute({
  getParentRoute: () => developers,
  path: '/signatures',
  validateSearch: ({ request }): { request?: number } =>
    Number.isSafeInteger(Number(request)) && Number(request) > 0 ? { request: Number(request) } : {},
  component: lazyRouteComponent(() => import('../signatures/signatures-page.tsx'), 'SignaturesPage'),
})

/** The tools for developers of integrations, for administrators. */
export const developerRoutes = [developers.addChildren([requests, signatures])] as const
