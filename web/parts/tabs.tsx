import { Link, type LinkProps } from '@tanstack/react-router'
import classes from './tabs.module.css'

interface Tab {
  link: Pick<LinkProps, 'to' | 'params'>
  title: string
  count?: number
}

/** Tabs, each with its own address. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map(({ link, title, count }) => (
        <Link
          key={title}
          {...link}
          className={classes.tab}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {title}
          {count !== undefined && <span className={classes.count}>{count}</span>}
        </Link>
      ))}
    </nav>
  )
}
