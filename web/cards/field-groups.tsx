import { Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRequired } from '../custom-fields/required.ts'
import { valuesIn } from '../custom-fields/values.ts'
import { fieldGroupsOptions } from '../data/field-groups.ts'
import type { CustomField } from '../data/fields.ts'
import { isAt } from '../data/pipelines.ts'
import type { AnyRecord } from '../data/records.ts'
import { useCard } from './card-context.tsx'
import { CardCustomField } from './card-custom-field.tsx'
import fieldClasses from './card-field.module.css'
import classes from './fields-panel.module.css'

/** The custom fields by group. Empty fields are hidden until requested. */
export function FieldGroups() {
  const { t } = useTranslation()
  const { fields, record, collection, open, unsaved } = useCard()
  const { data: groups = [] } = useQuery(fieldGroupsOptions(collection))
  const [showsEmpty, setShowsEmpty] = useLocalStorage({ key: 'patchbay-empty-fields', defaultValue: false })
  const touched = useTouched(open)
  const offered = fields.filter((field) => !isHidden(field, record))
  const isShown = (field: CustomField) =>
    showsEmpty ||
    (valuesIn(record, field.id)?.length ?? 0) > 0 ||
    isRequired(field, record) ||
    touched.has(`field:${field.id}`) ||
    unsaved.some(({ member }) => member === `field:${field.id}`)
  const folded = offered.filter((field) => !isShown(field)).length
  return (
    <>
      {partsOf(offered.filter(isShown), groups).map(({ id, name, of }, i) => (
        <section key={id} className={classes.part} aria-label={name}>
          {(i > 0 || groups.length > 1) && <h2 className={classes.title}>{name}</h2>}
          <dl className={fieldClasses.fields}>
            {of.map((field) => (
              <CardCustomField key={field.id} field={field} isRequired={isRequired(field, record)} />
            ))}
          </dl>
        </section>
      ))}
      {(folded > 0 || showsEmpty) && (
        <Button
          className={classes.fold}
          size="xs"
          variant="subtle"
          color="gray"
          onClick={() => setShowsEmpty(!showsEmpty)}
        >
          {showsEmpty ? t('card.hide_empty') : t('card.show_empty', { count: folded })}
        </Button>
      )}
    </>
  )
}

/** Fields edited on this visit stay visible when they become empty. */
function useTouched(open: string | null): ReadonlySet<string> {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  if (open !== null && !touched.has(open)) setTouched(new Set([...touched, open]))
  return touched
}

const isHidden = ({ hidden_statuses, is_visible }: CustomField, record: AnyRecord) =>
  is_visible === false || (hidden_statuses ?? []).some((stage) => isAt(record, stage))

const FIRST = 'default'

/** Fields without an existing group belong to the first group. */
function partsOf(fields: CustomField[], groups: { id: string; name: string }[]) {
  const known = new Set(groups.map(({ id }) => id))
  const first = groups.find(({ id }) => id === FIRST) ?? groups[0] ?? { id: FIRST, name: '' }
  const groupOf = ({ group_id }: CustomField) => (group_id && known.has(group_id) ? group_id : first.id)
  const byGroup = Map.groupBy(fields, groupOf)
  const all = groups.length > 0 ? groups : [first]
  return all.flatMap(({ id, name }) => {
    const of = byGroup.get(id)
    return of ? [{ id, name, of }] : []
  })
}
