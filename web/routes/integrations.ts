import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { administratorsOnly, shell } from './base.ts'

const integrations = createRoute({
  getParentRoute: () => shell,
  id: 'integration-lists',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('../integrations/integrations-page.tsx'), 'IntegrationsPage'),
})
const installed = createRoute({
  getParentRoute: () => integrations,
  path: '/integrations',
  component: lazyRouteComponent(() => import('../integrations/installed-list.tsx'), 'InstalledList'),
})
const built = createRoute({
  getParentRoute: () => integrations,
  path: '/integrations/built',
  component: lazyRouteComponent(() => import('../integrations/built-list.tsx'), 'BuiltList'),
})
const newIntegration = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/new',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(
    () => import('../integrations/new-integration-page.tsx'),
    'NewIntegrationPage',
  ),
})
const installation = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/installed/$clientId',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('../integrations/installation-page.tsx'), 'InstallationPage'),
})
const integration = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/built/$clientId',
  beforeLoad: administratorsOnly,
  component: lazyRouteComponent(() => import('../integrations/integration-window.tsx'), 'IntegrationWindow'),
})
const integrationSettings = createRoute({
  getParentRoute: () => integration,
  path: '/',
  component: lazyRouteComponent(() => import('../integrations/settings-tab.tsx'), 'SettingsTab'),
})
const integrationKeys = createRoute({
  getParentRoute: () => integration,
  path: '/keys',
  component: lazyRouteComponent(() => import('../integrations/keys-tab.tsx'), 'KeysTab'),
})
const integrationWidget = createRoute({
  getParentRoute: () => integration,
  path: '/widget',
  component: lazyRouteComponent(() => import('../integrations/widget-tab.tsx'), 'WidgetTab'),
})
const integrationLog = createRoute({
  getParentRoute: () => integration,
  path: '/log',
  component: lazyRouteComponent(() => import('../integrations/log-tab.tsx'), 'LogTab'),
})

const activityTab = lazyRouteComponent(() => import('../integrations/activity-tab.tsx'), 'ActivityTab')
const integrationActivity = createRoute({
  getParentRoute: () => integration,
  path: '/activity',
  component: activityTab,
})
const installationDetails = createRoute({
  getParentRoute: () => installation,
  path: '/',
  component: lazyRouteComponent(
    () => import('../integrations/installation-details.tsx'),
    'InstallationDetails',
  ),
})
const installationActivity = createRoute({
  getParentRoute: () => installation,
  path: '/activity',
  component: activityTab,
})

export const integrationRoutes = [
  integrations.addChildren([installed, built]),
  newIntegration,
  installation.addChildren([installationDetails, installationActivity]),
  integration.addChildren([
    integrationSettings,
    integrationKeys,
    integrationWidget,
    integrationActivity,
    integrationLog,
  ]),
] as const
