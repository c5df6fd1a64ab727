import { Popover, TextInput, UnstyledButton } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePopup } from '../parts/dialogs/use-popup.tsx'
import { useNow } from '../parts/texts/use-now.ts'
import { fromLocalInput, toLocalInput, useDeadlineText, useTimeZone } from '../parts/texts/zoned.ts'
import classes from './due-button.module.css'
import { dueChoices } from './due-choices.ts'

interface DueButtonProps {
  /** Unix seconds. */
  value: number
  onChange: (at: number) => void
  /** Whether a past deadline is highlighted. */
  warns?: boolean
  withIcon?: boolean
  disabled?: boolean
}

/** A deadline. A click changes it to another day or time. */
export function DueButton({ value, onChange, warns, withIcon, disabled }: DueButtonProps) {
  const { t } = useTranslation()
  const { button, popup, target, close } = usePopup('dialog')
  const now = useNow(60)
  const deadlineText = useDeadlineText()
  const isLate = warns && value < now
  const choose = (at: number) => {
    close()
    if (at !== value) onChange(at)
  }
  const text = deadlineText(value, now)
  if (disabled) return <span className={`${classes.due} ${isLate ? classes.late : ''}`}>{text}</span>
  return (
    <>
      <UnstyledButton
        {...button}
        className={`${classes.due} ${classes.button} ${isLate ? classes.late : ''}`}
        aria-label={t('tasks.due_change', { when: text })}
      >
        {withIcon && <IconCalendar size={15} stroke={1.7} aria-hidden />}
        {text}
      </UnstyledButton>
      {popup && (
        <Popover {...popup} position="bottom-end" width={296} trapFocus returnFocus shadow="md">
          <Popover.Target>{target}</Popover.Target>
          <Popover.Dropdown>
            <Choices value={value} now={now} onChoose={choose} />
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}

function DueTime({ at, unless }: { at: string; unless: string }) {
  return at === unless ? null : <span className={classes.soft}>{at}</span>
}

function Choices({ value, now, onChoose }: { value: number; now: number; onChoose: (at: number) => void }) {
  const { t } = useTranslation()
  const zone = useTimeZone()
  const deadlineText = useDeadlineText()
  const [typed, setTyped] = useState(toLocalInput(zone, value))
  const at = fromLocalInput(zone, typed)
  return (
    <>
      {dueChoices(zone, now, value).map((one) => (
        <UnstyledButton key={one.choice} className={classes.choice} onClick={() => onChoose(one.at)}>
          <span>{t(`tasks.due.${one.choice}`)}</span>
          {/* Leaves out what the name of the option already says. */}
          <DueTime at={deadlineText(one.at, now)} unless={t(`tasks.due.${one.choice}`)} />
        </UnstyledButton>
      ))}
      <form
        className={classes.own}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          if (at !== undefined) onChoose(at)
        }}
      >
        <TextInput
          type="datetime-local"
          aria-label={t('tasks.due.own')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <UnstyledButton type="submit" className={classes.set} disabled={at === undefined}>
          {t('tasks.due.set')}
        </UnstyledButton>
      </form>
    </>
  )
}
