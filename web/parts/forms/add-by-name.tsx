import { Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemCallout } from '../layout/problem-callout.tsx'
import classes from './add-by-name.module.css'
import { useForm } from './use-form.ts'
import { useSubmit } from './use-submit.ts'

interface AddByNameProps {
  label: string
  action: string
  /** The message after adding. */
  done?: string
  onAdd: (name: string) => Promise<unknown>
  /** More inputs next to the name. */
  children?: ReactNode
}

/** A form that adds something by its name. */
export function AddByName({ label, action, done, onAdd, children }: AddByNameProps) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() ? null : t('faults.NotBlank')) },
  })
  const options = { mutationFn: ({ name }: { name: string }) => onAdd(name.trim()) }
  const { submit, pending, error } = useSubmit(form, options, {
    done,
    onDone: (_added, sent) => form.restart({ name: '' }, sent),
  })
  return (
    <form noValidate className={classes.form} onSubmit={form.onSubmit(submit)}>
      <ProblemCallout error={error} />
      <div className={classes.line}>
        <TextInput aria-label={label} placeholder={label} maxLength={255} {...form.getInputProps('name')} />
        {children}
        <Button type="submit" variant="default" loading={pending}>
          {action}
        </Button>
      </div>
    </form>
  )
}
