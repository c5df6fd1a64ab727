import { useTranslation } from 'react-i18next'
import type { Rights } from '../data/accounts.ts'
import { type Entity, entities, within } from './rights.ts'
import classes from './rights-summary.module.css'

/** The matrix as sentences: what a person with these rights sees and may do. */
export function RightsSummary({ rights, administrator }: { rights: Rights; administrator?: boolean }) {
  const { t } = useTranslation()
  const sentence = useSentence()
  if (administrator) return <p className={classes.words}>{t('rights.say.administrator')}</p>
  const rules = rights.status_rights?.length ?? 0
  return (
    <dl className={classes.words}>
      {entities.map((entity) => (
        <Line key={entity} name={t(`rights.entity.${entity}`)} says={sentence(rights, entity)} />
      ))}
      <Line
        name={t('rights.entity.tasks')}
        says={`${t(`rights.say.edit.${rights.tasks.edit}`)}, ${t(`rights.say.delete.${rights.tasks.delete}`)}`}
      />
      <Line
        name={t('rights.mail_access')}
        says={rights.mail_access ? t('rights.say.mail_yes') : t('rights.say.mail_no')}
      />
      <Line
        name={t('rights.catalog_access')}
        says={rights.catalog_access ? t('rights.say.catalog_yes') : t('rights.say.catalog_no')}
      />
      {rules > 0 && <Line name={t('rights.stages')} says={t('rights.say.rules', { count: rules })} />}
    </dl>
  )
}

const Line = ({ name, says }: { name: string; says: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{says}</dd>
  </>
)

/** What goes beyond sight is said as far as one sees. */
function useSentence() {
  const { t } = useTranslation()
  return (rights: Rights, entity: Entity) => {
    const { view, edit, add, delete: remove, export: copy } = rights[entity]
    const may = (width: typeof edit) => within(width, view)
    if (view === 'D') return [t('rights.say.view.D'), t(`rights.say.add.${add}`)].join(', ')
    return [
      t(`rights.say.view.${view}`),
      t(`rights.say.edit.${may(edit)}`),
      t(`rights.say.add.${add}`),
      t(`rights.say.delete.${may(remove)}`),
      t(`rights.say.export.${may(copy)}`),
    ].join(', ')
  }
}
