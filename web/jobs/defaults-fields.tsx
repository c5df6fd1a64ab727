import { CloseButton, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ImportedKind, ImportPatch } from '../data/jobs.ts'
import { TagInput } from '../parts/forms/tag-input.tsx'
import { PersonSelect } from '../parts/people/person-select.tsx'
import { StageSelect } from '../parts/records/stage-select.tsx'
import type { SetupProps } from './import-setup.tsx'
import classes from './setup.module.css'

type Defaults = NonNullable<ImportPatch['defaults']>

/** Defaults for new records, and the date format of the file. */
export function DefaultsFields({ job, setup, onChange }: SetupProps) {
  const { t } = useTranslation()
  const { responsible_user_id, pipeline_id, status_id, tags = [] } = setup.defaults
  const set = (change: Partial<Defaults>) => {
    const all = Object.entries({ ...setup.defaults, ...change })
    onChange({ defaults: Object.fromEntries(all.filter(([, value]) => value !== undefined)) })
  }
  const clear = (change: Partial<Defaults>) => (
    <CloseButton
      size={22}
      iconSize={14}
      aria-label={t('import.clear')}
      title={t('import.clear')}
      onClick={() => set(change)}
    />
  )
  const hasStage = pipeline_id !== undefined && status_id !== undefined
  return (
    <div className={classes.fields}>
      <PersonSelect
        label={t('import.default.responsible')}
        placeholder={t('import.default.me')}
        value={responsible_user_id ?? null}
        onChange={(id) => set({ responsible_user_id: id })}
        rightSection={
          responsible_user_id !== undefined ? clear({ responsible_user_id: undefined }) : undefined
        }
      />
      {job.entity_type === 'leads' && (
        <StageSelect
          label={t('import.default.stage')}
          placeholder={t('import.default.first_stage')}
          value={hasStage ? { pipeline_id, status_id } : null}
          onChange={(place) => set(place)}
          rightSection={hasStage ? clear({ pipeline_id: undefined, status_id: undefined }) : undefined}
        />
      )}
      <TagInput
        collection={job.entity_type as ImportedKind}
        label={t('import.default.tags')}
        placeholder={tags.length === 0 ? t('import.default.tags_hint') : undefined}
        maxTags={20}
        value={tags}
        onChange={(names) => set({ tags: names })}
      />
      <Select
        label={t('import.default.dates')}
        allowDeselect={false}
        value={setup.dates}
        onChange={(dates) => onChange({ dates: dates as 'dmy' | 'mdy' })}
        data={(['dmy', 'mdy'] as const).map((one) => ({ value: one, label: t(`import.dates.${one}`) }))}
      />
    </div>
  )
}
