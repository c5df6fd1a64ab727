import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Copyable } from './copyable.tsx'
import classes from './secret.module.css'

interface SecretProps {
  label: string
  /** undefined until it is requested. */
  value: string | undefined
  /** The text of the button that requests it. */
  ask: string
  pending: boolean
  onAsk: () => void
  onHide: () => void
}

/** A secret that is loaded on request and can be hidden again. */
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
