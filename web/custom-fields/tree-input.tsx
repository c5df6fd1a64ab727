import { ActionIcon, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCornerDownRight } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  AddChoice,
  type ChoicesInputProps,
  Faults,
  fresh,
  RemoveChoice,
  useLastFocus,
} from './choices-input.tsx'
import type { Choice } from './field-draft.ts'
import classes from './fields-page.module.css'

/** Edits a tree of categories. */
export function TreeInput({ value, onChange, error, stored }: ChoicesInputProps) {
  const { t } = useTranslation()
  const { list, focusOn } = useLastFocus()
  const add = (parent_id: number | null) => {
    const [added] = fresh(value, [''], parent_id) as [Choice]
    onChange([...value, added])
    focusOn(added.id)
  }
  return (
    <fieldset className={classes.choices}>
      <legend>{t('fields.offers_tree')}</legend>
      <div ref={list} className={classes.choices}>
        {inTree(value, null, 0).map(({ choice, depth }) => (
          <Entry
            key={choice.id}
            choice={choice}
            depth={depth}
            onName={(name) => onChange(value.map((one) => (one === choice ? { ...one, name } : one)))}
            onAdd={() => add(choice.id)}
            onMove={(by) => onChange(shifted(value, choice, by))}
            onRemove={() => onChange(without(value, choice.id))}
          />
        ))}
      </div>
      <AddChoice count={value.length} onAdd={() => add(null)} />
      <Faults error={error} stored={stored} value={value} isChosen />
    </fieldset>
  )
}

/** Lists the categories in display order, each followed by its descendants. */
function inTree(choices: Choice[], above: number | null, depth: number): { choice: Choice; depth: number }[] {
  return choices
    .filter(({ parent_id }) => parent_id === above)
    .flatMap((choice) => [{ choice, depth }, ...inTree(choices, choice.id, depth + 1)])
}

/** Moves a category among its siblings. */
function shifted(choices: Choice[], choice: Choice, by: -1 | 1): Choice[] {
  const beside = choices.filter(({ parent_id }) => parent_id === choice.parent_id)
  const other = beside[beside.indexOf(choice) + by]
  if (!other) return choices
  const swapped = new Map([
    [choice, other],
    [other, choice],
  ])
  return choices.map((one) => swapped.get(one) ?? one)
}

function without(choices: Choice[], id: number): Choice[] {
  const gone = new Set(inTree(choices, id, 0).map(({ choice }) => choice.id)).add(id)
  return choices.filter((one) => !gone.has(one.id))
}

interface EntryProps {
  choice: Choice
  depth: number
  onName: (name: string) => void
  onAdd: () => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

function Entry({ choice, depth, onName, onAdd, onMove, onRemove }: EntryProps) {
  const { t } = useTranslation()
  const { name } = choice
  const button = (label: string, icon: ReactNode, onClick: () => void) => (
    <ActionIcon variant="subtle" color="gray" onClick={onClick} aria-label={label} title={label}>
      {icon}
    </ActionIcon>
  )
  return (
    <div className={classes.entry} style={{ '--pb-depth': Math.min(depth, 6) } as CSSProperties}>
      <TextInput
        size="xs"
        aria-label={t('fields.category')}
        data-choice={choice.id}
        maxLength={255}
        value={name}
        onChange={({ currentTarget }) => onName(currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {button(t('fields.category_below', { name }), <IconCornerDownRight size={16} />, onAdd)}
      {button(t('fields.category_up', { name }), <IconArrowUp size={16} />, () => onMove(-1))}
      {button(t('fields.category_down', { name }), <IconArrowDown size={16} />, () => onMove(1))}
      <RemoveChoice choice={choice} onRemove={onRemove} />
    </div>
  )
}
