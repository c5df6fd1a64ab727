import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './callout.module.css'

const icons = { info: IconInfoCircle, warn: IconAlertTriangle, danger: IconCircleX }

interface CalloutProps {
  tone: keyof typeof icons
  title?: string
  children?: ReactNode
  actions?: ReactNode
  /** Announced by screen readers when it appears, as the result of an action. */
  live?: boolean
}

export function Callout({ tone, title, children, actions, live }: CalloutProps) {
  const Icon = icons[tone]
  return (
    <div className={`${classes.callout} ${classes[tone]}`} role={live ? 'alert' : undefined}>
      <Icon size={17} aria-hidden />
      <div className={classes.body}>
        {title && <div className={classes.title}>{title}</div>}
        {children && <div className={classes.rest}>{children}</div>}
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
    </div>
  )
}
