import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import classes from './home-section.module.css'

interface HomeSectionProps {
  title: string
  /** A count next to the title. */
  count?: ReactNode
  /** A link to the complete list. */
  all?: Pick<LinkProps, 'to' | 'search'> & { label: string }
  children: ReactNode
}

/** A section of the home page with a heading. */
export function HomeSection({ title, count, all, children }: HomeSectionProps) {
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

/** Shown instead of rows. */
export function EmptyLine({ children }: { children: ReactNode }) {
  return <p className={classes.quiet}>{children}</p>
}
