import { IconArrowLeft } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './page.module.css'

/** Sets the title of the browser tab. */
export function usePageTitle(title: string) {
  const { t } = useTranslation()
  useEffect(() => {
    document.title = t('app.page_title', { title })
  }, [t, title])
}

export interface PageProps {
  title: string
  lead?: ReactNode
  /** An icon before the title. */
  mark?: ReactNode
  back?: { to: LinkProps['to']; label: string } | undefined
  actions?: ReactNode
  children: ReactNode
}

/** Longer titles are truncated, so they get a tooltip. */
const LONG = 90

export function Page({ title, lead, mark, back, actions, children }: PageProps) {
  usePageTitle(title)
  return (
    <div className={classes.page}>
      {back && (
        <Link to={back.to} className={classes.back}>
          <IconArrowLeft size={14} aria-hidden />
          {back.label}
        </Link>
      )}
      <div className={classes.head}>
        {mark}
        <div className={classes.words}>
          <h1 title={title.length > LONG ? title : undefined}>{title}</h1>
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}
