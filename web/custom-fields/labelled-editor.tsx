import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './editor-box.module.css'
import { EditorBox, EditorButtons } from './editor-box.tsx'
import type { EditorProps } from './field-editor.tsx'
import { addressParts } from './use-field-text.ts'
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
  const labels = field.enums ?? []
  const first = labels[0]?.id ?? 0
  const before: Row[] = (value ?? []).map((one, key) => ({
    key,
    text: String(one.value),
    enum_id: Number(one.enum_id ?? first),
  }))
  const [rows, setRows] = useState(before.length > 0 ? before : [{ key: 0, text: '', enum_id: first }])
  const put = (key: number, change: Partial<Row>) =>
    setRows((all) => all.map((row) => (row.key === key ? { ...row, ...change } : row)))
  const save = () => {
    const kept = rows.filter(({ text }) => text.trim() !== '')
    if (sayRows(kept) === sayRows(before)) onCancel()
    else onSave(kept.map(({ text, enum_id }) => ({ value: text.trim(), ...labelOf(field, enum_id) })))
  }
  return (
    <EditorBox onSave={save} onCancel={onCancel}>
      <div className={classes.rows}>
        {rows.map(({ key, text, enum_id }, i) => (
          <div key={key} className={classes.pair}>
            <TextInput
              aria-label={`${field.name} ${i + 1}`}
              type={field.code === 'PHONE' ? 'tel' : 'text'}
              maxLength={1_024}
              value={text}
              onChange={(event) => put(key, { text: event.currentTarget.value })}
            />
            <NativeSelect
              aria-label={t('value.label_of', { name: `${field.name} ${i + 1}` })}
              value={String(enum_id)}
              onChange={(event) => put(key, { enum_id: Number(event.currentTarget.value) })}
              data={labels.map(({ id, value, code }) => ({
                value: String(id),
                label: isLabel(code) ? t(labelKey(code)) : value,
              }))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('value.remove', { name: text || `${field.name} ${i + 1}` })}
              title={t('value.remove', { name: text || `${field.name} ${i + 1}` })}
              onClick={() => setRows((all) => all.filter((row) => row.key !== key))}
            >
              <IconX size={15} />
            </ActionIcon>
          </div>
        ))}
      </div>
      <EditorButtons onSave={save} onCancel={onCancel}>
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() =>
            setRows((all) => [
              ...all,
              { key: Math.max(-1, ...all.map(({ key }) => key)) + 1, text: '', enum_id: first },
            ])
          }
        >
          {t('value.another')}
        </Button>
      </EditorButtons>
    </EditorBox>
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
  const save = () => {
    const isSame = addressParts.every((code) => (parts.get(code) ?? '').trim() === (before.get(code) ?? ''))
    if (isSame) onCancel()
    else onSave(written)
  }
  return (
    <EditorBox onSave={save} onCancel={onCancel}>
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
