import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { survivorOptions } from '../data/trash.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { cardAddress } from '../parts/records/record-link.tsx'
import { useCard } from './card-context.tsx'
import { useTrash } from './use-trash.ts'

/** Says that the record is in the trash, and restores it, or leads to the record into which it was merged. */
export function TrashBanner() {
  const { t } = useTranslation()
  const { collection, id, canDelete } = useCard()
  const { data } = useQuery(survivorOptions(collection, id))
  const { restore, pending } = useTrash()
  if (data?.is_merged) return <MergedBanner survivor={data.survivor} />
  return (
    <Callout
      tone="warn"
      title={t('card.in_trash')}
      actions={
        canDelete &&
        data && (
          <Button variant="default" loading={pending} onClick={restore}>
            {t('card.restore')}
          </Button>
        )
      }
    >
      {t('card.in_trash_text')}
    </Callout>
  )
}

/** The survivor is null if it is deleted or hidden from the reader. */
function MergedBanner({ survivor }: { survivor: { id: number; name: string } | null }) {
  const { t } = useTranslation()
  const { collection } = useCard()
  return (
    <Callout
      tone="warn"
      title={t('card.is_merged')}
      actions={
        survivor && (
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} {...cardAddress(collection, survivor.id)} />}
          >
            {t('card.to_survivor', { name: survivor.name || `#${survivor.id}` })}
          </Button>
        )
      }
    >
      {t('card.is_merged_text')}
    </Callout>
  )
}
