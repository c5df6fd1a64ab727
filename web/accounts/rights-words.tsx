import { useTranslation } from 'react-i18next'
import type { Rights } from '../api/accounts.ts'
import { useFormat } from '../parts/format.ts'
import { type Entity, entities, within } from './rights.ts'
import classes from './rights-words.module.css'

/** The matrix as sentences: what a person with these rights sees and may do. */
export function RightsWords({ rights, administrator }: { rights: Rights; administrator?: boolean }) {
  const { t } = useTranslation()
  const sentence = useSentence()
  if (administrator) return <p className={classes.words}>{t('rights.say.administrator')}</p>
  const rules = rights.status_rights?.length ?? 0
  return (
    <ul className={classes.words}>
      {entities.map((entity) => (
        <li key={entity}>
          <strong>{t(`rights.entity.${entity}`)}</strong> {sentence(rights, entity)}
        </li>
      ))}
      <li>
        <strong>{t('rights.entity.tasks')}</strong>{' '}
        {`${t(`rights.say.edit.${rights.tasks.edit}`)}; ${t(`rights.say.delete.${rights.tasks.delete}`)}.`}
      </li>
      <li>{rights.mail_access ? t('rights.say.mail_yes') : t('rights.say.mail_no')}</li>
      <li>{rights.catalog_access ? t('rights.say.catalog_yes') : t('rights.say.catalog_no')}</li>
      {rules > 0 && <li>{t('rights.say.rules', { count: rules })}</li>}
    </ul>
  )
}

/** What goes beyond sight is said as far as one sees. */
function useSentence() {
  const { t } = useTranslation()
  const format = useFormat()
  return (rights: Rights, entity: Entity) => {
    const { view, edit, add, delete: remove, export: copy } = rights[entity]
    const may = (width: typeof edit) => within(width, view)
    if (view === 'D') return `${format.list([t('rights.say.view.D'), t(`rights.say.add.${add}`)])}.`
    return `${[
      t(`rights.say.view.${view}`),
      t(`rights.say.edit.${may(edit)}`),
      t(`rights.say.add.${add}`),
      t(`rights.say.delete.${may(remove)}`),
      t(`rights.say.export.${may(copy)}`),
    ].join('; ')}.`
  }
}
