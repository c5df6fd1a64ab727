import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { placeOf, type Stage } from '../../data/pipelines.ts'
import { useUnsaved } from '../../parts/forms/unsaved.ts'
import { useBoard } from './board-context.ts'
import classes from './column.module.css'

/** Milliseconds of a click: the cards below must not move until the clicked one has received it. */
const CLICK = 250

interface QuickAddProps {
  stage: Stage
  onClose: () => void
}

/** Adds leads by name. Enter adds one and continues with the next. */
export function QuickAdd({ stage, onClose }: QuickAddProps) {
  const { t } = useTranslation()
  const { onAdd } = useBoard()
  const [name, setName] = useState('')
  useUnsaved(name.trim() !== '')
  // A name that was refused comes back, unless the next one is already being typed.
  const add = async (added: string) => {
    setName('')
    if (!(await onAdd(added, placeOf(stage)))) setName((typed) => typed || added)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || name.trim() === '') return
    void add(name.trim())
  }
  return (
    <div className={classes.add}>
      <TextInput
        autoFocus
        aria-label={t('board.new_in', { stage: stage.name })}
        placeholder={t('board.new_name')}
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => name.trim() === '' && setTimeout(onClose, CLICK)}
      />
      <p className={classes.hint}>{t('board.new_hint')}</p>
    </div>
  )
}
