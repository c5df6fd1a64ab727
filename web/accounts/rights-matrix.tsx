import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Rights, Width } from '../data/accounts.ts'
import { type Action, actions, entities, widthsOf } from './rights.ts'
import classes from './rights-matrix.module.css'

interface RightsMatrixProps {
  value: Rights
  onChange: (rights: Rights) => void
}

/** The permissions: a row per kind of record, a column per action, a scope in each cell. */
export function RightsMatrix({ value, onChange }: RightsMatrixProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.matrix}>
      <table className={classes.table} aria-label={t('rights.title')}>
        <thead>
          <tr>
            <td />
            {actions.map((action) => (
              <th key={action} scope="col">
                {t(`rights.action.${action}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entities.map((entity) => (
            <tr key={entity}>
              <th scope="row">{t(`rights.entity.${entity}`)}</th>
              {actions.map((action) => (
                <WidthCell
                  key={action}
                  action={action}
                  label={`${t(`rights.entity.${entity}`)}: ${t(`rights.action.${action}`)}`}
                  value={value[entity][action]}
                  onChange={(width) =>
                    onChange({ ...value, [entity]: { ...value[entity], [action]: width } })
                  }
                />
              ))}
            </tr>
          ))}
          <TaskRow value={value} onChange={onChange} />
        </tbody>
      </table>
      <Switches value={value} onChange={onChange} />
    </div>
  )
}

function TaskRow({ value, onChange }: RightsMatrixProps) {
  const { t } = useTranslation()
  return (
    <tr>
      <th scope="row">{t('rights.entity.tasks')}</th>
      {actions.map((action) =>
        action === 'edit' || action === 'delete' ? (
          <WidthCell
            key={action}
            action={action}
            label={`${t('rights.entity.tasks')}: ${t(`rights.action.${action}`)}`}
            value={value.tasks[action]}
            onChange={(width) => onChange({ ...value, tasks: { ...value.tasks, [action]: width } })}
          />
        ) : (
          <td key={action} />
        ),
      )}
    </tr>
  )
}

interface WidthCellProps {
  action: Action
  label: string
  value: Width
  onChange: (width: Width) => void
}

function WidthCell({ action, label, value, onChange }: WidthCellProps) {
  const { t } = useTranslation()
  return (
    <td data-action={t(`rights.action.${action}`)}>
      <select
        className={classes.width}
        data-width={value}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as Width)}
      >
        {widthsOf(action).map((width) => (
          <option key={width} value={width}>
            {action === 'add' && width === 'A' ? t('rights.width.yes') : t(`rights.width.${width}`)}
          </option>
        ))}
      </select>
    </td>
  )
}

function Switches({ value, onChange }: RightsMatrixProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.switches}>
      {(['mail_access', 'catalog_access'] as const).map((name) => (
        <Switch
          key={name}
          size="xs"
          label={t(`rights.${name}`)}
          checked={value[name]}
          onChange={(event) => onChange({ ...value, [name]: event.currentTarget.checked })}
        />
      ))}
    </div>
  )
}
