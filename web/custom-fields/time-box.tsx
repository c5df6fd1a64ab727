import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditorBox } from './editor-box.tsx'

interface TimeBoxProps {
  type: 'date' | 'datetime-local'
  label: string
  before: string
  min?: string | undefined
  /** Receives the time in the format of the input; an empty text for none. */
  onSave: (typed: string) => void
  onCancel: () => void
}

/** Edits a date, or a date and time. */
export function TimeBox({ type, label, before, min, onSave, onCancel }: TimeBoxProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(before)
  const [isPartial, setPartial] = useState(false)
  const [fault, setFault] = useState<'value.not_time' | 'value.short_year'>()
  // The browser reports no change while a date is incomplete, so the input itself is asked.
  const readPartial = () => input.current?.validity.badInput === true
  const save = () => {
    if (readPartial()) setFault('value.not_time')
    else if (typed === before) onCancel()
    else if (typed !== '' && Number.parseInt(typed, 10) < FIRST_YEAR) setFault('value.short_year')
    else onSave(typed)
  }
  return (
    <EditorBox
      onSave={save}
      onCancel={onCancel}
      isChanged={isPartial || typed !== before}
      fault={fault && t(fault)}
    >
      <TextInput
        ref={input}
        type={type}
        aria-label={label}
        value={typed}
        min={min}
        max={type === 'date' ? '9999-12-31' : '9999-12-31T23:59'}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setFault(undefined)
        }}
        onKeyUp={() => setPartial(readPartial())}
        error={fault !== undefined}
      />
    </EditorBox>
  )
}

/** A year with two digits is in the first century, which nobody means. */
const FIRST_YEAR = 1000
