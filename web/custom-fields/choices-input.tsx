import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomField } from '../data/fields.ts'
import { useStable } from '../parts/forms/use-stable.ts'
import { SortableList } from '../parts/lists/sortable-list.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { useToast } from '../parts/toasts/use-toast.ts'
import { type Choice, choicesOf } from './field-draft.ts'
import classes from './fields-page.module.css'

/** Maximum number of options of a field. */
const MOST_CHOICES = 1_000
/** The options of which a part is in sight when the dialog opens. */
const FIRST_CHOICES = 40

export interface ChoicesInputProps {
  value: Choice[]
  onChange: (choices: Choice[]) => void
  error: ReactNode
  /** The stored field. Removing one of its options also removes it from records. */
  stored: CustomField | undefined
}

/** Returns an unused negative id for a new option. */
const newId = (choices: readonly Choice[]): number => Math.min(0, ...choices.map(({ id }) => id)) - 1

export const fresh = (
  choices: readonly Choice[],
  names: string[],
  parent_id: number | null = null,
): Choice[] => names.map((name, i) => ({ id: newId(choices) - i, name, code: null, parent_id }))

/** Edits the options of a field, one per line. Enter adds a line, and several lines can be pasted at once. */
export function ChoicesInput(props: ChoicesInputProps & { kind: 'choices' | 'labels' }) {
  const { value, onChange, error, stored, kind } = props
  const { t } = useTranslation()
  const format = useFormat()
  const toast = useToast()
  const { list, focusOn } = useLastFocus()
  const addAfter = (at: number, names: string[]) => {
    const room = MOST_CHOICES - value.length
    if (names.length > room) toast.done(t('fields.choices_most', { number: format.number(MOST_CHOICES) }))
    const added = fresh(value, names.slice(0, room))
    onChange(value.toSpliced(at + 1, 0, ...added))
    focusOn(added.at(-1)?.id)
  }
  const add = useStable(addAfter)
  const change = useStable((at: number, ...choices: Choice[]) => onChange(value.toSpliced(at, 1, ...choices)))
  const row = useCallback(
    (choice: Choice, at: number) => (
      <ChoiceInput
        choice={choice}
        place={at + 1}
        onChange={(name) => change(at, { ...choice, name })}
        onAdd={(names) => add(at, names)}
        onRemove={() => change(at)}
      />
    ),
    [add, change],
  )
  // A thousand rows take a second, so the dialog opens with the first ones.
  const shown = useDeferredValue(MOST_CHOICES, FIRST_CHOICES)
  return (
    <fieldset className={classes.choices}>
      <legend>{t(`fields.offers_${kind}`)}</legend>
      <div ref={list}>
        <SortableList
          label={t(`fields.offers_${kind}`)}
          items={value.slice(0, shown)}
          onMove={(from, to) => onChange(value.toSpliced(from, 1).toSpliced(to, 0, value[from] as Choice))}
        >
          {row}
        </SortableList>
      </div>
      <AddChoice count={value.length} onAdd={() => addAfter(value.length - 1, [''])} />
      <Faults error={error} stored={stored} value={value} isChosen={kind === 'choices'} />
    </fieldset>
  )
}

interface ChoiceInputProps {
  choice: Choice
  place: number
  onChange: (name: string) => void
  /** Adds options after this one. */
  onAdd: (names: string[]) => void
  onRemove: () => void
}

function ChoiceInput({ choice, place, onChange, onAdd, onRemove }: ChoiceInputProps) {
  const { t } = useTranslation()
  const onPaste = (event: ClipboardEvent) => {
    const lines = linesOf(event.clipboardData.getData('text'))
    if (lines.length < 2) return
    event.preventDefault()
    onAdd(lines)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (choice.name.trim()) onAdd([''])
  }
  return (
    <span className={classes.choice}>
      <TextInput
        size="xs"
        aria-label={t('fields.choice', { place })}
        data-choice={choice.id}
        maxLength={255}
        value={choice.name}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <RemoveChoice choice={choice} onRemove={onRemove} />
    </span>
  )
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)

/** Focuses an option after it is rendered. */
export function useLastFocus() {
  const list = useRef<HTMLDivElement>(null)
  const wanted = useRef<number>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    list.current?.querySelector<HTMLInputElement>(`input[data-choice="${wanted.current}"]`)?.focus()
    wanted.current = undefined
  })
  const focusOn = (id: number | undefined) => {
    wanted.current = id
  }
  return { list, focusOn }
}

export function RemoveChoice({ choice, onRemove }: { choice: Choice; onRemove: () => void }) {
  const { t } = useTranslation()
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      onClick={onRemove}
      aria-label={t('fields.choice_remove', { name: choice.name })}
      title={t('fields.choice_remove', { name: choice.name })}
    >
      <IconX size={16} />
    </ActionIcon>
  )
}

export function AddChoice({ count, onAdd }: { count: number; onAdd: () => void }) {
  const { t } = useTranslation()
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        disabled={count >= MOST_CHOICES}
        onClick={onAdd}
      >
        {t('fields.choice_add')}
      </Button>
    </div>
  )
}

interface FaultsProps extends Omit<ChoicesInputProps, 'onChange'> {
  /** Whether record values are the options themselves. Removing a label keeps its texts. */
  isChosen: boolean
}

export function Faults({ error, stored, value, isChosen }: FaultsProps) {
  const { t } = useTranslation()
  const left = new Set(value.filter(({ name }) => name.trim()).map(({ id }) => id))
  const gone = isChosen && stored ? choicesOf(stored).filter(({ id }) => !left.has(id)) : []
  return (
    <>
      {gone.length > 0 && (
        <div className={classes.warning} role="status">
          {t('fields.choices_lost', { names: gone.map(({ name }) => name).join(', ') })}
        </div>
      )}
      {error && (
        <div className={classes.fault} role="alert">
          {error}
        </div>
      )}
    </>
  )
}
