import { Kbd } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './inbox.module.css'

/** Shown next to the list while no conversation is selected. */
export function NoChatSelected() {
  const { t } = useTranslation()
  return (
    <div className={classes.placeholder}>
      <IconMessages size={28} stroke={1.4} aria-hidden />
      <p>{t('inbox.choose')}</p>
      <p>
        <Kbd>↑</Kbd> <Kbd>↓</Kbd> <Kbd>↵</Kbd>
      </p>
    </div>
  )
}
