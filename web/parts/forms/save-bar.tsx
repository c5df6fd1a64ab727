import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './form.module.css'
import { useUnsaved } from './unsaved.ts'

/** A sticky bar that appears when a form has unsaved changes. */
export function SaveBar({
  shown,
  pending,
  onDiscard,
}: {
  shown: boolean
  pending: boolean
  onDiscard: () => void
}) {
  const { t } = useTranslation()
  useUnsaved(shown)
  if (!shown) return null
  return (
    <div className={classes.bar}>
      <span role="status">{t('app.unsaved')}</span>
      <Button variant="default" onClick={onDiscard}>
        {t('act.discard')}
      </Button>
      <Button type="submit" loading={pending}>
        {t('act.save')}
      </Button>
    </div>
  )
}
