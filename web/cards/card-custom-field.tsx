import { Checkbox } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldType } from '../../src/custom-fields/fields/field-types.ts'
import { FieldEditor, lockOf } from '../custom-fields/field-editor.tsx'
import { Address, FieldValue } from '../custom-fields/field-value.tsx'
import { useFieldText } from '../custom-fields/use-field-text.ts'
import { isLabel, labelKey } from '../custom-fields/value-labels.ts'
import { type Values, valuesIn, type WireValue } from '../custom-fields/values.ts'
import { downloadOf } from '../data/drive.ts'
import type { CustomField } from '../data/fields.ts'
import type { RecordPatch } from '../data/record-patch.ts'
import { FoldingText } from '../parts/layout/folding-text.tsx'
import { useCard } from './card-context.tsx'
import classes from './card-field.module.css'
import { CardField } from './card-field.tsx'

interface CardCustomFieldProps {
  field: CustomField
  isRequired: boolean
}

/** A custom field on a card. */
export function CardCustomField({ field, isRequired }: CardCustomFieldProps) {
  const { record, save, canEdit } = useCard()
  const value = valuesIn(record, field.id)
  const lock = useLock(field)
  const patchOf = (values: WireValue[]): RecordPatch => ({
    custom_fields_values: [{ field_id: field.id, values }],
  })
  const isCheck = field.type === 'checkbox' && canEdit && !lock
  return (
    <CardField
      member={`field:${field.id}`}
      label={field.name}
      lock={lock}
      isRequired={isRequired}
      isEmpty={!isCheck && !value?.length}
      isDirect={isCheck}
      editor={
        isCheck
          ? undefined
          : (editing) => (
              <FieldEditor
                field={field}
                value={valuesIn(editing.seen, field.id)}
                onSave={(values) => editing.save(patchOf(values))}
                onCancel={editing.cancel}
              />
            )
      }
    >
      {isCheck ? (
        <Checkbox
          size="xs"
          aria-label={field.name}
          checked={value?.[0]?.value === true}
          onChange={({ currentTarget }) => save(patchOf([{ value: currentTarget.checked }]))}
        />
      ) : (
        <WholeValue field={field} value={value} />
      )}
      {field.disabled && field.origin && <span className={classes.owner}>{field.origin}</span>}
    </CardField>
  )
}

/** Explains why people cannot edit the field. */
function useLock(field: CustomField): string | undefined {
  const { t } = useTranslation()
  const lock = lockOf(field)
  if (lock === 'service') return t('card.locked_by', { owner: field.origin ?? t('card.a_service') })
  if (lock === 'api') return t('card.locked_api')
  return lock === 'kind' ? t('card.locked_kind') : undefined
}

interface WholeValueProps {
  field: CustomField
  value: Values
}

/** The complete value: a line per phone number, texts with their line breaks, long values folded. */
function WholeValue(props: WholeValueProps) {
  const Value = wholeValues[props.field.type]
  return <Value {...props} />
}

const wholeValues: Record<FieldType, ComponentType<WholeValueProps>> = {
  text: Text,
  textarea: Text,
  streetaddress: Text,
  smart_address: Text,
  url: Folded,
  org_legal_name: Text,
  tracking_data: Folded,
  numeric: FieldValue,
  monetary: FieldValue,
  price: FieldValue,
  checkbox: FieldValue,
  select: Text,
  multiselect: Text,
  radiobutton: Text,
  category: Text,
  date: FieldValue,
  birthday: FieldValue,
  date_time: FieldValue,
  multitext: Labelled,
  legal_entity: Many,
  items: Many,
  payer: FieldValue,
  supplier: FieldValue,
  linked_entity: FieldValue,
  chained_list: FieldValue,
  file: FileLink,
}

function Text({ field, value }: WholeValueProps) {
  return <FoldingText className={classes.text}>{useFieldText()(field, value)}</FoldingText>
}

function Folded(props: WholeValueProps) {
  return (
    <FoldingText className={classes.folded}>
      <FieldValue {...props} />
    </FoldingText>
  )
}

/** One value per line. */
function Many({ field, value }: WholeValueProps) {
  const text = useFieldText()
  return (
    <FoldingText className={classes.folded}>
      <ul className={classes.many}>
        {value?.map((one) => (
          <li key={JSON.stringify(one)}>{text(field, [one])}</li>
        ))}
      </ul>
    </FoldingText>
  )
}

function Labelled({ field, value }: WholeValueProps) {
  const { t } = useTranslation()
  return (
    <ul className={classes.many}>
      {value?.map(({ value: text, enum_code, enum_id }) => {
        const own = field.enums?.find(({ id }) => id === enum_id)?.value
        return (
          <li key={`${text} ${enum_id}`} className={classes.labelled}>
            <span>
              <Address field={field} text={String(text)} />
            </span>
            <span className={classes.tag}>{isLabel(enum_code) ? t(labelKey(enum_code)) : own}</span>
          </li>
        )
      })}
    </ul>
  )
}

function FileLink({ field, value }: WholeValueProps) {
  const { file_uuid } = (value?.[0]?.value ?? {}) as { file_uuid?: string }
  if (!file_uuid) return <FieldValue field={field} value={value} />
  return (
    <a href={downloadOf(file_uuid)} download className={classes.labelled}>
      <FieldValue field={field} value={value} />
      <IconDownload size={14} aria-hidden />
    </a>
  )
}
