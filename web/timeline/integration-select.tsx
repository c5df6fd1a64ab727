import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useIntegrationChoices } from '../parts/filters/use-integration-choices.ts'
import classes from './rows/timeline.module.css'

interface IntegrationSelectProps {
  /** The id of the integration; '' for everybody. */
  chosen: string
  onChange: (id: string) => void
}

/** Filters a timeline by what one integration did. Accounts without integrations have no such filter. */
export function IntegrationSelect({ chosen, onChange }: IntegrationSelectProps) {
  const { t } = useTranslation()
  const choices = useIntegrationChoices()
  if (choices.length === 0) return null
  return (
    <NativeSelect
      size="xs"
      variant="unstyled"
      aria-label={t('timeline.who')}
      className={classes.who}
      value={chosen}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: t('timeline.anyone') }, ...choices]}
    />
  )
}
