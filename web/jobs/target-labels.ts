import { useTranslation } from 'react-i18next'
import { isLabel, labelKey } from '../custom-fields/value-labels.ts'
import type { Target } from '../data/jobs.ts'

const own = [
  'name',
  'first_name',
  'last_name',
  'price',
  'pipeline',
  'stage',
  'responsible',
  'tags',
  'created_at',
  'id',
  'contact.name',
  'contact.phone',
  'contact.email',
  'company.name',
  'company.phone',
] as const
type Own = (typeof own)[number]
const parts = ['address_line_1', 'address_line_2', 'city', 'state', 'zip', 'country'] as const

const isOwn = (target: string): target is Own => own.includes(target as Own)

/** Returns the name of a target; custom fields have their own names. */
export function useTargetLabel(): (target: Target) => string {
  const { t } = useTranslation()
  return ({ target, name, part }) => {
    if (isOwn(target)) return t(`import.target.${target.replace('.', '_') as 'name'}`)
    if (part === null) return name ?? target
    const known = parts.find((one) => one === part)
    const word = known ? t(`import.part.${known}`) : isLabel(part) ? t(labelKey(part)) : part
    return `${name}: ${word}`
  }
}

interface Group {
  group: string
  items: { value: string; label: string }[]
}

/** Groups targets for a select: the record's own, its custom fields, linked records, others. */
export function useTargetGroups(entity_type: string, targets: Target[]): Group[] {
  const { t } = useTranslation()
  const wordOf = useTargetLabel()
  const grouped = Map.groupBy(targets, ({ target, name }) => {
    if (name !== null) return t('import.group.fields')
    if (target.includes('.')) return t('import.group.linked')
    return ['responsible', 'tags', 'created_at', 'id'].includes(target)
      ? t('import.group.rest')
      : t(`import.group.${entity_type as 'leads'}`)
  })
  return [...grouped].map(([group, some]) => ({
    group,
    items: some.map((one) => ({ value: one.target, label: wordOf(one) })),
  }))
}
