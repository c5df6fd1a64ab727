import {
  ActionIcon,
  Checkbox,
  Select,
  Switch,
  TagsInput,
  type TagsInputProps,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { builtIn, fieldTypesOfForms } from '../../src/incoming-leads/form-types.ts'
import { fieldsOptions } from '../data/fields.ts'
import { pipelinesOptions } from '../data/pipelines.ts'
import { type SiteForm, type SiteFormDraft, saveSiteForm } from '../data/site-forms.ts'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../parts/dialogs/dialog-buttons.tsx'
import { DialogFields } from '../parts/dialogs/dialog-fields.tsx'
import { savedOf } from '../parts/forms/rebased.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import classes from './forms.module.css'

interface FormDialogProps {
  /** undefined for a new form. */
  form: SiteForm | undefined
  /** The form of a button, which has websites. */
  isButton: boolean
  onClose: () => void
}

/** Edits the fields of a form and the destination of its leads. */
export function FormDialog({ form: edited, isButton, onClose }: FormDialogProps) {
  const { t } = useTranslation()
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const form = useSiteForm(edited, isButton)
  const { submit, pending, error } = useSubmit(form, saveSiteForm, { done: t('app.saved'), onDone: onClose })
  const main = pipelines.find(({ is_main }) => is_main)?.id ?? 0
  const bodyOf = ({ trusted_websites, ...values }: Values) => ({
    ...values,
    pipeline_id: values.pipeline_id || main,
    ...(isButton && { button: { trusted_websites } }),
  })
  const { pipeline_id, is_enabled, fields } = form.getValues()
  return (
    <Dialog
      onClose={onClose}
      title={t(edited ? 'siteForms.edit' : isButton ? 'siteForms.add_button' : 'siteForms.add')}
      size={560}
    >
      <form
        noValidate
        onSubmit={form.onSubmit((values) =>
          submit(savedOf(edited?.id, bodyOf(values), bodyOf(form.getInitialValues()))),
        )}
      >
        <DialogFields pending={pending}>
          <ProblemCallout error={error} />
          <TextInput
            label={t('siteForms.name')}
            maxLength={255}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Select
            label={t('siteForms.pipeline')}
            allowDeselect={false}
            data={pipelines
              .filter(({ id, is_archive }) => !is_archive || id === pipeline_id)
              .map(({ id, name }) => ({ value: String(id), label: name }))}
            value={String(pipeline_id || main)}
            onChange={(value) => form.setFieldValue('pipeline_id', Number(value))}
          />
          {isButton && (
            <WebsitesInput
              required={!edited?.button?.is_used_in_app}
              {...form.getInputProps('trusted_websites')}
            />
          )}
          <FormFields
            fields={fields}
            error={form.errors.fields}
            onChange={(changed) => form.setFieldValue('fields', changed)}
          />
          <Textarea
            label={t('siteForms.thanks')}
            description={t('siteForms.thanks_hint')}
            autosize
            minRows={2}
            maxLength={1000}
            {...form.getInputProps('thanks')}
          />
          <Switch
            label={t('siteForms.enabled')}
            checked={is_enabled}
            onChange={({ currentTarget }) => form.setFieldValue('is_enabled', currentTarget.checked)}
          />
        </DialogFields>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

/** The websites that can have a button. */
function WebsitesInput(props: TagsInputProps) {
  const { t } = useTranslation()
  return (
    <TagsInput
      label={t('siteForms.websites')}
      description={t('siteForms.websites_hint')}
      maxTags={10}
      maxLength={255}
      acceptValueOnBlur
      splitChars={[',', ' ']}
      {...props}
    />
  )
}

type Values = Omit<SiteFormDraft, 'button'> & { trusted_websites: string[] } & Record<string, unknown>

function useSiteForm(edited: SiteForm | undefined, isButton: boolean) {
  const { t } = useTranslation()
  return useForm<Values>({
    initialValues: {
      name: edited?.name ?? '',
      pipeline_id: edited?.pipeline_id ?? 0,
      fields: edited?.fields ?? [
        { key: 'name', is_required: true },
        { key: 'phone', is_required: true },
        { key: 'text', is_required: false },
      ],
      thanks: edited?.thanks ?? '',
      is_enabled: edited?.is_enabled ?? true,
      trusted_websites: edited?.button?.trusted_websites ?? [],
    },
    validate: {
      name: (value) => (value.trim() ? null : t('faults.NotBlank')),
      trusted_websites: (websites) =>
        isButton && websites.length === 0 && !edited?.button?.is_used_in_app
          ? t('siteForms.website_needed')
          : null,
      fields: (fields) => (fields.length > 0 ? null : t('siteForms.field_needed')),
    },
  })
}

interface FormFieldsProps {
  fields: SiteFormDraft['fields']
  error: React.ReactNode
  onChange: (fields: SiteFormDraft['fields']) => void
}

/** The fields of a form in their order, and the ones that can be added. */
function FormFields({ fields, error, onChange }: FormFieldsProps) {
  const { t } = useTranslation()
  const names = useFieldNames()
  const offered = [...names].filter(([key]) => !fields.some((field) => field.key === key))
  return (
    <fieldset className={classes.list}>
      <legend>{t('siteForms.fields')}</legend>
      <p className={classes.hint}>{t('siteForms.fields_hint')}</p>
      {fields.map((field, at) => {
        const name = names.get(field.key) ?? t('siteForms.unknown')
        const remove = t('siteForms.remove_field', { name })
        return (
          <div key={field.key} className={classes.field}>
            <span>{name}</span>
            <Checkbox
              label={t('siteForms.required')}
              aria-label={t('siteForms.required_of', { name })}
              checked={field.is_required}
              onChange={({ currentTarget }) =>
                onChange(fields.with(at, { ...field, is_required: currentTarget.checked }))
              }
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={remove}
              title={remove}
              onClick={() => onChange(fields.toSpliced(at, 1))}
            >
              <IconX size={15} />
            </ActionIcon>
          </div>
        )
      })}
      {error && <p className={classes.wrong}>{error}</p>}
      <Select
        aria-label={t('siteForms.add_field')}
        placeholder={t('siteForms.add_field')}
        searchable
        value={null}
        data={offered.map(([value, label]) => ({ value, label }))}
        onChange={(key) => key !== null && onChange([...fields, { key, is_required: false }])}
      />
    </fieldset>
  )
}

/** The names of all parts that a form can have, by their keys. */
function useFieldNames(): Map<string, string> {
  const { t } = useTranslation()
  const { data: ofLeads = [] } = useQuery(fieldsOptions('leads'))
  const { data: ofContacts = [] } = useQuery(fieldsOptions('contacts'))
  const isSimple = ({ type }: { type: string }) => (fieldTypesOfForms as readonly string[]).includes(type)
  return new Map([
    ...builtIn.map(({ key }): [string, string] => [key, t(`siteForms.key.${key}`)]),
    ...ofLeads
      .filter(isSimple)
      .map(({ id, name }): [string, string] => [`leads.${id}`, t('siteForms.of_leads', { name })]),
    ...ofContacts
      .filter(isSimple)
      .map(({ id, name }): [string, string] => [`contacts.${id}`, t('siteForms.of_contacts', { name })]),
  ])
}
