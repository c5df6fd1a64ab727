import classes from './few-tags.module.css'

const MOST = 2

interface FewTagsProps {
  of?: { id: number; name: string }[] | undefined
}

/** The first tags of a record on one line, and the number of the others. */
export function FewTags({ of = [] }: FewTagsProps) {
  const rest = of.slice(MOST)
  return (
    <>
      {of.slice(0, MOST).map(({ id, name }) => (
        <span key={`${id}${name}`} className={classes.tag} title={name}>
          {name}
        </span>
      ))}
      {rest.length > 0 && (
        <span className={classes.more} title={rest.map(({ name }) => name).join(', ')}>
          +{rest.length}
        </span>
      )}
    </>
  )
}
