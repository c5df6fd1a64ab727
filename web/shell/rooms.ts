import type { Icon } from '@tabler/icons-react'
import { IconInbox, IconPlug, IconSettings } from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type { ParseKeys } from 'i18next'

export interface Room {
  title: ParseKeys<'web'>
  to: LinkProps['to']
  /** The letter after `g` that goes there. */
  key: string
  icon?: Icon
  administrators?: boolean
  /** Has a number beside its name: of unread conversations. */
  counts?: 'unread'
  rooms?: Room[]
}

/** The rooms of the application in the order of the navigation. A room that does not exist yet is not here. */
export const rooms: Room[] = [
  { title: 'nav.inbox', to: '/inbox', key: 'n', icon: IconInbox, counts: 'unread' },
  { title: 'nav.integrations', to: '/integrations', key: 'i', icon: IconPlug, administrators: true },
  {
    title: 'nav.settings',
    to: '/settings',
    key: 's',
    icon: IconSettings,
    rooms: [
      { title: 'nav.profile', to: '/settings/profile', key: 'm' },
      { title: 'nav.account', to: '/settings/account', key: 'a', administrators: true },
      { title: 'nav.people', to: '/settings/people', key: 'p', administrators: true },
      { title: 'nav.roles', to: '/settings/roles', key: 'r', administrators: true },
      { title: 'nav.groups', to: '/settings/groups', key: 'd', administrators: true },
      { title: 'nav.channels', to: '/settings/channels', key: 'h', administrators: true },
      { title: 'nav.bot', to: '/settings/bot', key: 'b', administrators: true },
    ],
  },
]

/** The rooms that a person may enter. */
export const roomsFor = (isAdministrator: boolean): Room[] =>
  rooms
    .filter(({ administrators }) => !administrators || isAdministrator)
    .map((room) => ({
      ...room,
      rooms: room.rooms?.filter(({ administrators }) => !administrators || isAdministrator),
    }))
