import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { IconTile } from '../parts/layout/icon-tile.tsx'
import classes from './name-cell.module.css'

interface NameCellProps {
  integration: { name: string; icon_url: string | null }
  link: Pick<LinkProps, 'to' | 'params'>
  under: ReactNode
}

/** The first cell of a row: an icon, the linked name and a second line. */
export function NameCell({ integration, link, under }: NameCellProps) {
  return (
    <div className={classes.cell}>
      <IconTile name={integration.name} url={integration.icon_url} />
      <span className={classes.words}>
        <Link {...link} data-row-link>
          {integration.name}
        </Link>
        <span className={classes.under}>{under}</span>
      </span>
    </div>
  )
}
