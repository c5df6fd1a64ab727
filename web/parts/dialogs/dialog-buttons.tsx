import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './dialog.module.css'

interface DialogButtonsProps {
  pending: boolean
  onCancel: () => void
}

/** The cancel and save buttons of a dialog. */
export function DialogButtons({ pending, onCancel }: DialogButtonsProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.buttons}>
      <Button variant="default" onClick={onCancel}>
        {t('act.cancel')}
      </Button>
      <Button type="submit" loading={pending}>
        {t('act.save')}
      </Button>
    </div>
  )
}
