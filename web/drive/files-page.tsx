import { SegmentedControl, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFile } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FilesAsked, fileOrders, filesOptions } from '../data/files.ts'
import { rowsOf } from '../data/row-lists.ts'
import { SearchBox } from '../parts/forms/search-box.tsx'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { LoadMore } from '../parts/lists/load-more.tsx'
import { FileSpace } from './file-space.tsx'
import { FileTable } from './file-table.tsx'
import classes from './files.module.css'

/** The files of the account and its trash, where administrators find what takes space. */
export function FilesPage() {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<FilesAsked>({ term: '', isInTrash: false, order: 'created_at' })
  const [term] = useDebouncedValue(asked.term.trim(), 200)
  const query = useInfiniteQuery({ ...filesOptions({ ...asked, term }), placeholderData: keepPreviousData })
  const files = rowsOf(query.data)
  return (
    <Page title={t('files.title')} lead={t('files.lead')}>
      <FileSpace />
      <Tools asked={asked} onChange={(change) => setAsked({ ...asked, ...change })} />
      <Loaded query={query}>
        {() =>
          files.length === 0 ? (
            <NoFiles term={term} isInTrash={asked.isInTrash} />
          ) : (
            <>
              <FileTable files={files} />
              <LoadMore query={query} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

interface ToolsProps {
  asked: FilesAsked
  onChange: (change: Partial<FilesAsked>) => void
}

function Tools({ asked: { term, isInTrash, order }, onChange }: ToolsProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.tools}>
      <SearchBox label={t('files.search')} value={term} onChange={(typed) => onChange({ term: typed })} />
      <SegmentedControl
        size="xs"
        aria-label={t('files.shown')}
        value={isInTrash ? 'trash' : 'kept'}
        onChange={(shown) => onChange({ isInTrash: shown === 'trash' })}
        data={[
          { value: 'kept', label: t('files.kept') },
          { value: 'trash', label: t('files.trash') },
        ]}
      />
      <Select
        aria-label={t('files.order')}
        allowDeselect={false}
        value={order}
        onChange={(chosen) => chosen && onChange({ order: chosen as FilesAsked['order'] })}
        data={fileOrders.map((value) => ({ value, label: t(`files.orders.${value}`) }))}
      />
    </div>
  )
}

function NoFiles({ term, isInTrash }: { term: string; isInTrash: boolean }) {
  const { t } = useTranslation()
  if (term !== '') return <p className={classes.nothing}>{t('app.nothing_found', { typed: term })}</p>
  return (
    <EmptyState icon={IconFile} title={t(isInTrash ? 'files.no_trash' : 'files.none')}>
      {t(isInTrash ? 'files.no_trash_text' : 'files.none_text')}
    </EmptyState>
  )
}
