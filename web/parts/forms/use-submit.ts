import type { UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'
import { Problem } from '../../api/problem.ts'
import { useWrites } from '../../data/writes.ts'
import { useFaultText } from '../layout/problem-text.ts'
import { useToast } from '../toasts/use-toast.ts'
import { isSame } from './rebased.ts'

/** The part of a form that this needs. */
interface FormLike<Values> {
  getValues: () => Values
  setErrors: (errors: Record<string, string>) => void
  showFault: () => void
  hasShownFault: boolean
  release: () => void
  resetDirty: () => void
}

interface Outcome<Data, Values> {
  done?: string
  /** `sent` is the input when it was sent. */
  onDone?: (data: Data, sent: Values) => void
}

/**
 * Submits a form. Faults go to their fields and the first one is focused; other errors are in `error`. `done` is
 * called even if the form unmounts. The saved input is no longer unsaved, and is not sent again: the second click of a
 * double click comes before the button is disabled, or after the response while the next page loads. What a person enters
 * before a late response stays unsaved.
 */
export function useSubmit<Data, Input, Values extends Record<string, unknown>>(
  form: FormLike<Values>,
  options: UseMutationOptions<Data, Error, Input>,
  { done, onDone }: Outcome<Data, Values> = {},
) {
  const mutation = useWrites(options)
  const faultText = useFaultText()
  const toast = useToast()
  const onSuccess = (data: Data, values: Values) => {
    const isAllSaved = isSame(form.getValues(), values)
    if (isAllSaved) form.release()
    if (done) toast.done(done)
    onDone?.(data, values)
    if (isAllSaved) form.resetDirty()
  }
  const sent = useRef<Values>(undefined)
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
    const values = form.getValues()
    if (sent.current === values) return
    sent.current = values
    mutation.mutateAsync(input).then((data) => onSuccess(data, values), onError)
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

const allKnown = (problem: Problem, form: FormLike<Record<string, unknown>>) =>
  problem.faults.every(({ path }) => fieldOf(path, Object.keys(form.getValues())) !== undefined)
