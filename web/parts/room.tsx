import type { ReactNode } from 'react'
import { usePageTitle } from './page.tsx'
import classes from './room.module.css'

interface RoomProps {
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
export function Room({ title, count, views, actions, children }: RoomProps) {
  usePageTitle(title)
  return (
    <div className={classes.room}>
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
