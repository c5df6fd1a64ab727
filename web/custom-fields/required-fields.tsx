import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomField } from '../data/fields.ts'
import { FieldEditor } from './field-editor.tsx'
import { FieldValue } from './field-value.tsx'
import classes from './required-fields.module.css'
import type { WireValue } from './values.ts'

export type Filled = Readonly<Record<number, WireValue[]>>

interface RequiredFieldsProps {
  fields: CustomField[]
  filled: Filled
  onFill: (filled: Filled) => void
}

/** Inputs for the fields that a new record requires. */
export function RequiredFields({ fields, filled, onFill }: RequiredFieldsProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<number>()
  return fields.map((field) => {
    const value = filled[field.id]
    return (
      <div key={field.id}>
        <div className={classes.label}>
          {field.name} <span className={classes.star}>*</span>
        </div>
        {open === field.id ? (
          <FieldEditor
            field={field}
            value={value}
            onSave={(values) => {
              onFill({ ...filled, [field.id]: values })
              setOpen(undefined)
            }}
            onCancel={() => setOpen(undefined)}
          />
        ) : (
          <UnstyledButton
            className={classes.fill}
            aria-label={t('card.edit', { name: field.name })}
            onClick={() => setOpen(field.id)}
          >
            {value?.length ? <FieldValue field={field} value={value} /> : t('card.add_value')}
          </UnstyledButton>
        )}
      </div>
    )
  })
}
