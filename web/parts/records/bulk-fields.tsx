import { useTranslation } from 'react-i18next'
import type { NewBulkChange } from '../../data/jobs.ts'
import { type CardKind, type Collection, wordOf } from '../../data/records.ts'
import { TagInput } from '../forms/tag-input.tsx'
import { PersonSelect } from '../people/person-select.tsx'
import { CustomerStageSelect } from './customer-stage-select.tsx'
import { StageSelect } from './stage-select.tsx'

type Changes = NewBulkChange['changes']

interface BulkFieldsProps {
  collection: Collection
  changes: Changes
  onChange: (changes: Changes) => void
}

/** A dropdown below would cover the buttons of the dialog. */
const above = { position: 'top' } as const

/** The values to change in all records. Empty inputs change nothing. */
export function BulkFields({ collection, changes, onChange }: BulkFieldsProps) {
  const { t } = useTranslation()
  const kind = wordOf(collection) as CardKind
  const { status, responsible_user_id, tags_to_add = [], tags_to_delete = [] } = changes
  const set = (change: Partial<Changes>) => {
    const all = { ...changes, ...change }
    const isSaid = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
    onChange(Object.fromEntries(Object.entries(all).filter(([, value]) => isSaid(value))))
  }
  const stays = t('bulk.stays')
  return (
    <>
      {kind === 'leads' && (
        <StageSelect
          label={t('bulk.stage')}
          placeholder={stays}
          value={status?.pipeline_id ? { ...status, pipeline_id: status.pipeline_id } : null}
          onChange={(place) => set({ status: place })}
        />
      )}
      {kind === 'customers' && (
        <CustomerStageSelect
          label={t('bulk.stage')}
          placeholder={stays}
          value={status?.status_id ?? null}
          onChange={(status_id) => set({ status: { status_id } })}
        />
      )}
      <PersonSelect
        label={t('bulk.responsible')}
        placeholder={stays}
        value={responsible_user_id ?? null}
        onChange={(id) => set({ responsible_user_id: id })}
      />
      <TagInput
        collection={kind}
        label={t('bulk.add_tags')}
        comboboxProps={above}
        value={tags_to_add}
        onChange={(names) => set({ tags_to_add: names })}
      />
      <TagInput
        collection={kind}
        label={t('bulk.remove_tags')}
        comboboxProps={above}
        value={tags_to_delete}
        onChange={(names) => set({ tags_to_delete: names })}
      />
    </>
  )
}
