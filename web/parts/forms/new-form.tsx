import type { UseMutationOptions } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ProblemCallout } from '../layout/problem-callout.tsx'
import classes from './form.module.css'
import { NewButtons } from './new-buttons.tsx'
import type { Form } from './use-form.ts'
import { useSubmit } from './use-submit.ts'

interface NewFormProps<Draft extends Record<string, unknown>, Body, Saved> {
  form: Form<Draft>
  bodyOf: (draft: Draft) => Body
  add: UseMutationOptions<Saved, Error, Body>
  /** The name of the submit button. */
  action: string
  /** The message after adding. */
  done?: string
  onDone: (saved: Saved) => void
  /** The page that the person returns to without adding. */
  back: LinkProps['to']
  /** The fields. */
  children: ReactNode
}

/** The form of a new resource, with its fields in sections. */
export function NewForm<Draft extends Record<string, unknown>, Body, Saved>({
  form,
  bodyOf,
  add,
  action,
  done,
  onDone,
  back,
  children,
}: NewFormProps<Draft, Body, Saved>) {
  const { submit, pending, error } = useSubmit(form, add, { done, onDone })
  return (
    <form noValidate onSubmit={form.onSubmit((draft) => submit(bodyOf(draft)))}>
      {children}
      <div className={`${classes.form} ${classes.under}`}>
        <ProblemCallout error={error} />
        <div className={classes.end}>
          <NewButtons action={action} pending={pending} back={back} />
        </div>
      </div>
    </form>
  )
}
