import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Copyable } from './copyable.tsx'
import classes from './secret.module.css'

interface SecretProps {
  label: string
  /** Undefined until it was asked for. */
  value: string | undefined
  /** What the button says that asks for it. */
  ask: string
  pending: boolean
  onAsk: () => void
  onHide: () => void
}

/** A secret that is read when it is asked for, and can be hidden again. */
export function Secret({ label, value, ask, pending, onAsk, onHide }: SecretProps) {
  const { t } = useTranslation()
  if (value === undefined)
    return (
      <Button variant="default" className={classes.toggle} loading={pending} onClick={onAsk}>
        {ask}
      </Button>
    )
  return (
    <>
      <Copyable label={label} value={value} />
      <Button variant="default" className={classes.toggle} onClick={onHide}>
        {t('keys_of.hide')}
      </Button>
    </>
  )
}
