import { Checkbox, Radio, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { matches } from '../forms/search-box.tsx'
import { type Filter, type FilterEditorProps, type FilterWords, isOf, valuesIn, without } from './filter.ts'
import classes from './filter-bar.module.css'

export interface Choice {
  value: string
  label: string
  /** Shown before the label, such as a color. */
  mark?: ReactNode
  /** Options with the same group are listed under its name. */
  group?: string
}

interface ChoiceFilter {
  name: string
  title: string
  /** The search parameter, such as `filter[responsible_user_id]`. */
  member: string
  choices: Choice[]
  /** Allows one option only. */
  isSingle?: boolean
}

/** Returns a filter by one or several options. */
export function choiceFilter(
  words: FilterWords,
  { name, title, member, choices, isSingle }: ChoiceFilter,
): Filter {
  const owns = isOf(member)
  const read = (search: FilterEditorProps['search']) => chosenIn(search, member, choices)
  return {
    name,
    title,
    owns,
    describe: (search) => describeChoices(words, choices, read(search)),
    Editor: ({ search, onChange }) => (
      <ChoiceEditor
        label={title}
        choices={choices}
        chosen={read(search)}
        isSingle={isSingle}
        onChoose={(values) =>
          onChange({
            ...without(search, owns),
            ...(isSingle ? { [member]: values[0] } : listed(member, values)),
          })
        }
      />
    ),
  }
}

/** A comma does not separate values if an option contains it. */
function chosenIn(search: FilterEditorProps['search'], member: string, choices: Choice[]): string[] {
  const whole = Object.entries(search).filter(([name]) => isOf(member)(name))
  return whole.flatMap(([name, value]) =>
    choices.some((one) => one.value === value) ? [value] : valuesIn({ [name]: value }, member),
  )
}

const listed = (member: string, values: string[]) =>
  Object.fromEntries(values.map((value, i) => [`${member}[${i}]`, value]))

/** The number of options named in a chip. */
const NAMED = 2

/** Names some options and counts the rest; null if there are none. */
export function describeChoices({ t }: FilterWords, choices: Choice[], chosen: string[]): string | null {
  if (chosen.length === 0) return null
  const names = chosen.map((value) => choices.find((one) => one.value === value)?.label ?? value)
  const listed = names.slice(0, NAMED).join(', ')
  return names.length > NAMED ? t('filters.and_more', { names: listed, count: names.length - NAMED }) : listed
}

interface ChoiceEditorProps {
  label: string
  choices: Choice[]
  chosen: string[]
  isSingle?: boolean
  onChoose: (values: string[]) => void
}

/** The number of options from which the search is shown. */
const MANY = 8
/** Maximum number of rendered options; the search finds the others. */
const MOST = 200

/** A list of checkboxes, or of radio buttons. */
export function ChoiceEditor({ label, choices, chosen, isSingle = false, onChoose }: ChoiceEditorProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const name = useId()
  const found = choices.filter((one) => matches(typed, one.label, one.group ?? '')).slice(0, MOST)
  const toggle = (value: string) => {
    if (isSingle) onChoose([value])
    else onChoose(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  }
  const Box = isSingle ? Radio : Checkbox
  return (
    <fieldset aria-label={label} className={classes.choices}>
      {choices.length > MANY && (
        <TextInput
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          aria-label={t('filters.find_choice')}
          placeholder={t('filters.find_choice')}
          data-autofocus
        />
      )}
      <div className={classes.boxes}>
        {found.map((one, i) => (
          <div key={one.value} className={classes.box}>
            {one.group !== undefined && one.group !== found[i - 1]?.group && (
              <div className={classes.group}>{one.group}</div>
            )}
            <Box
              size="xs"
              name={name}
              checked={chosen.includes(one.value)}
              onChange={() => toggle(one.value)}
              label={<ChoiceName {...one} />}
            />
          </div>
        ))}
        {found.length === 0 && <p className={classes.none}>{t('app.nothing')}</p>}
      </div>
    </fieldset>
  )
}

const ChoiceName = ({ label, mark }: Choice) => (
  <span className={classes.choice} title={label}>
    {mark}
    <span className={classes.name}>{label}</span>
  </span>
)
