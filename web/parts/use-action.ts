import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { Cancelled } from '../api/problem.ts'
import { useToast } from './use-toast.ts'

/**
 * A button's mutation: what it did, or why it was refused, is said in a corner of the page, and `onDone` runs after
 * success only. What was written may take the button from the page before its answer is done with, and it is said all
 * the same: so none of this is the mutation observer's to call, which ends with the component. What is asked several
 * times goes one after the other: the last one asked is the one that stays.
 */
export function useAction<Data, Input, Undo = unknown>(
  options: UseMutationOptions<Data, Error, Input, Undo>,
  done?: string,
) {
  const mutation = useMutation({ scope: { id: useId() }, ...options })
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
