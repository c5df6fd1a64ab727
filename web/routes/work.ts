import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { NotFoundPage } from '../shell/state-pages.tsx'
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
/** Every other address keeps the navigation. */
const lost = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: NotFoundPage,
})

export const workRoutes = [home, tasks, events, event, lost] as const
