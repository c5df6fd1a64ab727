import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addressParts } from '../../src/custom-fields/fields/field-types.ts'
import classes from './editor-box.module.css'
import { EditorBox, EditorButtons } from './editor-box.tsx'
import type { EditorProps } from './field-editor.tsx'
import { isLabel, labelKey } from './value-labels.ts'
import type { WireValue } from './values.ts'

interface Row {
  key: number
  text: string
  enum_id: number
}

/** Edits any number of phone numbers or emails with labels. */
export function LabelledEditor({ field, value, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation()
  const first = field.enums?.[0]?.id ?? 0
  const before = rowsOf(value, first)
  const [rows, setRows] = useState(before.length > 0 ? before : [{ key: 0, text: '', enum_id: first }])
  const kept = rows.filter(({ text }) => text.trim() !== '')
  const isChanged = sayRows(kept) !== sayRows(before)
  const save = () => {
    if (!isChanged) onCancel()
    else onSave(kept.map(({ text, enum_id }) => ({ value: text.trim(), ...labelOf(field, enum_id) })))
  }
  const add = () =>
    setRows((all) => [
      ...all,
      { key: Math.max(-1, ...all.map(({ key }) => key)) + 1, text: '', enum_id: first },
    ])
  return (
    <EditorBox onSave={save} onCancel={onCancel} isChanged={isChanged}>
      <div className={classes.rows}>
        {rows.map((row, i) => (
          <LabelledRow
            key={row.key}
            field={field}
            name={`${field.name} ${i + 1}`}
            row={row}
            onChange={(changed) => setRows((all) => all.map((one) => (one.key === row.key ? changed : one)))}
            onRemove={() => setRows((all) => all.filter(({ key }) => key !== row.key))}
          />
        ))}
      </div>
      <EditorButtons onSave={save} onCancel={onCancel}>
        <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t('value.another')}
        </Button>
      </EditorButtons>
    </EditorBox>
  )
}

const rowsOf = (value: EditorProps['value'], first: number): Row[] =>
  (value ?? []).map((one, key) => ({
    key,
    text: String(one.value),
    enum_id: Number(one.enum_id ?? first),
  }))

interface LabelledRowProps {
  field: EditorProps['field']
  name: string
  row: Row
  onChange: (row: Row) => void
  onRemove: () => void
}

/** A text and its label. */
function LabelledRow({ field, name, row, onChange, onRemove }: LabelledRowProps) {
  const { t } = useTranslation()
  const remove = t('value.remove', { name: row.text || name })
  return (
    <div className={classes.pair}>
      <TextInput
        aria-label={name}
        type={field.code === 'PHONE' ? 'tel' : 'text'}
        maxLength={1_024}
        value={row.text}
        onChange={({ currentTarget }) => onChange({ ...row, text: currentTarget.value })}
      />
      <NativeSelect
        aria-label={t('value.label_of', { name })}
        value={String(row.enum_id)}
        onChange={({ currentTarget }) => onChange({ ...row, enum_id: Number(currentTarget.value) })}
        data={(field.enums ?? []).map(({ id, value, code }) => ({
          value: String(id),
          label: isLabel(code) ? t(labelKey(code)) : value,
        }))}
      />
      <ActionIcon variant="subtle" color="gray" aria-label={remove} title={remove} onClick={onRemove}>
        <IconX size={15} />
      </ActionIcon>
    </div>
  )
}

const sayRows = (rows: Row[]) => JSON.stringify(rows.map(({ text, enum_id }) => [text.trim(), enum_id]))

const labelOf = ({ enums }: EditorProps['field'], enum_id: number): WireValue => ({
  enum_id,
  enum_code: enums?.find(({ id }) => id === enum_id)?.code ?? null,
})

/** Edits the parts of an address. */
export function AddressEditor({ value, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation()
  const before = new Map((value ?? []).map(({ enum_code, value }) => [String(enum_code), String(value)]))
  const [parts, setParts] = useState(before)
  const written = addressParts.flatMap((code, i) => {
    const text = parts.get(code)?.trim()
    return text ? [{ value: text, enum_id: i + 1, enum_code: code }] : []
  })
  const isSame = addressParts.every((code) => (parts.get(code) ?? '').trim() === (before.get(code) ?? ''))
  const save = () => {
    if (isSame) onCancel()
    else onSave(written)
  }
  return (
    <EditorBox onSave={save} onCancel={onCancel} isChanged={!isSame}>
      <div className={classes.structure}>
        {addressParts.map((code) => (
          <TextInput
            key={code}
            label={t(`value.address.${code}`)}
            wrapperProps={{ 'data-wide': code.startsWith('address') || undefined }}
            maxLength={1_024}
            value={parts.get(code) ?? ''}
            onChange={({ currentTarget }) => setParts((all) => new Map(all).set(code, currentTarget.value))}
          />
        ))}
      </div>
      <EditorButtons onSave={save} onCancel={onCancel} />
    </EditorBox>
  )
}
