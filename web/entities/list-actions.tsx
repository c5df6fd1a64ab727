import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPlus, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Collection, wordOf } from '../data/records.ts'
import type { Search, SearchChange } from '../parts/filters/filter.ts'
import { QueryBox } from '../parts/filters/query-box.tsx'
import { ExportItems } from '../parts/lists/export-items.tsx'
import { useRight } from '../shell/use-session.ts'
import classes from './list.module.css'
import { useAsked } from './list-search.ts'

interface ListActionsProps {
  collection: Collection
  search: Search
  onChange: (change: SearchChange) => void
  /** undefined if the reader cannot add records here. */
  onAdd: (() => void) | undefined
  canImport: boolean
  children: ReactNode
}

/** The search, export and import of a list, and the button that adds a record. */
export function ListActions({ collection, search, onChange, onAdd, canImport, children }: ListActionsProps) {
  const { t } = useTranslation()
  return (
    <>
      <div className={classes.search}>
        <QueryBox label={t('list.search')} query={search.query} onAsk={(query) => onChange({ query })} />
      </div>
      {children}
      <MoreMenu collection={collection} search={search} canImport={canImport} />
      {onAdd && (
        <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
          {t(`record.new_${wordOf(collection)}`)}
        </Button>
      )}
    </>
  )
}

/** Collections that can be imported. */
const imported: Collection[] = ['leads', 'contacts', 'companies']

function MoreMenu({
  collection,
  search,
  canImport,
}: Pick<ListActionsProps, 'collection' | 'search' | 'canImport'>) {
  const { t } = useTranslation()
  const canExport = useRight(collection, 'export')
  const asked = useAsked(collection, search)
  const isImported = canImport && imported.includes(collection)
  if (!canExport && !isImported) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('list.more')}
          title={t('list.more')}
        >
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canExport && <ExportItems path={collection} search={asked} />}
        {isImported && (
          <Menu.Item
            leftSection={<IconUpload size={15} stroke={1.7} aria-hidden />}
            renderRoot={(props) => <Link to="/import/new/$kind" params={{ kind: collection }} {...props} />}
          >
            {t('list.import')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
