import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

interface EmptyStateProps {
  icon: Icon
  title: string
  children: ReactNode
  action?: ReactNode
}

/** Explains an empty list and offers the action that fills it. */
export function EmptyState({ icon: Mark, title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Mark size={28} stroke={1.4} aria-hidden />
      <div className={classes.title}>{title}</div>
      <div className={classes.text}>{children}</div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
