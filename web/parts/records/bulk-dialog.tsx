import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { beginBulkChange, type NewBulkChange } from '../../data/jobs.ts'
import { type Collection, wordOf } from '../../data/records.ts'
import classes from '../dialogs/dialog.module.css'
import { Dialog } from '../dialogs/dialog.tsx'
import { DialogFields } from '../dialogs/dialog-fields.tsx'
import { useUnsaved } from '../forms/unsaved.ts'
import { ProblemCallout } from '../layout/problem-callout.tsx'
import { useFormat } from '../texts/format.ts'
import { BulkFields } from './bulk-fields.tsx'
import { useBulkToasts } from './use-bulk-toasts.ts'

type Changes = NewBulkChange['changes']

interface BulkDialogProps {
  collection: Collection
  selection: { ids: number[] } | { search: Record<string, string>; total: number; isComplete: boolean }
  /** Whether to offer deletion. */
  canDelete: boolean
  opened: boolean
  onClose: () => void
}

/** Changes or deletes all selected or filtered records in the background. */
export function BulkDialog({ opened, onClose, ...props }: BulkDialogProps) {
  const { t } = useTranslation()
  const counted = useCounted(props.selection)
  return (
    <Dialog opened={opened} onClose={onClose} title={t('bulk.title', counted)}>
      <BulkForm {...props} onClose={onClose} />
    </Dialog>
  )
}

function useCounted(selection: BulkDialogProps['selection']) {
  const format = useFormat()
  const count = 'ids' in selection ? selection.ids.length : selection.total
  const isComplete = 'ids' in selection || selection.isComplete
  return { count, number: format.count(count, isComplete) }
}

function BulkForm({ collection, selection, canDelete, onClose }: Omit<BulkDialogProps, 'opened'>) {
  const { t } = useTranslation()
  const counted = useCounted(selection)
  const hasOnlyDeleting = wordOf(collection) === 'elements'
  const [changes, setChanges] = useState<Changes>({})
  const [isDeleting, setIsDeleting] = useState(hasOnlyDeleting)
  const begin = useMutation(beginBulkChange)
  const tell = useBulkToasts()
  const isEmpty = Object.keys(changes).length === 0
  const release = useUnsaved(!isEmpty)
  const start = () =>
    begin.mutate(askedOf(collection, selection, isDeleting ? { delete: true } : changes), {
      onSuccess: ({ id }) => {
        release()
        onClose()
        const running = t(isDeleting ? 'bulk.deleting' : 'bulk.changing', counted)
        void tell({ id, isDeleting, running })
      },
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
    >
      <DialogFields pending={begin.isPending}>
        {isDeleting ? (
          <p className={classes.text}>{t('bulk.delete_text', counted)}</p>
        ) : (
          <BulkFields collection={collection} changes={changes} onChange={setChanges} />
        )}
        <ProblemCallout error={begin.error} />
      </DialogFields>
      <div className={classes.buttons}>
        {!isDeleting && canDelete && (
          <Button
            variant="subtle"
            color="danger"
            style={{ marginInlineEnd: 'auto' }}
            onClick={() => setIsDeleting(true)}
          >
            {t('bulk.delete')}
          </Button>
        )}
        <Button
          variant="default"
          onClick={isDeleting && !hasOnlyDeleting ? () => setIsDeleting(false) : onClose}
        >
          {isDeleting && !hasOnlyDeleting ? t('bulk.back') : t('act.cancel')}
        </Button>
        <Button
          type="submit"
          loading={begin.isPending}
          disabled={!isDeleting && isEmpty}
          {...(isDeleting && { color: 'danger' })}
        >
          {isDeleting ? t('bulk.delete_now', counted) : t('bulk.apply', counted)}
        </Button>
      </div>
    </form>
  )
}

function askedOf(
  collection: Collection,
  selection: BulkDialogProps['selection'],
  changes: Changes,
): NewBulkChange {
  const isElements = wordOf(collection) === 'elements'
  const entity_type = isElements ? 'catalog_elements' : (wordOf(collection) as 'leads')
  const chosen =
    'ids' in selection ? { ids: selection.ids } : { search: new URLSearchParams(selection.search).toString() }
  return {
    entity_type,
    ...(isElements && { catalog_id: Number(collection.split('/')[1]) }),
    ...chosen,
    changes,
  }
}
