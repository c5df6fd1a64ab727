import { Tooltip } from '@mantine/core'
import { useFormat } from './format.ts'

/** How long ago, with the exact time for those who point at it. */
export function RelativeTime({ at }: { at: number }) {
  const format = useFormat()
  return (
    <Tooltip label={format.dateTime(at)}>
      <time dateTime={new Date(at * 1000).toISOString()}>{format.relative(at)}</time>
    </Tooltip>
  )
}
