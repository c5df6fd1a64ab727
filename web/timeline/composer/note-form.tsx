import { Button, Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Card } from '../../data/timeline.ts'
import classes from './composer.module.css'
import { addDraftFiles, dropDraft, keepWriteDraft, useWriteDraft } from './write-drafts.ts'
import { useWrite } from './writing.ts'

/** Maximum length of a note. */
const MOST = 65_535

export function NoteForm({ card }: { card: Card }) {
  const { t } = useTranslation()
  const { note } = useWriteDraft(card)
  const write = useWrite(card)
  const text = note.trim()
  const add = () => {
    if (text === '') return
    write({ note: { note_type: 'common', params: { text } }, draft: { mode: 'note', note } })
    dropDraft(card, 'note')
  }
  return (
    <div className={classes.form}>
      <Textarea
        autosize
        minRows={2}
        maxRows={14}
        maxLength={MOST}
        aria-label={t('timeline.text')}
        placeholder={t('timeline.write.note_hint')}
        value={note}
        onChange={({ currentTarget }) => keepWriteDraft(card, { note: currentTarget.value })}
        onKeyDown={onCtrlEnter(add)}
        onPaste={(event) => {
          const { files } = event.clipboardData
          if (files.length === 0) return
          event.preventDefault()
          addDraftFiles(card, files)
        }}
      />
      <div className={classes.buttons}>
        <span className={classes.hint}>{t('timeline.write.keys')}</span>
        <Button disabled={text === ''} onClick={add}>
          {t('timeline.write.add_note')}
        </Button>
      </div>
    </div>
  )
}

/** Enter alone adds a line. */
export const onCtrlEnter = (run: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  run()
}
