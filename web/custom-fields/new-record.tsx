import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsOptions } from '../data/fields.ts'
import { type Pipeline, pipelinesOptions, type StagePlace } from '../data/pipelines.ts'
import { settleLists } from '../data/record-lists.ts'
import { addRecord, type Collection, wordOf } from '../data/records.ts'
import { sessionOptions } from '../data/session.ts'
import classes from '../parts/dialogs/dialog.module.css'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { DialogFields } from '../parts/dialogs/dialog-fields.tsx'
import { useUnsaved } from '../parts/forms/unsaved.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { PersonSelect } from '../parts/people/person-select.tsx'
import { cardAddress } from '../parts/records/record-link.tsx'
import { StageSelect } from '../parts/records/stage-select.tsx'
import { readAmount } from '../parts/texts/numbers.ts'
import { useLocale } from '../parts/texts/region.ts'
import {
  AddressInputs,
  addressValues,
  sortAddress,
  type TypedAddresses,
  useAddressFields,
} from './address-inputs.tsx'
import { isRequired } from './required.ts'
import { type Filled, RequiredFields } from './required-fields.tsx'

interface NewRecordProps {
  collection: Collection
  opened: boolean
  onClose: () => void
  /** Properties that the record starts with, such as its stage or a link to another card. */
  preset?: Record<string, unknown> & { name?: string }
  /** Called instead of opening the card. */
  onAdded?: (id: number, name: string) => void
}

/** Creates a record from its required fields, and a contact or a company with its addresses, then opens its card. */
export function NewRecordDialog({ collection, opened, onClose, ...rest }: NewRecordProps) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} title={t(`record.new_${wordOf(collection)}`)}>
      <NewRecordForm collection={collection} onClose={onClose} {...rest} />
    </Dialog>
  )
}

interface Draft extends Record<string, unknown>, TypedAddresses {
  name: string
  place: StagePlace | null
  /** The text that was typed. */
  price: string
  responsible_user_id: number | null
}

type NewRecordFormProps = Omit<NewRecordProps, 'opened'>

function NewRecordForm(props: NewRecordFormProps) {
  const { t } = useTranslation()
  const { form, has, addresses, place, required, filled, setFilled, isWanting, onSubmit, pending, error } =
    useNewRecord(props)
  return (
    <form onSubmit={onSubmit} noValidate>
      <DialogFields pending={pending}>
        <ProblemCallout error={error} />
        <TextInput data-autofocus label={t('field.name')} maxLength={255} {...form.getInputProps('name')} />
        <AddressInputs fields={addresses} propsOf={(name) => form.getInputProps(name)} />
        {has.stage && (
          <StageSelect
            label={t('records.stage')}
            value={place}
            onChange={(place) => form.setFieldValue('place', place)}
            error={form.errors.place}
          />
        )}
        {has.price && (
          <TextInput
            label={t(has.price === 'price' ? 'records.price' : 'record.next_price')}
            inputMode="decimal"
            maxLength={40}
            {...form.getInputProps('price')}
          />
        )}
        {has.responsible && (
          <PersonSelect
            label={t('record.responsible')}
            value={form.values.responsible_user_id}
            onChange={(id) => form.setFieldValue('responsible_user_id', id)}
            error={form.errors.responsible_user_id}
          />
        )}
        <RequiredFields fields={required} filled={filled} onFill={setFilled} />
      </DialogFields>
      <div className={classes.buttons}>
        <Button variant="default" onClick={props.onClose}>
          {t('act.cancel')}
        </Button>
        <Button type="submit" loading={pending} disabled={isWanting}>
          {t('record.add')}
        </Button>
      </div>
    </form>
  )
}

/** The form of a new record, the fields that its stage or its list requires, and how it is added. */
function useNewRecord({ collection, onClose, preset = {}, onAdded }: NewRecordFormProps) {
  const locale = useLocale()
  const navigate = useNavigate()
  const form = useDraftForm(collection, preset)
  const addresses = useAddressFields(collection)
  const [filled, setFilled] = useState<Filled>({})
  const release = useUnsaved(Object.keys(filled).length > 0)
  const { submit, pending, error } = useSubmit(form, addRecord(collection), {
    onDone: (id) => {
      release()
      settleLists(collection)
      onClose()
      if (onAdded) onAdded(id, form.getValues().name.trim())
      else navigate(cardAddress(collection, id))
    },
  })
  const has = parts[wordOf(collection)]
  const firstPlace = useFirstPlace()
  const place = has.stage ? (form.values.place ?? firstPlace) : null
  const required = useRequired(collection, place)
  const isWanting = required.some(({ id }) => !filled[id]?.length)
  const onSubmit = form.onSubmit((draft) =>
    submit({
      ...preset,
      ...bodyOf({ ...draft, place }, readAmount(draft.price, locale), has),
      ...fieldValues([...valuesOf(required, filled), ...addressValues(addresses, draft)]),
    }),
  )
  return { form, has, addresses, place, required, filled, setFilled, isWanting, onSubmit, pending, error }
}

function useDraftForm(collection: Collection, preset: NonNullable<NewRecordProps['preset']>) {
  const { t } = useTranslation()
  const locale = useLocale()
  const { data: session } = useQuery(sessionOptions)
  const isAmount = (typed: string) => typed.trim() === '' || readAmount(typed, locale) !== null
  return useForm<Draft>({
    initialValues: {
      ...startOf(collection, preset.name ?? ''),
      place: placeIn(preset),
      price: '',
      responsible_user_id: session?.user?.id ?? null,
    },
    validate: {
      name: (name) => (name.trim() === '' ? t('faults.NotBlank') : null),
      price: (typed) => (isAmount(typed) ? null : t('card.not_amount')),
    },
    validateInputOnBlur: ['price'],
  })
}

interface Parts {
  stage?: true
  price?: 'price' | 'next_price'
  responsible?: true
}

/** The inputs of each kind besides the name. */
const parts: Record<ReturnType<typeof wordOf>, Parts> = {
  leads: { stage: true, price: 'price', responsible: true },
  contacts: { responsible: true },
  companies: { responsible: true },
  customers: { price: 'next_price', responsible: true },
  elements: {},
}

/** A person may have searched for a number or an address that no record has. */
const startOf = (collection: Collection, searched: string): TypedAddresses & { name: string } =>
  ['contacts', 'companies'].includes(wordOf(collection))
    ? sortAddress(searched)
    : { name: searched, phone: '', email: '' }

const placeIn = ({ pipeline_id, status_id }: Record<string, unknown>): StagePlace | null =>
  typeof pipeline_id === 'number' && typeof status_id === 'number' ? { pipeline_id, status_id } : null

const bodyOf = ({ name, place, responsible_user_id }: Draft, price: number | null, has: Parts) => ({
  name: name.trim(),
  ...(has.stage && place),
  ...(has.price && price !== null && { [has.price]: price }),
  ...(has.responsible && responsible_user_id !== null && { responsible_user_id }),
})

/** The default stage of a new lead. */
function useFirstPlace(): StagePlace | null {
  const { data } = useQuery({ ...pipelinesOptions, select: firstPlaceIn })
  return data ?? null
}

const firstPlaceIn = (pipelines: Pipeline[]): StagePlace | null => {
  const main = pipelines.find(({ is_main }) => is_main)
  const first = main?._embedded.statuses.find(({ type }) => type === 0)
  return main && first ? { pipeline_id: main.id, status_id: first.id } : null
}

/** The fields that the lead's stage or the element's list requires. */
function useRequired(collection: Collection, place: StagePlace | null) {
  const hasRequired = place !== null || wordOf(collection) === 'elements'
  const { data = [] } = useQuery({ ...fieldsOptions(collection), enabled: hasRequired })
  return hasRequired
    ? data.filter((field) => isRequired(field, place) && !field.disabled && !field.is_api_only)
    : []
}

const valuesOf = (required: { id: number }[], filled: Filled) =>
  required.map(({ id }) => ({ field_id: id, values: filled[id] ?? [] }))

const fieldValues = <Value,>(custom_fields_values: Value[]) =>
  custom_fields_values.length > 0 && { custom_fields_values }
