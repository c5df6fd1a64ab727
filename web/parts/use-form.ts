import { type UseFormInput, type UseFormReturnType, useForm as useMantineForm } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useUnsaved } from './unsaved.ts'

/** A Mantine form that can focus its faults, and whose input is not lost without a question. */
export type Form<Values extends Record<string, unknown>> = UseFormReturnType<Values> & {
  /** Scrolls to the first field with a fault and focuses it, so that screen readers announce the fault. */
  showFault: () => void
  /** Ends the protection of the input, because it is saved. */
  release: () => void
  /** Replaces the input by what is stored. */
  restart: (stored: Values) => void
}

/** Mantine's useForm, which shows the first invalid field after a rejected submit. */
export function useForm<Values extends Record<string, unknown>>(input: UseFormInput<Values>): Form<Values> {
  const form = useMantineForm<Values>(input)
  const element = useRef<HTMLFormElement | null>(null)
  const [asked, setAsked] = useState(0)
  const release = useUnsaved(form.isDirty())
  const restart = (stored: Values) => {
    form.setInitialValues(stored)
    form.setValues(stored)
    form.clearErrors()
  }
  const showFault = () => setAsked((times) => times + 1)
  // The faults are set in the same update, so they are rendered when the effect runs.
  useEffect(() => {
    if (asked > 0) goToFault(element.current)
  }, [asked])
  const onSubmit: Form<Values>['onSubmit'] = (handle, onRefused) => (event?: FormEvent<HTMLFormElement>) => {
    element.current = event?.currentTarget ?? null
    return form.onSubmit(handle, (...refused) => {
      showFault()
      onRefused?.(...refused)
    })(event)
  }
  return { ...form, onSubmit, showFault, release, restart }
}

/** A field with a fault has priority over a message above or below the fields. */
function goToFault(form: HTMLFormElement | null) {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.focus({ preventScroll: true })
  const fault = field ?? form?.querySelector<HTMLElement>('[role="alert"]')
  fault?.scrollIntoView({ block: 'nearest' })
}
