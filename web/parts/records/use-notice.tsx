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
  /** The job that the notice is about, and the words of the link to it. */
  job?: { id: number; text: string }
  message?: ReactNode
}

const linkOf = ({ record, job }: Notice) => {
  if (record) return { address: cardAddress(record.collection, record.id), text: record.name }
  return (
    job && { address: { to: '/import/$jobId', params: { jobId: String(job.id) } } as const, text: job.text }
  )
}

/**
 * Returns a function that shows a notice with a link to a card or a job. Notices are outside the pages, so the link is followed
 * by the router and not by its own component.
 */
export function useNotice(): (notice: Notice) => void {
  const { t } = useTranslation()
  const router = useRouter()
  return (notice) => {
    const { title, message } = notice
    const id = newKey()
    const link = linkOf(notice)
    notifications.show({
      id,
      autoClose: STAYS,
      title,
      closeButtonProps: { 'aria-label': t('act.close') },
      message: (
        <>
          {link && (
            <Anchor
              href={router.buildLocation(link.address).href}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                notifications.hide(id)
                void router.navigate(link.address)
              }}
            >
              {link.text}
            </Anchor>
          )}
          {link && message && <br />}
          {message}
        </>
      ),
    })
  }
}
