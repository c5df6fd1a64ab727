import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import classes from './tabs.module.css'

interface Tab {
  link: Pick<LinkProps, 'to' | 'params'>
  title: string
  count?: number
}

/** Tabs, each with its own address. If they need more width than there is, the open one is scrolled into view. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const nav = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the open tab depends on the path.
  useEffect(() => {
    const open = nav.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (nav.current && open) nav.current.scrollLeft = middleOf(open) - nav.current.clientWidth / 2
  }, [path])
  return (
    <nav ref={nav} className={classes.tabs} aria-label={label}>
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

const middleOf = ({ offsetLeft, offsetWidth }: HTMLElement) => offsetLeft + offsetWidth / 2
