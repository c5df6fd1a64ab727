import { Button, CloseButton, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Collection, wordOf } from '../data/records.ts'
import type { Totals } from '../data/totals.ts'
import { ExportItems } from '../parts/lists/export-items.tsx'
import type { Selection } from '../parts/lists/selection.ts'
import { BulkDialog } from '../parts/records/bulk-dialog.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { useRight } from '../shell/use-session.ts'
import classes from './list.module.css'

interface BulkBarProps {
  collection: Collection
  /** The filters of the list, for a selection of all records. */
  narrowed: Record<string, string>
  totals: Totals | undefined
  selection: Selection
}

/** Maximum number of ids in a filter of the API. */
const MOST_IDS = 250

/** Replaces the filters while rows are selected, with actions on all of them. */
export function BulkBar({ collection, narrowed, totals, selection }: BulkBarProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [asks, { open, close }] = useDisclosure()
  // Items can only be deleted in bulk.
  const canEdit = useRight(collection, 'edit') && wordOf(collection) !== 'elements'
  const canDelete = useRight(collection, 'delete')
  const canExport = useRight(collection, 'export')
  const { isAll, ids, count } = selection
  const { total = 0, is_complete: isComplete = true } = totals ?? {}
  const chosen = isAll ? narrowed : { 'filter[id]': [...ids].join(',') }
  return (
    <section className={classes.bulk} aria-label={t('list.bulk')}>
      <span className={classes.chosen} aria-live="polite">
        {t('list.chosen_count', { count, number: format.count(count, !isAll || isComplete) })}
      </span>
      {!isAll && total > count && (
        <Button variant="subtle" size="xs" onClick={selection.chooseAll}>
          {t('list.choose_all_count', { count: total, number: format.count(total, isComplete) })}
        </Button>
      )}
      {(canEdit || canDelete) && (
        <Button variant="default" size="xs" onClick={open}>
          {t('list.change')}
        </Button>
      )}
      {canExport && (isAll || count <= MOST_IDS) && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" size="xs" rightSection={<IconChevronDown size={13} aria-hidden />}>
              {t('export.label')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <ExportItems path={collection} search={chosen} />
          </Menu.Dropdown>
        </Menu>
      )}
      <CloseButton
        size={26}
        iconSize={15}
        onClick={selection.clear}
        aria-label={t('list.choose_none')}
        title={t('list.choose_none')}
      />
      <BulkDialog
        collection={collection}
        selection={isAll ? { search: narrowed, total: count, isComplete } : { ids: [...ids] }}
        canDelete={canDelete}
        opened={asks}
        onClose={close}
      />
    </section>
  )
}
