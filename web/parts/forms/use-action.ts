import type { UseMutationOptions } from '@tanstack/react-query'
import { Cancelled } from '../../api/problem.ts'
import { useWrites } from '../../data/writes.ts'
import { useToast } from '../toasts/use-toast.ts'

/**
 * The mutation of a button. A toast shows its result or why it was refused, and `onDone` runs only after success. The
 * write may remove the button from the page before its response is handled, so the callbacks belong to the mutation and
 * not to its observer, which ends with the component. Repeated actions run one after the other, so the last one wins.
 */
export function useAction<Data, Input, Undo = unknown>(
  options: UseMutationOptions<Data, Error, Input, Undo>,
  done?: string,
) {
  const mutation = useWrites(options)
  const toast = useToast()
  const run = (input: Input, onDone?: (data: Data) => void) => {
    const onSuccess = (data: Data) => {
      if (done) toast.done(done)
      onDone?.(data)
    }
    const onError = (error: unknown) => {
      if (!(error instanceof Cancelled)) toast.refused(error)
    }
    mutation.mutateAsync(input).then(onSuccess, onError)
  }
  return { run, pending: mutation.isPending, data: mutation.data, reset: mutation.reset }
}
