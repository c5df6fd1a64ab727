import { Button, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Card } from '../../data/timeline.ts'
import { useClearable } from '../../parts/forms/use-clearable.ts'
import { callStates } from '../rows/call-body.tsx'
import { secondsOf } from './call-length.ts'
import classes from './composer.module.css'
import { onCtrlEnter } from './note-form.tsx'
import { PhoneInput } from './phone-input.tsx'
import { dropDraft, keepWriteDraft, useWriteDraft, type WriteDraft } from './write-drafts.ts'
import { useWrite } from './writing.ts'

/** The source of calls that people log. */
const SOURCE = 'Patchbay'

type CallDraft = WriteDraft['call']

/** Logs a call that was made outside of an integration. */
export function CallForm({ card }: { card: Card }) {
  const { t } = useTranslation()
  const { call } = useWriteDraft(card)
  const write = useWrite(card)
  const [isWrong, setIsWrong] = useState(false)
  const set = (change: Partial<CallDraft>) => keepWriteDraft(card, { call: { ...call, ...change } })
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    const duration = secondsOf(call.duration)
    setIsWrong(duration === null)
    if (duration === null || call.phone.trim() === '') return
    const note = { note_type: `call_${call.direction}` as const, params: paramsOf(call, duration) }
    write({ note, draft: { mode: 'call', call } })
    dropDraft(card, 'call')
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <SegmentedControl
        size="xs"
        className={classes.direction}
        aria-label={t('timeline.call.direction')}
        data={(['out', 'in'] as const).map((one) => ({ value: one, label: t(`timeline.call.${one}`) }))}
        value={call.direction}
        onChange={(direction) => set({ direction: direction as 'in' | 'out' })}
      />
      <div className={classes.details}>
        <PhoneInput card={card} value={call.phone} onChange={(phone) => set({ phone })} />
        <Duration value={call.duration} isWrong={isWrong} onChange={(duration) => set({ duration })} />
        <Status value={call.status} onChange={(status) => set({ status })} />
      </div>
      <Textarea
        autosize
        minRows={1}
        maxRows={8}
        maxLength={65_535}
        aria-label={t('timeline.call.result')}
        placeholder={t('timeline.call.result')}
        value={call.result}
        onChange={({ currentTarget }) => set({ result: currentTarget.value })}
        onKeyDown={onCtrlEnter(submit)}
      />
      <div className={classes.buttons}>
        <Button type="submit" disabled={call.phone.trim() === ''}>
          {t('timeline.write.add_call')}
        </Button>
      </div>
    </form>
  )
}

const paramsOf = ({ phone, result, status }: CallDraft, duration: number) => ({
  phone: phone.trim(),
  duration,
  source: SOURCE,
  ...(result.trim() && { call_result: result.trim() }),
  ...(status !== null && { call_status: status }),
})

interface DurationProps {
  value: string
  isWrong: boolean
  onChange: (typed: string) => void
}

function Duration({ value, isWrong, onChange }: DurationProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('timeline.call.duration')}
      placeholder="0:00"
      title={t('timeline.call.duration_hint')}
      error={isWrong && t('timeline.call.bad_duration')}
      value={value}
      maxLength={9}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

interface StatusProps {
  value: CallDraft['status']
  onChange: (status: CallDraft['status']) => void
}

function Status({ value, onChange }: StatusProps) {
  const { t } = useTranslation()
  const clearable = useClearable()
  return (
    <Select
      label={t('timeline.call.status')}
      placeholder={t('timeline.call.no_status')}
      {...clearable(t('timeline.call.status'))}
      data={callStates.map((one) => ({ value: String(one), label: t(`timeline.call.state.${one}`) }))}
      value={value === null ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
    />
  )
}
