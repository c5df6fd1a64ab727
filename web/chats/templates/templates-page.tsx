import { Button } from '@mantine/core'
import { IconPlus, IconTemplate } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rowsOf } from '../../data/row-lists.ts'
import { type ChatTemplate, templatesOptions } from '../../data/templates.ts'
import { EmptyState } from '../../parts/layout/empty-state.tsx'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { LoadMore } from '../../parts/lists/load-more.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { TemplateTable } from './template-table.tsx'

/** The message templates of the account: those of people, and those of integrations. */
export function TemplatesPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(templatesOptions)
  const [edited, setEdited] = useState<ChatTemplate | 'new'>()
  const templates = rowsOf(query.data)
  const add = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setEdited('new')}>
      {t('templates.add')}
    </Button>
  )
  return (
    <Page title={t('templates.title')} lead={t('templates.lead')} actions={templates.length > 0 && add}>
      <Loaded query={query}>
        {() =>
          templates.length === 0 ? (
            <EmptyState icon={IconTemplate} title={t('templates.empty_title')} action={add}>
              {t('templates.empty_text')}
            </EmptyState>
          ) : (
            <>
              <TemplateTable templates={templates} onEdit={setEdited} />
              <LoadMore query={query} />
            </>
          )
        }
      </Loaded>
      {edited && (
        <TemplateDialog
          template={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}
