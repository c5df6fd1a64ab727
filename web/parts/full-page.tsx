import type { ReactNode } from 'react'
import classes from './full-page.module.css'
import { usePageTitle } from './page.tsx'

interface FullPageProps {
  title: string
  /** How much is in it, said beside the title. */
  count?: ReactNode
  /** Beside the title: views of the list. */
  views?: ReactNode
  /** At the right: the search, and what one can do. */
  actions?: ReactNode
  children: ReactNode
}

/** A room in which one works: its own bar on top, and below them all the place that there is. */
export function FullPage({ title, count, views, actions, children }: FullPageProps) {
  usePageTitle(title)
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1 title={title}>{title}</h1>
        {count !== undefined && <p className={classes.count}>{count}</p>}
        {views !== undefined && <div className={classes.views}>{views}</div>}
        <div className={classes.actions}>{actions}</div>
      </header>
      {children}
    </div>
  )
}
