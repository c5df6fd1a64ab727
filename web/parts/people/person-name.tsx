import { useTranslation } from 'react-i18next'
import { useColleagueName } from '../../data/colleagues.ts'
import { type Acting, useActingName } from './acting-name.ts'
import classes from './avatar.module.css'
import { Avatar } from './avatar.tsx'

interface PersonNameProps {
  id: number
  /** The integration that acted for this person. */
  integration?: Acting
}

/** A person of the account by id, with their initials; id 0 is Patchbay itself. */
export function PersonName({ id, integration }: PersonNameProps) {
  const { t } = useTranslation()
  const nameOf = useColleagueName()
  const actingName = useActingName()
  if (id === 0) return integration?.name ?? t('app.nobody')
  const name = nameOf(id)
  if (name === undefined) return null
  return integration ? (
    <span title={actingName(name, integration)}>{actingName(name, integration)}</span>
  ) : (
    <NamedPerson name={name} />
  )
}

/** A person whose name is known. */
export function NamedPerson({ name }: { name: string }) {
  return (
    <span className={classes.named}>
      <Avatar name={name} size="small" />
      <span className={classes.text}>{name}</span>
    </span>
  )
}
