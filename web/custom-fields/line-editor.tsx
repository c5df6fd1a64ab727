import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocale } from '../parts/texts/region.ts'
import { EditorBox } from './editor-box.tsx'
import type { EditorProps } from './field-editor.tsx'
import type { LineRule } from './line-rules.ts'
import { TimeBox } from './time-box.tsx'
import { dayOf, secondsOfDay, textsOf } from './values.ts'

/** Returns the editor of one line: text, a number or an address. */
export const lineEditor = (rule: LineRule) => (props: EditorProps) => <LineEditor {...props} rule={rule} />

function LineEditor({ field, value, onSave, onCancel, rule }: EditorProps & { rule: LineRule }) {
  const { t } = useTranslation()
  const locale = useLocale()
  const kept = textsOf(value)[0] ?? ''
  const before = rule.write?.(kept, locale) ?? kept
  const [typed, setTyped] = useState(before)
  const [isShown, setShown] = useState(false)
  const parsed = rule.parse(typed.trim(), locale)
  const isEmpty = typed.trim() === ''
  const fault = !isEmpty && 'fault' in parsed ? t(parsed.fault) : undefined
  const isChanged = typed.trim() !== before.trim()
  const save = () => {
    if (!isChanged) onCancel()
    else if (isEmpty) onSave([])
    else if ('fault' in parsed) setShown(true)
    else onSave([{ value: parsed.value }])
  }
  return (
    <EditorBox onSave={save} onCancel={onCancel} isChanged={isChanged} fault={isShown ? fault : undefined}>
      <TextInput
        aria-label={field.name}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        maxLength={rule.most}
        inputMode={rule.inputMode}
        error={isShown && fault !== undefined}
      />
    </EditorBox>
  )
}

/** Edits a text of several lines. */
export function TextEditor({ field, value, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation()
  const before = textsOf(value)[0] ?? ''
  const [typed, setTyped] = useState(before)
  const save = () => {
    if (typed === before) onCancel()
    else onSave(typed.trim() === '' ? [] : [{ value: typed }])
  }
  return (
    <EditorBox
      onSave={save}
      onCancel={onCancel}
      isChanged={typed !== before}
      isText
      hint={t('value.text_hint')}
    >
      <Textarea
        aria-label={field.name}
        autosize
        minRows={3}
        maxRows={14}
        maxLength={20_000}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </EditorBox>
  )
}

/** Edits a date, or a date and time in the reader's time zone. */
export function TimeEditor({ field, value, onSave, onCancel }: EditorProps) {
  const type = field.type === 'date_time' ? 'datetime-local' : 'date'
  return (
    <TimeBox
      type={type}
      label={field.name}
      before={value?.[0] ? times[type].show(Number(value[0].value)) : ''}
      min={type === 'date' ? '1000-01-01' : undefined}
      onSave={(typed) => onSave(typed === '' ? [] : [{ value: times[type].read(typed) }])}
      onCancel={onCancel}
    />
  )
}

const two = (number: number) => String(number).padStart(2, '0')
const times = {
  date: { show: dayOf, read: secondsOfDay },
  'datetime-local': {
    show: (seconds: number) => {
      const at = new Date(seconds * 1000)
      const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
      return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
    },
    read: (text: string) => Math.floor(new Date(text).getTime() / 1000),
  },
}
