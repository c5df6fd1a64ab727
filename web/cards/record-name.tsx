import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditorBox } from '../custom-fields/editor-box.tsx'
import type { RecordPatch } from '../data/record-patch.ts'
import type { ReadRecord } from '../data/records.ts'
import { useFocusBack } from '../parts/dialogs/use-focus-back.ts'
import { useCard } from './card-context.tsx'
import classes from './card-head.module.css'

/** The editable title of a card; a contact's name has two parts. */
export function RecordName() {
  const { t } = useTranslation()
  const { record, collection, canEdit, open, setOpen, changed } = useCard()
  const name = record.name || t('card.unnamed', { id: record.id })
  const shown = useRef<HTMLDivElement>(null)
  useFocusBack(shown, open === 'name', `.${classes.cover}`)
  if (open === 'name')
    return <NameEditor key={record.id} parts={collection === 'contacts' ? contactParts : ['name']} />
  return (
    <div
      ref={shown}
      className={classes.name}
      title={name}
      data-locked={!canEdit || undefined}
      data-changed={changed.has('name') || undefined}
    >
      <h1>{name}</h1>
      {canEdit && (
        <button
          type="button"
          className={classes.cover}
          aria-label={t('card.edit', { name: t('field.name') })}
          onClick={() => setOpen('name')}
        />
      )}
    </div>
  )
}

type Part = 'name' | 'first_name' | 'last_name'
const contactParts: Part[] = ['first_name', 'last_name']
const titles = { name: 'field.name', first_name: 'card.first_name', last_name: 'card.last_name' } as const

function NameEditor({ parts }: { parts: Part[] }) {
  const { t } = useTranslation()
  const { record, collection, setOpen, save } = useCard()
  const [seen] = useState(record)
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(parts.map((part) => [part, seen[part] ?? ''])),
  )
  const isEmpty = parts.every((part) => texts[part]?.trim() === '')
  const isNeeded = isEmpty && (collection === 'customers' || collection.startsWith('catalogs/'))
  const patch = changesOf(seen, texts)
  const isChanged = Object.keys(patch).length > 0
  const onSave = () => {
    if (isNeeded) return
    setOpen(null)
    if (isChanged) save(patch, seen)
  }
  return (
    <EditorBox
      onSave={onSave}
      onCancel={() => setOpen(null)}
      isChanged={isChanged}
      fault={isNeeded ? t('faults.NotBlank') : undefined}
    >
      <div className={classes.writing}>
        {parts.map((part) => (
          <TextInput
            key={part}
            aria-label={t(titles[part])}
            placeholder={t(titles[part])}
            maxLength={255}
            value={texts[part] ?? ''}
            onChange={({ currentTarget }) => setTexts({ ...texts, [part]: currentTarget.value })}
          />
        ))}
      </div>
    </EditorBox>
  )
}

/** The parts of a contact's name are saved together. */
function changesOf(seen: ReadRecord, texts: Record<string, string>): RecordPatch {
  const written = Object.entries(texts).map(([part, text]) => [part, text.trim()])
  const isSame = written.every(([part, text]) => (seen[part as Part] ?? '') === text)
  return isSame ? {} : Object.fromEntries(written)
}
