import { type ReactNode, useId } from 'react'
import classes from './section.module.css'

interface SectionProps {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  /** The id for links to this section. */
  anchor?: string
  /** Puts the heading next to the content, for forms. */
  beside?: boolean
  children?: ReactNode
}

export function Section({ title, lead, actions, anchor, beside, children }: SectionProps) {
  const id = useId()
  return (
    <section
      id={anchor}
      className={`${classes.section} ${beside ? classes.beside : ''}`}
      aria-labelledby={id}
    >
      <div className={classes.head}>
        <div className={classes.words}>
          <h2 id={id}>{title}</h2>
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {beside ? <div>{children}</div> : children}
    </section>
  )
}
