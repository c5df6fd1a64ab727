import { Tooltip } from '@mantine/core'
import { useFormat } from './format.ts'

/** A relative time, with the exact time as a tooltip. */
export function RelativeTime({ at }: { at: number }) {
  const format = useFormat()
  return (
    <Tooltip label={format.dateTime(at)}>
      <time dateTime={new Date(at * 1000).toISOString()}>{format.relative(at)}</time>
    </Tooltip>
  )
}
