import { Button, Select, TextInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { typeOf } from '../../src/custom-fields/fields/field-types.ts'
import { writeField } from '../data/field-changes.ts'
import { fieldGroupsOptions } from '../data/field-groups.ts'
import { type CustomField, fieldsOptions } from '../data/fields.ts'
import type { Collection } from '../data/records.ts'
import dialog from '../parts/dialogs/dialog.module.css'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { DialogFields } from '../parts/dialogs/dialog-fields.tsx'
import { useForm } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { ChoicesInput } from './choices-input.tsx'
import { blank, draftOf, type FieldDraft, patchOf } from './field-draft.ts'
import { FIRST_GROUP } from './field-groups.tsx'
import { fieldKinds } from './field-kinds.ts'
import { FieldSettings } from './field-settings.tsx'
import classes from './fields-page.module.css'
import { TreeInput } from './tree-input.tsx'
import { TypeSelect } from './type-select.tsx'

interface FieldDialogProps {
  collection: Collection
  /** undefined for a new field. */
  field?: CustomField
  /** The group of a new field. */
  group_id?: string | null
  onClose: () => void
}

/** Creates or edits a field. */
export function FieldDialog({ collection, field, group_id = null, onClose }: FieldDialogProps) {
  const { t } = useTranslation()
  const form = useFieldForm(field ? draftOf(field) : blank(group_id === FIRST_GROUP ? null : group_id))
  const { submit, pending, error } = useSubmit(form, writeField(collection), {
    done: field ? t('app.saved') : t('fields.added'),
    onDone: onClose,
  })
  const { data: others = [] } = useQuery(fieldsOptions(collection))
  const save = (draft: FieldDraft) => {
    const patch = patchOf(collection, draft, field)
    // New fields are added at the end.
    const sort = Math.max(0, ...others.map((other) => other.sort)) + 10
    submit(field ? { id: field.id, ...patch } : { type: draft.type, sort, ...patch })
  }
  const isOfService = field !== undefined && field.origin !== null
  return (
    <Dialog size="lg" onClose={onClose} title={field ? t('fields.edit') : t('fields.add')}>
      <form noValidate onSubmit={form.onSubmit(save)}>
        <DialogFields pending={pending}>
          <ProblemCallout error={error} />
          {isOfService && (
            <Callout tone="info" title={t('fields.owned_by', { service: field.origin ?? '' })}>
              {t('fields.owned_text')}
            </Callout>
          )}
          <TextInput
            label={t('field.name')}
            maxLength={255}
            data-autofocus
            disabled={isOfService}
            {...form.getInputProps('name')}
          />
          {field ? <FixedType field={field} /> : <TypeSelect collection={collection} form={form} />}
          <Offered form={form} field={field} disabled={isOfService} />
          <GroupSelect collection={collection} form={form} />
          <FieldSettings collection={collection} form={form} disabled={isOfService} />
        </DialogFields>
        <div className={dialog.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" loading={pending}>
            {field ? t('act.save') : t('fields.add')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function useFieldForm(initialValues: FieldDraft) {
  const { t } = useTranslation()
  return useForm<FieldDraft>({
    initialValues,
    validate: {
      name: (name) => (name.trim() ? null : t('faults.NotBlank')),
      choices: (choices, { type }) => {
        const { enums } = typeOf(type)
        const names = choices.map(({ name }) => name.trim()).filter(Boolean)
        if (enums && enums !== 'labels' && names.length === 0) return t('fields.needs_choices')
        // Categories below different parents may have the same name.
        const isTwice = enums === 'choices' && new Set(names).size < names.length
        return isTwice ? t('fields.choice_twice') : null
      },
      lists: (lists, { type }) =>
        type === 'chained_list' && lists.length === 0 ? t('faults.NotBlank') : null,
    },
  })
}

export type FieldForm = ReturnType<typeof useFieldForm>

/** The type of an existing field cannot change, because its values have that type. */
function FixedType({ field: { type } }: { field: CustomField }) {
  const { t } = useTranslation()
  const { icon: Mark } = fieldKinds[type]
  return (
    <div className={classes.fixed}>
      <Mark size={16} stroke={1.7} aria-hidden />
      {t(`fields.types.${type}`)}
      <IconLock size={14} stroke={1.7} aria-hidden />
      <span>{t('fields.type_stays')}</span>
    </div>
  )
}

function Offered({
  form,
  field,
  disabled,
}: {
  form: FieldForm
  field: CustomField | undefined
  disabled: boolean
}) {
  const { enums } = typeOf(form.values.type)
  if (!enums || disabled) return null
  const props = {
    value: form.values.choices,
    onChange: (choices: FieldDraft['choices']) => form.setFieldValue('choices', choices),
    error: form.errors.choices,
    stored: field,
  }
  return enums === 'tree' ? <TreeInput {...props} /> : <ChoicesInput {...props} kind={enums} />
}

function GroupSelect({ collection, form }: { collection: Collection; form: FieldForm }) {
  const { t } = useTranslation()
  const { data: groups = [] } = useQuery(fieldGroupsOptions(collection))
  return (
    <Select
      label={t('fields.group')}
      allowDeselect={false}
      data={groups.map(({ id, name }) => ({ value: id, label: name }))}
      value={form.values.group_id ?? FIRST_GROUP}
      onChange={(id) => form.setFieldValue('group_id', id === FIRST_GROUP ? null : id)}
      error={form.errors.group_id}
    />
  )
}
