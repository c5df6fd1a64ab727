import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Totals } from '../data/totals.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { InUse } from '../parts/dialogs/in-use.tsx'

interface RemoveProps {
  title: string
  /** How many records stand in what is to be deleted. */
  // biome-ignore lint/suspicious/noExplicitAny: the key is that of any totals
  totals: UseQueryOptions<Totals, Error, Totals, any>
  /** Explains what to do with the records first. */
  inUse: (count: number) => string
  records: { to: '/leads' | '/customers'; search: Record<string, string> }
  /** Explains the result of the deletion. */
  children: ReactNode
  pending: boolean
  onRemove: () => void
  onClose: () => void
}

/** Deletes something unused; otherwise links to the records that use it. */
export function RemoveUnused({
  title,
  totals,
  inUse,
  records,
  children,
  pending,
  onRemove,
  onClose,
}: RemoveProps) {
  const { t } = useTranslation()
  const { data, isPending } = useQuery({ ...totals, staleTime: 0 })
  if (isPending) return null
  const count = data?.total ?? 0
  if (count === 0)
    return (
      <Confirm
        opened
        title={title}
        action={t('pipelines.delete')}
        pending={pending}
        onConfirm={onRemove}
        onClose={onClose}
      >
        {children}
      </Confirm>
    )
  return (
    <InUse title={title} link={records} action={t('pipelines.show_records')} onClose={onClose}>
      {inUse(count)}
    </InUse>
  )
}
