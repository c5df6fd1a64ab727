import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useColleagueName } from '../data/colleagues.ts'
import { wordOf } from '../data/records.ts'
import { type Acting, useActingName } from '../parts/people/acting-name.ts'
import { useFormat } from '../parts/texts/format.ts'
import { useRecordPermission } from '../shell/use-record-permission.ts'
import { BuiltInFields } from './built-in-fields.tsx'
import { useCard } from './card-context.tsx'
import { FieldGroups } from './field-groups.tsx'
import classes from './fields-panel.module.css'
import { LinkedElements } from './linked-elements.tsx'
import { LinkedRecords } from './linked-records.tsx'
import { Purchases } from './purchases.tsx'
import { RecordTasks } from './record-tasks.tsx'

/** All fields and links of the record, then its creation and update. */
export function FieldsPanel() {
  const { t } = useTranslation()
  const { collection, record, canEdit, isTrashed } = useCard()
  const [wasEditable] = useState(canEdit)
  const canView = useRecordPermission(collection)('view', record)
  const word = wordOf(collection)
  return (
    <div className={classes.panel}>
      {!canEdit && !isTrashed && (
        <p className={classes.readOnly}>
          {t(wasEditable && !canView ? 'card.given_away' : 'card.read_only')}
        </p>
      )}
      <BuiltInFields />
      <FieldGroups />
      {word !== 'elements' && !isTrashed && (
        <>
          <RecordTasks />
          <LinkedRecords />
          <LinkedElements />
        </>
      )}
      {word === 'customers' && !isTrashed && <Purchases />}
      <Origin />
    </div>
  )
}

function Origin() {
  const { t } = useTranslation()
  const format = useFormat()
  const { record } = useCard()
  const nameOf = useColleagueName()
  const actingName = useActingName()
  const attribution = (at: number, by: number | undefined, integration: Acting) => {
    const name = by || integration ? actingName(by ? nameOf(by) : undefined, integration) : t('app.nobody')
    return [format.dateTime(at), name].filter(Boolean).join(', ')
  }
  const { created_by_integration, updated_by_integration } = record
  return (
    <p className={classes.origin}>
      <span>
        {t('card.added', { when: attribution(record.created_at, record.created_by, created_by_integration) })}
      </span>
      <span>
        {t('card.updated', {
          when: attribution(record.updated_at, record.updated_by, updated_by_integration),
        })}
      </span>
      <span>{t('card.number', { id: record.id })}</span>
    </p>
  )
}
