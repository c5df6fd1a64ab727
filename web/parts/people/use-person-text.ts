import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { colleaguesOptions, useColleagueName } from '../../data/colleagues.ts'

/** Returns the name of a person for a text, also of a removed one; id 0 is Patchbay itself. Undefined while it loads. */
export function usePersonText(): (id: number) => string | undefined {
  const { t } = useTranslation()
  const { isPending } = useQuery(colleaguesOptions)
  const nameOf = useColleagueName()
  return (id) => {
    if (id === 0) return t('app.nobody')
    return nameOf(id) ?? (isPending ? undefined : t('app.removed_person'))
  }
}
