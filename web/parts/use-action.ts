import { notifications } from '@mantine/notifications'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { Cancelled } from '../api/problem.ts'
import { useProblemText } from './problem-text.ts'

/**
 * A button's mutation: what it did, or why it was refused, is said in a corner of the page.
 * `onDone` runs after success only.
 */
export function useAction<Data, Input>(options: UseMutationOptions<Data, Error, Input>, done?: string) {
  const mutation = useMutation(options)
  const text = useProblemText()
  const run = (input: Input, onDone?: (data: Data) => void) =>
    mutation.mutate(input, {
      onSuccess: (data) => {
        if (done) notifications.show({ message: done })
        onDone?.(data)
      },
      onError: (error) => {
        if (error instanceof Cancelled) return
        const { title, detail } = text(error)
        notifications.show({ title, message: detail, color: 'danger', autoClose: 8000 })
      },
    })
  return { run, pending: mutation.isPending, data: mutation.data, reset: mutation.reset }
}
