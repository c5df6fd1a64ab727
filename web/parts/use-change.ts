import { type UseMutationOptions, useMutation } from '@tanstack/react-query'

/** A change as a function that throws what refuses it, for those who say so themselves. */
export function useChange<Data, Input>(options: UseMutationOptions<Data, Error, Input>) {
  const { mutateAsync } = useMutation(options)
  return (input: Input) => mutateAsync(input)
}
