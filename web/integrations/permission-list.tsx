import {
  IconAddressBook,
  IconBell,
  IconDeviceMobile,
  IconFile,
  IconFileX,
  IconMessage,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Permission } from '../data/integrations.ts'
import classes from './permission-list.module.css'

/** In display order, the broadest permission first. */
const permissionIcons = {
  crm: IconAddressBook,
  chats: IconMessage,
  files: IconFile,
  files_delete: IconFileX,
  notifications: IconBell,
  push_notifications: IconDeviceMobile,
} satisfies Record<Permission, unknown>

export const allPermissions = Object.keys(permissionIcons) as Permission[]

/** The permissions of an integration, explained for the person who allows it. */
export function PermissionList({ permissions }: { permissions: readonly Permission[] }) {
  const { t } = useTranslation()
  const asked = allPermissions.filter((permission) => permissions.includes(permission))
  if (asked.length === 0) return <p className={classes.text}>{t('permission.none')}</p>
  return (
    <ul className={classes.list}>
      {asked.map((permission) => {
        const Mark = permissionIcons[permission]
        return (
          <li key={permission} className={classes.item}>
            <Mark size={17} stroke={1.7} aria-hidden />
            <span>
              <span className={classes.title}>{t(`permission.${permission}.title`)}</span>{' '}
              <span className={classes.text}>{t(`permission.${permission}.text`)}</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
