import { ActionIcon, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconApi, IconArrowMerge, IconDots, IconLink, IconTrash, IconTrashOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wordOf } from '../data/records.ts'
import { survivorOptions } from '../data/trash.ts'
import { useToast } from '../parts/toasts/use-toast.ts'
import { useSession } from '../shell/use-session.ts'
import { useCard } from './card-context.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { useTrash } from './use-trash.ts'

/** Actions on the whole record. */
export function CardMenu() {
  const { t } = useTranslation()
  const { collection, id, canDelete, canEdit, isTrashed } = useCard()
  const { account } = useSession()
  const copy = useCopy()
  const { remove, restore } = useTrash()
  const [isMerging, setMerging] = useState(false)
  const { data: ended } = useQuery({ ...survivorOptions(collection, id), enabled: isTrashed })
  const canRestore = canDelete && isTrashed && ended?.is_merged === false
  const canMerge = canEdit && canDelete && wordOf(collection) !== 'elements'
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon
            variant="default"
            size="var(--pb-control)"
            aria-label={t('card.more')}
            title={t('card.more')}
          >
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconLink size={15} />} onClick={() => copy(window.location.href)}>
            {t('card.copy_link')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconApi size={15} />}
            onClick={() => copy(`${account?.url ?? window.location.origin}/api/v4/${collection}/${id}`)}
          >
            {t('card.copy_api')}
          </Menu.Item>
          {canMerge && (
            <Menu.Item leftSection={<IconArrowMerge size={15} />} onClick={() => setMerging(true)}>
              {t('card.merge')}
            </Menu.Item>
          )}
          {((canDelete && !isTrashed) || canRestore) && <Menu.Divider />}
          {canDelete && !isTrashed && (
            <Menu.Item leftSection={<IconTrash size={15} />} onClick={remove}>
              {t('card.to_trash')}
            </Menu.Item>
          )}
          {canRestore && (
            <Menu.Item leftSection={<IconTrashOff size={15} />} onClick={restore}>
              {t('card.restore')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isMerging && <MergeDialog onClose={() => setMerging(false)} />}
    </>
  )
}

function useCopy() {
  const { t } = useTranslation()
  const clipboard = useClipboard()
  const toast = useToast()
  return (text: string) => {
    clipboard.copy(text)
    toast.done(t('act.copied'))
  }
}
