import { createRoute, redirect } from '@tanstack/react-router'
import { type DeliveryState, deliveryStates } from '../data/delivery-states.ts'
import { administratorsOnly, lazyAdministratorPage, lazyPage, listSearch, shell, text } from './base.ts'

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
  component: lazyPage(() => import('../accounts/profile-page.tsx'), 'ProfilePage'),
})
const account = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../accounts/account-page.tsx'), 'AccountPage'),
})
const retention = createRoute({
  getParentRoute: () => settings,
  path: '/retention',
  beforeLoad: administratorsOnly,
  component: lazyAdministratorPage(() => import('../retention/retention-page.tsx'), 'RetentionPage'),
})
const files = createRoute({
  getParentRoute: () => settings,
  path: '/files',
  beforeLoad: administratorsOnly,
  component: lazyAdministratorPage(() => import('../drive/files-page.tsx'), 'FilesPage'),
})
const people = createRoute({
  getParentRoute: () => settings,
  path: '/people',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../accounts/people-page.tsx'), 'PeoplePage'),
})
const newPerson = createRoute({
  getParentRoute: () => settings,
  path: '/people/new',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../accounts/new-person-page.tsx'), 'NewPersonPage'),
})
const person = createRoute({
  getParentRoute: () => settings,
  path: '/people/$userId',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../accounts/person-page.tsx'), 'PersonPage'),
})
const roles = createRoute({
  getParentRoute: () => settings,
  path: '/roles',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../accounts/roles-page.tsx'), 'RolesPage'),
})
const newRole = createRoute({
  getParentRoute: () => settings,
  path: '/roles/new',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../accounts/role-page.tsx'), 'NewRolePage'),
})
const role = createRoute({
  getParentRoute: () => settings,
  path: '/roles/$roleId',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../accounts/role-page.tsx'), 'RolePage'),
})
const groups = createRoute({
  getParentRoute: () => settings,
  path: '/groups',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../accounts/groups-page.tsx'), 'GroupsPage'),
})
const channels = createRoute({
  getParentRoute: () => settings,
  path: '/channels',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../chats/channels/channels-page.tsx'), 'ChannelsPage'),
})
const newChannel = createRoute({
  getParentRoute: () => settings,
  path: '/channels/new',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../chats/channels/new-channel-page.tsx'), 'NewChannelPage'),
})
const savedChannel = createRoute({
  getParentRoute: () => settings,
  path: '/channels/$channelId/saved',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../chats/channels/saved-page.tsx'), 'SavedPage'),
})
const channel = createRoute({
  getParentRoute: () => settings,
  path: '/channels/$channelId',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../chats/channels/channel-page.tsx'), 'ChannelPage'),
})
const channelTabs = [
  createRoute({
    getParentRoute: () => channel,
    path: '/',
    component: lazyPage(() => import('../chats/channels/settings-tab.tsx'), 'SettingsTab'),
  }),
  createRoute({
    getParentRoute: () => channel,
    path: '/keys',
    component: lazyPage(() => import('../chats/channels/keys-tab.tsx'), 'KeysTab'),
  }),
  createRoute({
    getParentRoute: () => channel,
    path: '/connections',
    component: lazyPage(() => import('../chats/channels/connections-tab.tsx'), 'ConnectionsTab'),
  }),
  createRoute({
    getParentRoute: () => channel,
    path: '/health',
    component: lazyPage(() => import('../chats/channels/health-tab.tsx'), 'HealthTab'),
  }),
  createRoute({
    getParentRoute: () => channel,
    path: '/telephone',
    validateSearch: ({ customer }): { customer?: string } =>
      typeof customer === 'string' ? { customer } : {},
    component: lazyPage(() => import('../chats/channels/telephone-tab.tsx'), 'TelephoneTab'),
  }),
  createRoute({
    getParentRoute: () => channel,
    path: '/log',
    component: lazyPage(() => import('../chats/channels/log-tab.tsx'), 'LogTab'),
  }),
] as const
const bot = createRoute({
  getParentRoute: () => settings,
  path: '/bot',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../chats/bot/bot-page.tsx'), 'BotPage'),
})
const templates = createRoute({
  getParentRoute: () => settings,
  path: '/templates',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../chats/templates/templates-page.tsx'), 'TemplatesPage'),
})

const siteForms = createRoute({
  getParentRoute: () => settings,
  path: '/forms',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../incoming-leads/forms-page.tsx'), 'FormsPage'),
})
const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})
const newWebhook = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/new',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../webhooks/new-webhook-page.tsx'), 'NewWebhookPage'),
})
const webhook = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/$webhookId',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../webhooks/webhook-page.tsx'), 'WebhookPage'),
})
const webhookTabs = [
  createRoute({
    getParentRoute: () => webhook,
    path: '/',
    validateSearch: ({ state }): { state?: DeliveryState | undefined } => ({
      state: deliveryStates.find((one) => one === state),
    }),
    component: lazyPage(() => import('../webhooks/deliveries-tab.tsx'), 'DeliveriesTab'),
  }),
  createRoute({
    getParentRoute: () => webhook,
    path: '/settings',
    component: lazyPage(() => import('../webhooks/settings-tab.tsx'), 'SettingsTab'),
  }),
  createRoute({
    getParentRoute: () => webhook,
    path: '/signing',
    component: lazyPage(() => import('../webhooks/signing-tab.tsx'), 'SigningTab'),
  }),
] as const
const delivery = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/$webhookId/deliveries/$deliveryId',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../webhooks/delivery-page.tsx'), 'DeliveryPage'),
})
const pipelines = createRoute({
  getParentRoute: () => settings,
  path: '/pipelines',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../pipelines/pipelines-page.tsx'), 'PipelinesPage'),
})
const pipeline = createRoute({
  getParentRoute: () => settings,
  path: '/pipelines/$pipelineId',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../automation/pipeline-page.tsx'), 'AutomatedPipelinePage'),
})
const fields = createRoute({
  getParentRoute: () => settings,
  path: '/fields',
  validateSearch: ({ of }): { of?: string } => ({ of: text(of) }),
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../custom-fields/fields-page.tsx'), 'FieldsPage'),
})
const lists = createRoute({
  getParentRoute: () => settings,
  path: '/lists',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../catalogs/catalogs-page.tsx'), 'CatalogsPage'),
})
const marketing = createRoute({
  getParentRoute: () => settings,
  path: '/audiences',
  beforeLoad: administratorsOnly,
  component: lazyPage(() => import('../marketing/marketing-page.tsx'), 'MarketingPage'),
})
const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: listSearch,
  beforeLoad: administratorsOnly,
  component: lazyAdministratorPage(() => import('../accounts/audit-page.tsx'), 'AuditPage'),
})

export const settingsRoutes = [
  settings.addChildren([
    profile,
    account,
    retention,
    files,
    people,
    newPerson,
    person,
    roles,
    newRole,
    role,
    groups,
    channels,
    newChannel,
    savedChannel,
    channel.addChildren(channelTabs),
    bot,
    templates,
    siteForms,
    webhooks,
    newWebhook,
    webhook.addChildren(webhookTabs),
    delivery,
    pipelines,
    pipeline,
    fields,
    lists,
    marketing,
    audit,
  ]),
] as const
