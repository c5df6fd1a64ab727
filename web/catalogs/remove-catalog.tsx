import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Catalog, removeCatalog } from '../data/catalogs.ts'
import { fieldsOptions } from '../data/fields.ts'
import { elementsOf } from '../data/records.ts'
import { totalsOptions } from '../data/totals.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useFormat } from '../parts/texts/format.ts'

/** Deletes a list, after an explanation of what is lost. */
export function RemoveCatalog({ catalog: { id, name }, onClose }: { catalog: Catalog; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const remove = useAction(removeCatalog, t('catalogs.removed'))
  const { data: totals } = useQuery({ ...totalsOptions(elementsOf(id), {}), staleTime: 0 })
  const { data: fields } = useQuery(fieldsOptions(elementsOf(id)))
  const { total: count = 0, is_complete: isComplete = true } = totals ?? {}
  return (
    <Confirm
      opened
      title={t('catalogs.remove_title', { name })}
      action={t('catalogs.remove')}
      pending={remove.pending || !totals}
      onConfirm={() => remove.run(id, onClose)}
      onClose={onClose}
    >
      <p>{t('catalogs.remove_text')}</p>
      <ul>
        <li>{t('catalogs.lost_elements', { count, shown: format.count(count, isComplete) })}</li>
        <li>{t('catalogs.lost_fields', { count: fields?.length ?? 0 })}</li>
        <li>{t('catalogs.lost_links')}</li>
      </ul>
    </Confirm>
  )
}
