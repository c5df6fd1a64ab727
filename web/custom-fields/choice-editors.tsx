import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomField } from '../data/fields.ts'
import { SearchMultiSelect, SearchSelect } from '../parts/forms/search-select.tsx'
import { useClearable } from '../parts/forms/use-clearable.ts'
import { EditorBox } from './editor-box.tsx'
import type { EditorProps } from './field-editor.tsx'
import type { Values, WireValue } from './values.ts'

const idsIn = (value: Values) => (value ?? []).map(({ enum_id }) => String(enum_id))

/** The options of the field in order; a category is listed below its parent. */
function offeredBy({ enums, nested }: CustomField): { value: string; label: string }[] {
  if (nested) return branch(nested, null, 0)
  return (enums ?? [])
    .toSorted((a, b) => a.sort - b.sort)
    .map(({ id, value }) => ({ value: String(id), label: value }))
}

function branch(
  nested: NonNullable<CustomField['nested']>,
  above: number | null,
  depth: number,
): { value: string; label: string }[] {
  return nested
    .filter(({ parent_id }) => (parent_id || null) === above)
    .toSorted((a, b) => a.sort - b.sort)
    .flatMap(({ id, value }) => [
      { value: String(id), label: `${'\u2003'.repeat(depth)}${value}` },
      ...branch(nested, id, depth + 1),
    ])
}

/** The selected options in the format of the API. */
function chosenOf({ enums, nested }: CustomField, ids: string[]): WireValue[] {
  return ids.map((id) => {
    const found = enums?.find((one) => one.id === Number(id))
    const entry = found ?? nested?.find((one) => one.id === Number(id))
    return { value: entry?.value ?? '', enum_id: Number(id), enum_code: found?.code ?? null }
  })
}

/** Selects one option or none. */
export function ChoiceEditor({ field, value, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation()
  const clearable = useClearable()
  const [before = null] = idsIn(value)
  const choose = (id: string | null) => {
    if (id === before) onCancel()
    else onSave(chosenOf(field, id === null ? [] : [id]))
  }
  return (
    <EditorBox onSave={onCancel} onCancel={onCancel}>
      <SearchSelect
        aria-label={field.name}
        {...clearable(field.name)}
        defaultDropdownOpened
        data={offeredBy(field)}
        value={before}
        onChange={choose}
        nothingFoundMessage={t('app.nothing')}
      />
    </EditorBox>
  )
}

/** Selects any number of options. */
export function ChoicesEditor({ field, value, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation()
  const before = idsIn(value)
  const [chosen, setChosen] = useState(before)
  const isChanged = chosen.join() !== before.join()
  const save = () => {
    if (!isChanged) onCancel()
    else onSave(chosenOf(field, chosen))
  }
  return (
    <EditorBox onSave={save} onCancel={onCancel} isChanged={isChanged}>
      <SearchMultiSelect
        aria-label={field.name}
        defaultDropdownOpened
        hidePickedOptions
        data={offeredBy(field)}
        value={chosen}
        onChange={setChosen}
        nothingFoundMessage={t('app.nothing')}
      />
    </EditorBox>
  )
}

/** Edits a yes-or-no field. */
export function CheckEditor({ field, value, onSave, onCancel }: EditorProps) {
  return (
    <EditorBox onSave={onCancel} onCancel={onCancel}>
      <Checkbox
        aria-label={field.name}
        checked={value?.[0]?.value === true}
        onChange={(event) => onSave([{ value: event.currentTarget.checked }])}
      />
    </EditorBox>
  )
}
