import type { Icon } from '@tabler/icons-react'
import {
  IconActivity,
  IconBuilding,
  IconCheckbox,
  IconCode,
  IconHeartHandshake,
  IconHome,
  IconInbox,
  IconLayoutKanban,
  IconList,
  IconPlug,
  IconSettings,
  IconUser,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { ParseKeys } from 'i18next'
import type { Rights } from '../data/accounts.ts'
import { hasRight } from './use-session.ts'

/** The names of pages among the texts. */
type Title = Extract<ParseKeys, `nav.${string}` | `developers.nav.${string}`>

export interface NavPage {
  title: Title
  to: LinkProps['to']
  /** The letter or digit that opens it after `g`. */
  key: string
  icon?: Icon
  administrators?: boolean
  /** Whether a person with these permissions can see anything on it. */
  opens?: (rights: Rights) => boolean
  /** Shows a count next to the name: unread conversations or overdue tasks. */
  counts?: 'unread' | 'overdue'
  /** Only shown if the account uses customers. */
  needsCustomers?: boolean
  /** The account's lists are shown below it. */
  hasLists?: boolean
  pages?: NavPage[]
}

const seesLists = ({ catalog_access, catalog_rights }: Rights) =>
  catalog_access || (catalog_rights ?? []).some(({ rights }) => rights.view !== 'D')

/** The pages in the order of the navigation: daily work, records, tools for developers. */
const pageGroups: NavPage[][] = [
  [
    { title: 'nav.home', to: '/', key: 'o', icon: IconHome },
    { title: 'nav.inbox', to: '/inbox', key: 'n', icon: IconInbox, counts: 'unread' },
    { title: 'nav.tasks', to: '/tasks', key: 't', icon: IconCheckbox, counts: 'overdue' },
  ],
  [
    {
      title: 'nav.leads',
      to: '/leads',
      key: 'l',
      icon: IconLayoutKanban,
      opens: (rights) => hasRight(rights, 'leads', 'view'),
    },
    {
      title: 'nav.contacts',
      to: '/contacts',
      key: 'c',
      icon: IconUser,
      opens: (rights) => hasRight(rights, 'contacts', 'view'),
    },
    {
      title: 'nav.companies',
      to: '/companies',
      key: 'k',
      icon: IconBuilding,
      opens: (rights) => hasRight(rights, 'companies', 'view'),
    },
    {
      title: 'nav.customers',
      to: '/customers',
      key: 'u',
      icon: IconHeartHandshake,
      opens: (rights) => hasRight(rights, 'customers', 'view'),
      needsCustomers: true,
    },
    { title: 'nav.lists', to: '/lists', key: 'q', icon: IconList, opens: seesLists, hasLists: true },
  ],
  [
    { title: 'nav.events', to: '/events', key: 'e', icon: IconActivity },
    {
      title: 'nav.integrations',
      to: '/integrations',
      key: 'i',
      icon: IconPlug,
      administrators: true,
    },
    {
      title: 'developers.nav.title',
      to: '/developers',
      key: '2',
      icon: IconCode,
      administrators: true,
      pages: [
        { title: 'developers.nav.requests', to: '/developers/requests', key: '3', administrators: true },
        { title: 'developers.nav.deliveries', to: '/developers/deliveries', key: '4', administrators: true },
        { title: 'developers.nav.tokens', to: '/developers/tokens', key: '5', administrators: true },
        { title: 'developers.nav.signatures', to: '/developers/signatures', key: '6', administrators: true },
      ],
    },
  ],
  [
    {
      title: 'nav.settings',
      to: '/settings',
      key: 's',
      icon: IconSettings,
      pages: [
        { title: 'nav.profile', to: '/settings/profile', key: 'm' },
        { title: 'nav.account', to: '/settings/account', key: 'a', administrators: true },
        { title: 'nav.retention', to: '/settings/retention', key: '0', administrators: true },
        { title: 'nav.files', to: '/settings/files', key: '7', administrators: true },
        { title: 'nav.people', to: '/settings/people', key: 'p', administrators: true },
        { title: 'nav.roles', to: '/settings/roles', key: 'r', administrators: true },
        { title: 'nav.groups', to: '/settings/groups', key: 'd', administrators: true },
        { title: 'nav.pipelines', to: '/settings/pipelines', key: 'w', administrators: true },
        { title: 'nav.fields', to: '/settings/fields', key: 'f', administrators: true },
        { title: 'nav.catalogs', to: '/settings/lists', key: 'y', administrators: true },
        { title: 'nav.channels', to: '/settings/channels', key: 'h', administrators: true },
        { title: 'nav.bot', to: '/settings/bot', key: 'b', administrators: true },
        { title: 'nav.templates', to: '/settings/templates', key: 'g', administrators: true },
        { title: 'nav.forms', to: '/settings/forms', key: '1', administrators: true },
        { title: 'nav.webhooks', to: '/settings/webhooks', key: 'j', administrators: true },
        { title: 'nav.audiences', to: '/settings/audiences', key: 'v', administrators: true },
        { title: 'nav.import', to: '/import', key: 'x' },
        { title: 'nav.audit', to: '/settings/audit', key: 'z', administrators: true },
      ],
    },
  ],
]

interface Entry {
  isAdministrator: boolean
  rights: Rights
  hasCustomers: boolean
}

/** Returns the pages that a person can open. */
export function pagesFor({ isAdministrator, rights, hasCustomers }: Entry): NavPage[][] {
  const isOpen = ({ administrators, opens, needsCustomers }: NavPage) =>
    (!administrators || isAdministrator) && (!opens || opens(rights)) && (!needsCustomers || hasCustomers)
  return pageGroups.map((group) =>
    group.filter(isOpen).map((page) => ({ ...page, pages: page.pages?.filter(isOpen) })),
  )
}
