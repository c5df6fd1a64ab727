import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { newKey } from '../../api/keys.ts'
import type { Collection } from '../../data/records.ts'
import { cardAddress } from './record-link.tsx'

/** Milliseconds for which a notice stays. */
const STAYS = 12_000

export interface Notice {
  /** The event, above the record. */
  title?: ReactNode
  /** The record that the notice is about, with its name. */
  record?: { collection: Collection; id: number; name: string } | undefined
  message?: ReactNode
}

/**
 * Returns a function that shows a notice with a link to a card. Notices are outside the pages, so the link is followed
 * by the router and not by its own component.
 */
export function useNotice(): (notice: Notice) => void {
  const { t } = useTranslation()
  const router = useRouter()
  return ({ title, record, message }) => {
    const id = newKey()
    const address = record && cardAddress(record.collection, record.id)
    notifications.show({
      id,
      autoClose: STAYS,
      title,
      closeButtonProps: { 'aria-label': t('act.close') },
      message: (
        <>
          {record && address && (
            <Anchor
              href={router.buildLocation(address).href}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                notifications.hide(id)
                void router.navigate(address)
              }}
            >
              {record.name}
            </Anchor>
          )}
          {record && message && <br />}
          {message}
        </>
      ),
    })
  }
}
