import { useTranslation } from 'react-i18next'
import type { FieldType } from '../../src/custom-fields/fields/field-types.ts'
import type { Collection } from '../data/records.ts'
import { SearchSelect } from '../parts/forms/search-select.tsx'
import type { FieldForm } from './field-dialog.tsx'
import { fieldKinds, typesFor } from './field-kinds.ts'
import classes from './fields-page.module.css'

/** Selects the type of a new field, with a description of each. */
export function TypeSelect({ collection, form }: { collection: Collection; form: FieldForm }) {
  const { t } = useTranslation()
  const { type } = form.values
  const { icon: Chosen } = fieldKinds[type]
  return (
    <SearchSelect
      label={t('fields.type')}
      description={t(`fields.hints.${type}`)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      nothingFoundMessage={t('app.nothing')}
      leftSection={<Chosen size={16} stroke={1.7} aria-hidden />}
      data={typesFor(collection).map((one) => ({ value: one, label: t(`fields.types.${one}`) }))}
      renderOption={({ option }) => {
        const { icon: Mark } = fieldKinds[option.value as FieldType]
        return (
          <span className={classes.option}>
            <Mark size={16} stroke={1.7} className={classes.mark} aria-hidden />
            {option.label}
          </span>
        )
      }}
      value={type}
      onChange={(one) => one !== null && form.setFieldValue('type', one as FieldType)}
      error={form.errors.type}
    />
  )
}
