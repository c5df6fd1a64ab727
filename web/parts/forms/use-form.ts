import { type UseFormInput, type UseFormReturnType, useForm as useMantineForm } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { isSame, rebased } from './rebased.ts'
import { useUnsaved } from './unsaved.ts'

/** A Mantine form that can focus its faults, and whose input is not lost without a question. */
export type Form<Values extends Record<string, unknown>> = UseFormReturnType<Values> & {
  /** Scrolls to the first field with a fault and focuses it, so that screen readers announce the fault. */
  showFault: () => void
  /** Whether the last faults are at their fields. A form may have no place for a fault of the server. */
  hasShownFault: boolean
  /** Ends the protection of the input, because it is saved. */
  release: () => void
  /** Replaces the input by what is stored. What the person has entered since `sent` stays. */
  restart: (stored: Values, sent?: Values) => void
}

/** Mantine's useForm, which shows the first invalid field after a rejected submit. */
export function useForm<Values extends Record<string, unknown>>(input: UseFormInput<Values>): Form<Values> {
  const form = useMantineForm<Values>(input)
  const element = useRef<HTMLFormElement | null>(null)
  const [asked, setAsked] = useState(0)
  const [hasShownFault, setShownFault] = useState(true)
  const release = useUnsaved(form.isDirty())
  const restart = (stored: Values, sent = form.getValues()) => {
    form.setInitialValues(stored)
    form.setValues(rebased(form.getValues(), sent, stored))
    form.clearErrors()
  }
  const showFault = () => setAsked((times) => times + 1)
  // The faults are set in the same update, so they are rendered when the effect runs. It runs again for the message that
  // stands for a fault without a field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message is rendered when hasShownFault changes.
  useEffect(() => {
    if (asked > 0) setShownFault(goToFault(element.current))
  }, [asked, hasShownFault])
  const onSubmit: Form<Values>['onSubmit'] = (handle, onRefused) => (event?: FormEvent<HTMLFormElement>) => {
    element.current = event?.currentTarget ?? null
    return form.onSubmit(handle, (...refused) => {
      showFault()
      onRefused?.(...refused)
    })(event)
  }
  return { ...form, onSubmit, showFault, hasShownFault, release, restart }
}

/** Keeps the form on what is stored, which may change elsewhere meanwhile. The input of the person stays. */
export function useStored<Values extends Record<string, unknown>>(form: Form<Values>, stored: Values): void {
  const [before, setBefore] = useState(stored)
  useEffect(() => {
    if (isSame(before, stored)) return
    setBefore(stored)
    form.setInitialValues(stored)
    form.setValues(rebased(form.getValues(), before, stored))
  })
}

/** A field with a fault has priority over a message above or below the fields. The result is whether there is one. */
function goToFault(form: HTMLFormElement | null): boolean {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.focus({ preventScroll: true })
  const fault = field ?? form?.querySelector<HTMLElement>('[role="alert"]')
  fault?.scrollIntoView({ block: 'nearest' })
  return form === null || field !== null
}
