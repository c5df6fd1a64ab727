import { IconArrowLeft } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './page.module.css'

/** The title of the browser's tab follows the page. */
export function usePageTitle(title: string) {
  const { t } = useTranslation()
  useEffect(() => {
    document.title = t('app.page_title', { title })
  }, [t, title])
}

interface PageProps {
  title: string
  lead?: ReactNode
  /** Stands before the title: the icon of what the page is about. */
  mark?: ReactNode
  back?: { to: LinkProps['to']; label: string }
  actions?: ReactNode
  children: ReactNode
}

/** More letters than stand in the lines that a heading has. */
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
