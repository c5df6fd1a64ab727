import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { Cancelled } from '../api/problem.ts'
import { useToast } from './use-toast.ts'

/**
 * A button's mutation: what it did, or why it was refused, is said in a corner of the page.
 * `onDone` runs after success only.
 */
export function useAction<Data, Input, Undo = unknown>(
  options: UseMutationOptions<Data, Error, Input, Undo>,
  done?: string,
) {
  const mutation = useMutation(options)
  const toast = useToast()
  const run = (input: Input, onDone?: (data: Data) => void) =>
    mutation.mutate(input, {
      onSuccess: (data) => {
        if (done) toast.done(done)
        onDone?.(data)
      },
      onError: (error) => {
        if (!(error instanceof Cancelled)) toast.refused(error)
      },
    })
  return { run, pending: mutation.isPending, data: mutation.data, reset: mutation.reset }
}
