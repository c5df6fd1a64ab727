import { Button, Textarea } from '@mantine/core'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Card } from '../../data/timeline.ts'
import classes from './composer.module.css'
import { onCtrlEnter } from './note-form.tsx'
import { PhoneInput } from './phone-input.tsx'
import { dropDraft, keepWriteDraft, useWriteDraft, type WriteDraft } from './write-drafts.ts'
import { useWrite } from './writing.ts'

/** Adds an SMS to the card. The server has no gateway: an integration sends it. */
export function SmsForm({ card }: { card: Card }) {
  const { t } = useTranslation()
  const { sms } = useWriteDraft(card)
  const write = useWrite(card)
  const set = (change: Partial<WriteDraft['sms']>) => keepWriteDraft(card, { sms: { ...sms, ...change } })
  const isEmpty = sms.phone.trim() === '' || sms.text.trim() === ''
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isEmpty) return
    const params = { phone: sms.phone.trim(), text: sms.text.trim() }
    write({ note: { note_type: 'sms_out', params }, draft: { mode: 'sms', sms } })
    dropDraft(card, 'sms')
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <PhoneInput card={card} value={sms.phone} onChange={(phone) => set({ phone })} />
      <Textarea
        autosize
        minRows={2}
        maxRows={8}
        maxLength={65_535}
        aria-label={t('timeline.write.sms_hint')}
        placeholder={t('timeline.write.sms_hint')}
        value={sms.text}
        onChange={({ currentTarget }) => set({ text: currentTarget.value })}
        onKeyDown={onCtrlEnter(submit)}
      />
      <div className={classes.buttons}>
        <span className={classes.hint}>{t('timeline.write.sms_by')}</span>
        <Button type="submit" disabled={isEmpty}>
          {t('timeline.write.add_sms')}
        </Button>
      </div>
    </form>
  )
}
