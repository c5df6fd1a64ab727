import { Button } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

interface NewButtonsProps {
  /** The name of the submit button. */
  action: string
  pending: boolean
  /** The page that the person returns to without adding. */
  back: LinkProps['to']
}

/** The buttons of a form that adds something: one submits it, the other one leaves it without a question. */
export function NewButtons({ action, pending, back }: NewButtonsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Button type="submit" loading={pending}>
        {action}
      </Button>
      <Button
        variant="subtle"
        color="gray"
        component={Link}
        to={back}
        activeOptions={{ exact: true }}
        ignoreBlocker
      >
        {t('act.cancel')}
      </Button>
    </>
  )
}
