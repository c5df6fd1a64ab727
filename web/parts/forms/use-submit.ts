import type { UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'
import { Problem } from '../../api/problem.ts'
import { useWrites } from '../../data/writes.ts'
import { useFaultText } from '../layout/problem-text.ts'
import { useToast } from '../toasts/use-toast.ts'

/** The part of a form that this needs. */
interface FormLike {
  getValues: () => Record<string, unknown>
  setErrors: (errors: Record<string, string>) => void
  showFault: () => void
  hasShownFault: boolean
  release: () => void
  resetDirty: () => void
}

interface Outcome<Data> {
  done?: string
  onDone?: (data: Data) => void
}

/**
 * Submits a form. Faults go to their fields and the first one is focused; other errors are in `error`. `done` is
 * called even if the form unmounts. The saved input is no longer unsaved, and is not sent again: the second click of a
 * double click comes before the button is disabled, or after the response while the next page loads.
 */
export function useSubmit<Data, Input>(
  form: FormLike,
  options: UseMutationOptions<Data, Error, Input>,
  { done, onDone }: Outcome<Data> = {},
) {
  const mutation = useWrites(options)
  const faultText = useFaultText()
  const toast = useToast()
  const onSuccess = (data: Data) => {
    form.release()
    if (done) toast.done(done)
    onDone?.(data)
    form.resetDirty()
  }
  const sent = useRef<Record<string, unknown>>(undefined)
  const onError = (error: unknown) => {
    sent.current = undefined
    if (!(error instanceof Problem)) return form.showFault()
    const fields = Object.keys(form.getValues())
    const faults = error.faults
      .map((fault) => ({ ...fault, field: fieldOf(fault.path, fields) }))
      .filter(({ field }) => field !== undefined)
    form.setErrors(Object.fromEntries(faults.map((fault) => [fault.field, faultText(fault)])))
    form.showFault()
  }
  const submit = (input: Input) => {
    // Every change makes new values.
    if (sent.current === form.getValues()) return
    sent.current = form.getValues()
    mutation.mutateAsync(input).then(onSuccess, onError)
  }
  const { error } = mutation
  const inFields = error instanceof Problem && error.faults.length > 0 && allKnown(error, form)
  return { submit, pending: mutation.isPending, error: inFields && form.hasShownFault ? null : error }
}

/** Maps a path to a field of a flat form: `user.email` to `email`, `permissions.0` to `permissions`. */
const fieldOf = (path: string, fields: string[]) => {
  const parts = path.split('.')
  return [path, ...parts.toReversed()].find((name) => fields.includes(name))
}

const allKnown = (problem: Problem, form: FormLike) =>
  problem.faults.every(({ path }) => fieldOf(path, Object.keys(form.getValues())) !== undefined)
