import { createRoute } from '@tanstack/react-router'
import { administratorsOnly, lazyPage, shell } from './base.ts'

const integrations = createRoute({
  getParentRoute: () => shell,
  id: 'integration-lists',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../integrations/integrations-page.tsx'), 'IntegrationsPage'),
})
const installed = createRoute({
  getParentRoute: () => integrations,
  path: '/integrations',
  component: lazyPage(() => import('../integrations/installed/installed-list.tsx'), 'InstalledList'),
})
const built = createRoute({
  getParentRoute: () => integrations,
  path: '/integrations/built',
  component: lazyPage(() => import('../integrations/built/built-list.tsx'), 'BuiltList'),
})
const newIntegration = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/new',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../integrations/built/new-integration-page.tsx'), 'NewIntegrationPage'),
})
const installation = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/installed/$clientId',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../integrations/installed/installation-page.tsx'), 'InstallationPage'),
})
const integration = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/built/$clientId',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../integrations/built/integration-window.tsx'), 'IntegrationWindow'),
})
const savedIntegration = createRoute({
  getParentRoute: () => shell,
  path: '/integrations/built/$clientId/saved',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../integrations/built/saved-page.tsx'), 'SavedPage'),
})
const integrationSettings = createRoute({
  getParentRoute: () => integration,
  path: '/',
  component: lazyPage(() => import('../integrations/built/settings-tab.tsx'), 'SettingsTab'),
})
const integrationKeys = createRoute({
  getParentRoute: () => integration,
  path: '/keys',
  component: lazyPage(() => import('../integrations/built/keys-tab.tsx'), 'KeysTab'),
})
const integrationWidget = createRoute({
  getParentRoute: () => integration,
  path: '/widget',
  component: lazyPage(() => import('../integrations/built/widget-tab.tsx'), 'WidgetTab'),
})
const integrationLog = createRoute({
  getParentRoute: () => integration,
  path: '/log',
  component: lazyPage(() => import('../integrations/built/log-tab.tsx'), 'LogTab'),
})

const activityTab = lazyPage(() => import('../integrations/built/activity-tab.tsx'), 'ActivityTab')
const integrationActivity = createRoute({
  getParentRoute: () => integration,
  path: '/activity',
  component: activityTab,
})
const installationDetails = createRoute({
  getParentRoute: () => installation,
  path: '/',
  component: lazyPage(
    () => import('../integrations/installed/installation-details.tsx'),
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
  savedIntegration,
  installation.addChildren([installationDetails, installationActivity]),
  integration.addChildren([
    integrationSettings,
    integrationKeys,
    integrationWidget,
    integrationActivity,
    integrationLog,
  ]),
] as const
