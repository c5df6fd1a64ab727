import { useTranslation } from 'react-i18next'
import type { Rights } from '../data/accounts.ts'
import { type Entity, entities, within } from './rights.ts'
import classes from './rights-summary.module.css'

/** Describes permissions in words. */
export function RightsSummary({ rights, administrator }: { rights: Rights; administrator?: boolean }) {
  const { t } = useTranslation()
  const sentence = useSentence()
  if (administrator) return <p className={classes.words}>{t('rights.summary.administrator')}</p>
  const rules = rights.status_rights?.length ?? 0
  return (
    <dl className={classes.words}>
      {entities.map((entity) => (
        <Line key={entity} name={t(`rights.entity.${entity}`)} summary={sentence(rights, entity)} />
      ))}
      <Line
        name={t('rights.entity.tasks')}
        summary={`${t(`rights.summary.edit.${rights.tasks.edit}`)}, ${t(`rights.summary.delete.${rights.tasks.delete}`)}`}
      />
      <Line
        name={t('rights.mail_access')}
        summary={rights.mail_access ? t('rights.summary.mail_yes') : t('rights.summary.mail_no')}
      />
      <Line
        name={t('rights.catalog_access')}
        summary={rights.catalog_access ? t('rights.summary.catalog_yes') : t('rights.summary.catalog_no')}
      />
      {rules > 0 && <Line name={t('rights.stages')} summary={t('rights.summary.rules', { count: rules })} />}
    </dl>
  )
}

const Line = ({ name, summary }: { name: string; summary: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{summary}</dd>
  </>
)

/** Editing, deleting and exporting are limited to what the person can see. */
function useSentence() {
  const { t } = useTranslation()
  return (rights: Rights, entity: Entity) => {
    const { view, edit, add, delete: remove, export: copy } = rights[entity]
    const limited = (width: typeof edit) => within(width, view)
    if (view === 'D') return [t('rights.summary.view.D'), t(`rights.summary.add.${add}`)].join(', ')
    return [
      t(`rights.summary.view.${view}`),
      t(`rights.summary.edit.${limited(edit)}`),
      t(`rights.summary.add.${add}`),
      t(`rights.summary.delete.${limited(remove)}`),
      t(`rights.summary.export.${limited(copy)}`),
    ].join(', ')
  }
}
