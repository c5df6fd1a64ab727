import type { UseMutationOptions } from '@tanstack/react-query'
import { useWrites } from '../../data/writes.ts'

/**
 * Returns a function that makes a change and throws why it was refused, for callers that show this themselves. Changes
 * of one place run one after the other, so the last one wins.
 */
export function useChange<Data, Input>(options: UseMutationOptions<Data, Error, Input>) {
  const { mutateAsync } = useWrites(options)
  return (input: Input) => mutateAsync(input)
}
