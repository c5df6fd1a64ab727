import { Button } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import dialog from './dialog.module.css'
import { Dialog } from './dialog.tsx'

interface InUseProps {
  title: string
  /** Says what uses it, and what to do first. */
  children: ReactNode
  /** Where that can be done. */
  link: Pick<LinkProps, 'to' | 'search'>
  action: string
  onClose: () => void
}

/** Explains why something cannot be deleted. */
export function InUse({ title, children, link, action, onClose }: InUseProps) {
  const { t } = useTranslation()
  return (
    <Dialog onClose={onClose} title={title}>
      <div className={dialog.text}>
        <p>{children}</p>
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('act.close')}
        </Button>
        <Button renderRoot={(props) => <Link {...props} {...link} />}>{action}</Button>
      </div>
    </Dialog>
  )
}
