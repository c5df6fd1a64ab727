import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from './format.ts'

interface SpokenCountProps {
  /** The search of the list. */
  of: string
  /** The number of rows that it found; undefined while unknown. */
  count: number | undefined
  /** False if there are more. */
  isComplete?: boolean | undefined
}

/** Tells screen readers how many rows a search found: once for each search, because lists also change on their own. */
export function SpokenCount({ of, count, isComplete = true }: SpokenCountProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [said, say] = useState({ of: '', text: '' })
  if (count !== undefined && said.of !== of)
    say({ of, text: t('list.in_list', { number: format.count(count, isComplete) }) })
  return <VisuallyHidden role="status">{said.text}</VisuallyHidden>
}
