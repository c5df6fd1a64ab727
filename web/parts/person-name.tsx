import { useTranslation } from 'react-i18next'
import { useColleagueName } from '../data/colleagues.ts'
import classes from './avatar.module.css'
import { Avatar } from './avatar.tsx'

/** A person of the account by id, with their initials; id 0 is Patchbay itself. */
export function PersonName({ id }: { id: number }) {
  const { t } = useTranslation()
  const nameOf = useColleagueName()
  if (id === 0) return t('app.nobody')
  const name = nameOf(id)
  if (name === undefined) return null
  return <NamedPerson name={name} />
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
