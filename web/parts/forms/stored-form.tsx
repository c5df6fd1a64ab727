import type { UseMutationOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemCallout } from '../layout/problem-callout.tsx'
import { SaveBar } from './save-bar.tsx'
import { type Form, useStored } from './use-form.ts'
import { useSubmit } from './use-submit.ts'

interface StoredFormProps<
  Draft extends Record<string, unknown>,
  Stored extends { id: string | number },
  Change extends object,
> {
  form: Form<Draft>
  stored: Stored
  draftOf: (stored: Stored) => Draft
  /** The changes to send, as the API expects them; an empty object if nothing was changed. */
  changesOf: (draft: Draft, stored: Draft) => Change | Record<string, never>
  patch: UseMutationOptions<Stored, Error, Change & { id: Stored['id'] }>
  /** The fields. */
  children: ReactNode
}

/** The form of a stored resource. It can be saved when a person has changed something. */
export function StoredForm<
  Draft extends Record<string, unknown>,
  Stored extends { id: string | number },
  Change extends object,
>({ form, stored, draftOf, changesOf, patch, children }: StoredFormProps<Draft, Stored, Change>) {
  const { t } = useTranslation()
  const before = draftOf(stored)
  useStored(form, before)
  const { submit, pending, error } = useSubmit(form, patch, {
    done: t('app.saved'),
    onDone: (patched, sent) => form.restart(draftOf(patched), sent),
  })
  const changes = changesOf(form.values, before)
  const isChanged = Object.keys(changes).length > 0
  const save = () => {
    if (isChanged) submit({ ...(changes as Change), id: stored.id })
  }
  return (
    <form noValidate onSubmit={form.onSubmit(save)}>
      {children}
      <ProblemCallout error={error} />
      <SaveBar shown={isChanged} pending={pending} onDiscard={() => form.restart(before)} />
    </form>
  )
}
