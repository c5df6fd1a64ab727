import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '../layout/problem-text.ts'

/** Shows short messages about completed and failed actions. */
export function useToast() {
  const { t } = useTranslation()
  const text = useProblemText()
  const closeButtonProps = { 'aria-label': t('act.close') }
  return {
    done: (message: string) => notifications.show({ message, closeButtonProps }),
    refused: (error: unknown) => {
      const { title, detail } = text(error)
      notifications.show({ title, message: detail, color: 'danger', autoClose: 8000, closeButtonProps })
    },
  }
}
