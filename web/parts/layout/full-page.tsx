import type { ReactNode } from 'react'
import classes from './full-page.module.css'
import { usePageTitle } from './page.tsx'

interface FullPageProps {
  title: string
  /** A count next to the title. */
  count?: ReactNode
  /** Saved views next to the title. */
  views?: ReactNode
  /** The search and actions at the right. */
  actions?: ReactNode
  children: ReactNode
}

/** The layout of pages with lists: a bar at the top, and the content in the remaining space. */
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
