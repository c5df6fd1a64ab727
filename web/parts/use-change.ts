import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useId } from 'react'

/**
 * A change as a function that throws what refuses it, for those who say so themselves. Changes of one place go one after
 * the other: the last one made is the one that stays.
 */
export function useChange<Data, Input>(options: UseMutationOptions<Data, Error, Input>) {
  const { mutateAsync } = useMutation({ scope: { id: useId() }, ...options })
  return (input: Input) => mutateAsync(input)
}
