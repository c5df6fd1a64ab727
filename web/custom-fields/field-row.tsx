import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { typeOf } from '../../src/custom-fields/fields/field-types.ts'
import type { CustomField } from '../data/fields.ts'
import { Tag } from '../parts/layout/status.tsx'
import { RowButtons } from '../parts/lists/row-buttons.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { fieldKinds } from './field-kinds.ts'
import classes from './fields-page.module.css'

interface FieldRowProps {
  field: CustomField
  onEdit: () => void
  onRemove: () => void
}

/** A field in the settings: its name, type, owner and required stages. */
export function FieldRow({ field, onEdit, onRemove }: FieldRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, type, origin, enums, nested, is_required, required_statuses = [] } = field
  const { icon: Mark } = fieldKinds[type]
  const offered = typeOf(type).enums === 'labels' ? 0 : (enums ?? nested ?? []).length
  return (
    <>
      <Mark size={16} stroke={1.7} className={classes.mark} aria-hidden />
      <span className={classes.about}>
        <span className={classes.words}>
          <span className={classes.name} title={name}>
            {name}
          </span>
          <span className={classes.kind}>
            {t(`fields.types.${type}`)}
            {offered > 0 && (
              <span> · {t('fields.offered', { count: offered, number: format.number(offered) })}</span>
            )}
          </span>
        </span>
        <span className={classes.tags}>
          {is_required && <Tag>{t('fields.required')}</Tag>}
          {required_statuses.length > 0 && (
            <Tag>{t('fields.required_at', { count: required_statuses.length })}</Tag>
          )}
          {field.is_api_only && <Tag>{t('fields.api_only')}</Tag>}
          {field.is_visible === false && <Tag>{t('fields.hidden')}</Tag>}
          {(origin !== null || field.disabled) && (
            <span className={classes.owner} title={t('fields.owned_by', { service: origin ?? '' })}>
              <IconLock size={14} stroke={1.7} aria-hidden />
              <span>{origin ?? t('fields.a_service')}</span>
            </span>
          )}
        </span>
      </span>
      <RowButtons name={name} onEdit={onEdit} {...(field.is_deletable && origin === null && { onRemove })} />
    </>
  )
}
