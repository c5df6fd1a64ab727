import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { fieldUsageOptions, removeField } from '../data/field-changes.ts'
import type { CustomField } from '../data/fields.ts'
import type { Collection } from '../data/records.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { useFormat } from '../parts/texts/format.ts'
import classes from './fields-page.module.css'

interface RemoveFieldProps {
  collection: Collection
  field: CustomField
  onClose: () => void
}

/** Deletes a field, after an explanation of what is lost. */
export function RemoveField({ collection, field, onClose }: RemoveFieldProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const usage = useQuery(fieldUsageOptions(collection, field.id))
  const remove = useAction(removeField(collection), t('fields.removed'))
  return (
    <Confirm
      opened
      title={t('fields.remove_title', { name: field.name })}
      action={t('fields.remove')}
      pending={remove.pending || usage.isLoading}
      onConfirm={() => remove.run(field.id, onClose)}
      onClose={onClose}
    >
      <Loaded query={usage} rows={1}>
        {({ records }) =>
          records === 0 ? (
            <p>{t('fields.remove_unused')}</p>
          ) : (
            <>
              <p className={classes.lost}>
                {t('fields.remove_lost', { count: records, number: format.number(records) })}
              </p>
              <p>{t('fields.remove_for_good')}</p>
            </>
          )
        }
      </Loaded>
    </Confirm>
  )
}
