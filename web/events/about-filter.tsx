import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { catalogsOptions } from '../data/catalogs.ts'
import {
  type Filter,
  type FilterEditorProps,
  isOf,
  useFilterWords,
  valuesIn,
  without,
} from '../parts/filters/filter.ts'
import { type Choice, ChoiceEditor, describeChoices } from '../parts/filters/filter-choices.tsx'
import classes from './log.module.css'

const KIND = 'filter[entity]'
const IDS = 'filter[entity_id]'
const kinds = ['lead', 'contact', 'company', 'customer', 'task'] as const
const ofKind = isOf(KIND)
const ofIds = isOf(IDS)

/** Returns a filter by kinds of records, and by ids of one kind. */
export function useAboutFilter(): Filter {
  const { t } = useTranslation()
  const words = useFilterWords()
  const { data: catalogs = [] } = useQuery(catalogsOptions)
  const choices: Choice[] = [
    ...kinds.map((kind) => ({ value: kind, label: t(`events.group.${kind}`) })),
    ...catalogs.map(({ id, name }) => ({ value: `catalog_${id}`, label: name, group: t('nav.catalogs') })),
  ]
  return {
    name: 'about',
    title: t('events.filter.about'),
    owns: (member) => ofKind(member) || ofIds(member),
    describe: (search) => {
      const kinds = describeChoices(words, choices, valuesIn(search, KIND))
      const ids = valuesIn(search, IDS).join(', ')
      return kinds && ids ? `${kinds} ${ids}` : kinds
    },
    Editor: (props) => <AboutEditor {...props} choices={choices} />,
  }
}

/** Milliseconds without typing before the filter applies. */
const REST = 350

function AboutEditor({ search, onChange, choices }: FilterEditorProps & { choices: Choice[] }) {
  const { t } = useTranslation()
  const chosen = valuesIn(search, KIND)
  const [typed, setTyped] = useState(() => valuesIn(search, IDS).join(', '))
  const ask = useDebouncedCallback(
    (text: string) => {
      const ids = [...text.matchAll(/\d{1,15}/g)].map(([id]) => id).slice(0, 10)
      onChange({ ...without(search, ofIds), [IDS]: ids.join(',') || undefined })
    },
    { delay: REST, flushOnUnmount: true },
  )
  return (
    <div className={classes.about}>
      <ChoiceEditor
        label={t('events.filter.kind')}
        choices={choices}
        chosen={chosen}
        onChoose={(next) => onChange({ ...without(search, ofKind), [KIND]: next.join(',') || undefined })}
      />
      <TextInput
        label={t('events.filter.ids')}
        description={t('events.filter.ids_hint')}
        inputWrapperOrder={['label', 'input', 'description']}
        disabled={chosen.length !== 1}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          ask(currentTarget.value)
        }}
      />
    </div>
  )
}
