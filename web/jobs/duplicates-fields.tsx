import { Checkbox, SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ImportedKind, ImportPatch } from '../data/jobs.ts'
import type { SetupProps } from './import-setup.tsx'
import classes from './setup.module.css'

type Duplicates = NonNullable<ImportPatch['duplicates']>
type MatchKey = Duplicates['match'][number]

const actions: Duplicates['action'][] = ['skip', 'update', 'add']
const keysOf: Record<ImportedKind, MatchKey[]> = {
  contacts: ['phone', 'email', 'id'],
  companies: ['name', 'phone', 'site', 'id'],
  leads: ['id'],
}

/** How rows of existing records are handled, and how those records are matched. */
export function DuplicatesFields({ job, setup, onChange }: SetupProps) {
  const { t } = useTranslation()
  const { match, action } = setup.duplicates
  const hasIds = setup.mapping.some(({ target }) => target === 'id')
  const keys = keysOf[job.entity_type as ImportedKind].filter((one) => one !== 'id' || hasIds)
  const set = (change: Partial<Duplicates>) => onChange({ duplicates: { match, action, ...change } })
  const toggle = (key: MatchKey, isOn: boolean) =>
    set({ match: keys.filter((one) => (one === key ? isOn : match.includes(one))) })
  return (
    <div className={classes.stack}>
      <SegmentedControl
        aria-label={t('import.duplicates')}
        className={classes.choice}
        value={action}
        onChange={(value) => set({ action: value as Duplicates['action'] })}
        data={actions.map((one) => ({ value: one, label: t(`import.duplicate.${one}`) }))}
      />
      <p className={classes.hint}>{t(`import.duplicate_text.${action}`)}</p>
      {action !== 'add' && (
        <Checkbox.Group aria-label={t('import.same_by')} value={match}>
          <div className={classes.checks}>
            <span className={classes.hint}>{t('import.same_by')}</span>
            {keys.map((key) => (
              <Checkbox
                key={key}
                value={key}
                label={t(`import.match.${key}`)}
                onChange={({ currentTarget }) => toggle(key, currentTarget.checked)}
              />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </div>
  )
}
