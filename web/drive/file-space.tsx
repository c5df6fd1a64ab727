import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { fileSpaceOptions } from '../data/files.ts'
import { useFormat } from '../parts/texts/format.ts'
import classes from './files.module.css'

/** The share of the space from which the page warns. */
const NEARLY_FULL = 0.9

/** How much space the files of the account take, and how much they may take. */
export function FileSpace() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, isError } = useQuery(fileSpaceOptions)
  const share = data ? data.used_bytes / data.limit_bytes : 0
  const isNearlyFull = share >= NEARLY_FULL
  const used = data
    ? t('files.space_used', { used: format.size(data.used_bytes), limit: format.size(data.limit_bytes) })
    : ' '
  if (isError) return null
  return (
    <div className={classes.space}>
      <p>{used}</p>
      <Progress.Root size={6}>
        <Progress.Section
          value={Math.min(share, 1) * 100}
          color={isNearlyFull ? 'red' : undefined}
          aria-label={t('files.space')}
          aria-valuetext={used}
        />
      </Progress.Root>
      {isNearlyFull && <p>{t('files.space_low')}</p>}
    </div>
  )
}
