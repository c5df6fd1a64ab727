import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './empty.module.css'

interface EmptyProps {
  icon: Icon
  title: string
  children: ReactNode
  action?: ReactNode
}

/** An empty list says what it is for and has the button that fills it. */
export function Empty({ icon: Mark, title, children, action }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <Mark size={28} stroke={1.4} aria-hidden />
      <div className={classes.title}>{title}</div>
      <div className={classes.text}>{children}</div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
