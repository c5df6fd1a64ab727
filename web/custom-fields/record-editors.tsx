import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { elementsOf } from '../data/records.ts'
import { RecordPicker } from '../parts/records/record-picker.tsx'
import classes from './editor-box.module.css'
import { EditorBox } from './editor-box.tsx'
import type { EditorProps } from './field-editor.tsx'
import { NamedRecord } from './field-value.tsx'

/** Selects a contact, a company or a list item. */
export function LinkedEntityEditor({ field, value, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<'contacts' | 'companies'>('contacts')
  return (
    <EditorBox onSave={onCancel} onCancel={onCancel}>
      <SegmentedControl
        size="xs"
        aria-label={field.name}
        value={kind}
        onChange={(chosen) => setKind(chosen as typeof kind)}
        data={[
          { value: 'contacts', label: t('nav.contacts') },
          { value: 'companies', label: t('nav.companies') },
        ]}
      />
      <RecordPicker
        key={kind}
        aria-label={field.name}
        collection={kind}
        onPick={(entity_id, name) => onSave([{ value: { entity_id, entity_type: kind, name } }])}
      />
      {value && <ClearButton onClear={() => onSave([])} />}
    </EditorBox>
  )
}

/** Selects an item of each of several lists, in order. */
export function ChainedListEditor({ field, value, onSave, onCancel }: EditorProps) {
  const lists = (field.chained_lists ?? []).map(({ catalog_id, title }) => ({
    catalog_id,
    title: title ?? field.name,
  }))
  const [chosen, setChosen] = useState(
    new Map((value ?? []).map((one) => [Number(one.catalog_id), Number(one.catalog_element_id)])),
  )
  const save = (all: ReadonlyMap<number, number>) =>
    onSave(
      lists.flatMap(({ catalog_id }) => {
        const catalog_element_id = all.get(catalog_id)
        return catalog_element_id === undefined ? [] : [{ catalog_id, catalog_element_id }]
      }),
    )
  const choose = (catalog_id: number, id: number) => {
    const next = new Map(chosen).set(catalog_id, id)
    setChosen(next)
    if (lists.every((list) => next.has(list.catalog_id))) save(next)
  }
  return (
    <EditorBox onSave={onCancel} onCancel={onCancel}>
      {lists.map(({ catalog_id, title }) => (
        <RecordPicker
          key={catalog_id}
          label={title}
          description={
            chosen.has(catalog_id) && (
              <NamedRecord collection={elementsOf(catalog_id)} id={chosen.get(catalog_id) as number} />
            )
          }
          defaultDropdownOpened={false}
          collection={elementsOf(catalog_id)}
          onPick={(id) => choose(catalog_id, id)}
        />
      ))}
      {value && <ClearButton onClear={() => onSave([])} />}
    </EditorBox>
  )
}

function ClearButton({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.buttons}>
      <Button size="xs" variant="default" onClick={onClear}>
        {t('value.clear')}
      </Button>
    </div>
  )
}
