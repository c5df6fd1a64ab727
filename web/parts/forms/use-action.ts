import type { UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'
import { Cancelled } from '../../api/problem.ts'
import { useWrites } from '../../data/writes.ts'
import { useToast } from '../toasts/use-toast.ts'
import { isSame } from './rebased.ts'

/**
 * The mutation of a button. A toast shows its result or why it was refused, and `onDone` runs only after success. The
 * write may remove the button from the page before its response is handled, so the callbacks belong to the mutation and
 * not to its observer, which ends with the component. Repeated actions run one after the other, so the last one wins.
 * The same action runs once at a time, because the second click of a double click can come before the button is disabled.
 */
export function useAction<Data, Input, Undo = unknown>(
  options: UseMutationOptions<Data, Error, Input, Undo>,
  done?: string,
) {
  const mutation = useWrites(options)
  const toast = useToast()
  const last = useRef<{ input: Input }>(undefined)
  const run = (input: Input, onDone?: (data: Data) => void) => {
    if (last.current && isSameInput(last.current.input, input)) return
    const own = { input }
    last.current = own
    const onSuccess = (data: Data) => {
      if (done) toast.done(done)
      onDone?.(data)
    }
    const onError = (error: unknown) => {
      if (!(error instanceof Cancelled)) toast.refused(error)
    }
    const onEnd = () => {
      if (last.current === own) last.current = undefined
    }
    mutation.mutateAsync(input).then(onSuccess, onError).finally(onEnd)
  }
  return { run, pending: mutation.isPending, data: mutation.data, reset: mutation.reset }
}

/** Files look alike as JSON, so those of two actions are compared by identity. */
const isSameInput = (one: unknown, other: unknown): boolean =>
  one === other || (isSame(one, other) && !Object.values(other ?? {}).some((value) => value instanceof Blob))
