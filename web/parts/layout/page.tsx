import { IconArrowLeft } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
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
  /** The page follows a form that the person has sent: it begins at its top, and its title gets the focus. */
  isNext?: boolean
  children: ReactNode
}

/** Longer titles are truncated, so they get a tooltip. */
const LONG = 90

export function Page({ title, lead, mark, back, actions, isNext = false, children }: PageProps) {
  usePageTitle(title)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isNext) return
    heading.current?.focus()
    heading.current?.closest('main')?.scrollTo(0, 0)
  }, [isNext])
  return (
    <div className={classes.page}>
      {back && (
        <Link to={back.to} activeOptions={{ exact: true }} className={classes.back}>
          <IconArrowLeft size={14} aria-hidden />
          {back.label}
        </Link>
      )}
      <div className={classes.head}>
        {mark}
        <div className={classes.words}>
          <h1
            ref={heading}
            tabIndex={isNext ? -1 : undefined}
            title={title.length > LONG ? title : undefined}
          >
            {title}
          </h1>
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}
