import { createRoute } from '@tanstack/react-router'
import { NotFoundPage } from '../shell/state-pages.tsx'
import { lazyPage, listSearch, shell } from './base.ts'

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyPage(() => import('../home/home-page.tsx'), 'HomePage'),
})
const tasks = createRoute({
  getParentRoute: () => shell,
  path: '/tasks',
  validateSearch: listSearch,
  component: lazyPage(() => import('../tasks/tasks-page.tsx'), 'TasksPage'),
})
const events = createRoute({
  getParentRoute: () => shell,
  path: '/events',
  validateSearch: listSearch,
  component: lazyPage(() => import('../events/events-page.tsx'), 'EventsPage'),
})
const event = createRoute({
  getParentRoute: () => shell,
  path: '/events/$eventId',
  component: lazyPage(() => import('../events/event-page.tsx'), 'EventPage'),
})
/** Every other address keeps the navigation. */
const lost = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: NotFoundPage,
})

export const workRoutes = [home, tasks, events, event, lost] as const
