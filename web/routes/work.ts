import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch, shell } from './base.ts'

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('../home/home-page.tsx'), 'HomePage'),
})
const tasks = createRoute({
  getParentRoute: () => shell,
  path: '/tasks',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../tasks/tasks-page.tsx'), 'TasksPage'),
})
const events = createRoute({
  getParentRoute: () => shell,
  path: '/events',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('../events/events-page.tsx'), 'EventsPage'),
})
const event = createRoute({
  getParentRoute: () => shell,
  path: '/events/$eventId',
  component: lazyRouteComponent(() => import('../events/event-page.tsx'), 'EventPage'),
})

export const workRoutes = [home, tasks, events, event] as const
