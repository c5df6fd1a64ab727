import { Button, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readNumber, writeNumber } from '../parts/texts/numbers.ts'
import { useLocale } from '../parts/texts/region.ts'
import classes from './editor-box.module.css'
import { EditorBox, EditorButtons } from './editor-box.tsx'
import type { EditorProps } from './field-editor.tsx'
import type { WireValue } from './values.ts'

type Structure = Record<string, unknown>
const membersOf = (value: WireValue): Structure => value.value as Structure

/** Edits legal entities. */
export function LegalEntityEditor(props: EditorProps) {
  return <StructuresEditor {...props} columns={organisation} most={20} />
}

/** Edits the payer. A record that a service linked stays linked. */
export function PayerEditor(props: EditorProps) {
  return <StructuresEditor {...props} columns={organisation} most={1} />
}

/** Edits the lines of an invoice. */
export function ItemsEditor(props: EditorProps) {
  return <StructuresEditor {...props} columns={item} most={250} />
}

interface Column {
  name: string
  isNumber?: true
  isWide?: true
  /** The value requires it. */
  isNeeded?: true
}

const organisation = [
  { name: 'name', isWide: true, isNeeded: true },
  { name: 'vat_id' },
  { name: 'kpp' },
  { name: 'address', isWide: true },
  { name: 'director' },
  { name: 'bank_code' },
  { name: 'bank_account_number', isWide: true },
] as const satisfies Column[]

const item = [
  { name: 'description', isWide: true, isNeeded: true },
  { name: 'unit_price', isNumber: true },
  { name: 'quantity', isNumber: true },
  { name: 'sku' },
  { name: 'unit_type' },
] as const satisfies Column[]

type ColumnName = (typeof organisation)[number]['name'] | (typeof item)[number]['name']
interface Row {
  key: number
  /** The original value, which keeps properties that are not shown. */
  kept: Structure
  texts: Record<string, string>
}

interface StructuresProps extends EditorProps {
  columns: readonly (Column & { name: ColumnName })[]
  most: number
}

function StructuresEditor({ field, value, onSave, onCancel, columns, most }: StructuresProps) {
  const { t } = useTranslation()
  const locale = useLocale()
  const textOf = ({ isNumber }: Column, kept: unknown) =>
    isNumber && typeof kept === 'number' ? writeNumber(kept, locale) : String(kept ?? '')
  const rowOf = (kept: Structure, key: number): Row => ({
    key,
    kept,
    texts: Object.fromEntries(columns.map((column) => [column.name, textOf(column, kept[column.name])])),
  })
  const [before] = useState(() => (value ?? []).map((one, key) => rowOf(membersOf(one), key)))
  const [rows, setRows] = useState(before.length > 0 ? before : [rowOf({}, 0)])
  const [fault, setFault] = useState<string>()
  const put = (key: number, name: string, text: string) =>
    setRows((all) =>
      all.map((row) => (row.key === key ? { ...row, texts: { ...row.texts, [name]: text } } : row)),
    )
  const filled = rows.filter(({ texts }) => columns.some(({ name }) => texts[name]?.trim()))
  const isChanged = sayRows(filled) !== sayRows(before)
  const save = () => {
    if (!isChanged) return onCancel()
    const written = filled.map((row) => writtenOf(row, columns, locale))
    if (written.includes('unnamed')) setFault(t('value.name_needed'))
    else if (written.includes('not_number')) setFault(t('value.not_number'))
    else onSave(written.map((one) => ({ value: one })))
  }
  return (
    <EditorBox onSave={save} onCancel={onCancel} isChanged={isChanged} fault={fault}>
      {rows.map(({ key, texts }) => (
        <fieldset key={key} className={classes.structure} aria-label={field.name}>
          {columns.map(({ name, isWide, isNumber }) => (
            <TextInput
              key={name}
              label={t(`value.part.${name}`)}
              wrapperProps={{ 'data-wide': isWide }}
              inputMode={isNumber && 'decimal'}
              maxLength={255}
              value={texts[name] ?? ''}
              onChange={({ currentTarget }) => put(key, name, currentTarget.value)}
            />
          ))}
        </fieldset>
      ))}
      <EditorButtons onSave={save} onCancel={onCancel}>
        {rows.length < most && (
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setRows((all) => [...all, rowOf({}, Math.max(...all.map(({ key }) => key)) + 1)])}
          >
            {t('value.another')}
          </Button>
        )}
      </EditorButtons>
    </EditorBox>
  )
}

const sayRows = (rows: Row[]) => JSON.stringify(rows.map(({ texts }) => texts))

/** Returns the values to write, without those that the server computes. */
function writtenOf(
  { kept, texts }: Row,
  columns: readonly Column[],
  locale: string,
): Structure | 'unnamed' | 'not_number' {
  const after: Structure = { ...kept }
  for (const { name, isNumber, isNeeded } of columns) {
    const text = texts[name]?.trim() ?? ''
    if (text === '' && isNeeded) return 'unnamed'
    if (text === '') delete after[name]
    else if (!isNumber) after[name] = text === String(kept[name] ?? '') ? kept[name] : text
    else {
      const number = Number(readNumber(text, locale) ?? Number.NaN)
      if (!(number >= 0)) return 'not_number'
      after[name] = number
    }
  }
  return after
}
