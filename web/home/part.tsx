import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import classes from './part.module.css'

interface PartProps {
  title: string
  /** Beside the title, soft: how much there is. */
  count?: ReactNode
  /** Where the whole of it is. */
  all?: Pick<LinkProps, 'to' | 'search'> & { label: string }
  children: ReactNode
}

/** A part of the home page: a heading on a hairline, and what stands under it. No box. */
export function Part({ title, count, all, children }: PartProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {count !== undefined && <span className={classes.count}>{count}</span>}
        {all && (
          <Link to={all.to} search={all.search} className={classes.all}>
            {all.label}
          </Link>
        )}
      </div>
      {children}
    </section>
  )
}

/** Said in place of rows. */
export function Quiet({ children }: { children: ReactNode }) {
  return <p className={classes.quiet}>{children}</p>
}
