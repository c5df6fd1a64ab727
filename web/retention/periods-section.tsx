import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Forecast,
  forecastOptions,
  type Periods,
  type Retention,
  savePeriods,
} from '../data/retention.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { SaveBar } from '../parts/forms/save-bar.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { Section } from '../parts/layout/section.tsx'
import { choicesOf, FOR_EVER, periodText } from './periods.ts'
import classes from './retention.module.css'
import { useForecastText } from './use-forecast-text.ts'

type Kind = Retention['kinds'][number]

/** The period of each kind, with what the next deletion would delete. */
export function PeriodsSection({ retention }: { retention: Retention }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<Periods>({})
  const [isAsking, setIsAsking] = useState(false)
  const { data: forecasts, isPlaceholderData } = useQuery(forecastOptions(draft, retention.run.ended_at))
  const save = useAction(savePeriods, t('retention.saved'))
  const discard = () => setDraft({})
  const submit = () =>
    save.run(draft, () => {
      discard()
      setIsAsking(false)
    })
  const goes = (forecasts ?? []).filter(({ kind, rows }) => rows > 0 && draft[kind] !== undefined)
  // The forecast of an earlier choice does not apply to this one.
  const isCounted = forecasts !== undefined && !isPlaceholderData
  return (
    <Section title={t('retention.periods')} lead={t('retention.periods_lead')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isCounted && goes.length === 0) submit()
          else setIsAsking(true)
        }}
      >
        <ul className={classes.kinds}>
          {retention.kinds.map((kind) => (
            <KindRow
              key={kind.kind}
              kind={kind}
              days={draft[kind.kind] === undefined ? kind.days : (draft[kind.kind] ?? null)}
              forecast={forecasts?.find((one) => one.kind === kind.kind)}
              isCounting={forecasts === undefined}
              onChange={(days) => setDraft(changed(draft, kind, days))}
            />
          ))}
        </ul>
        <SaveBar shown={Object.keys(draft).length > 0} pending={save.pending} onDiscard={discard} />
      </form>
      <Confirm
        opened={isAsking}
        title={t('retention.save_title')}
        action={t('retention.save_action')}
        pending={save.pending}
        onConfirm={submit}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('retention.save_text')}</p>
        {isCounted ? <ForecastList forecasts={goes} /> : <p role="status">{t('retention.counting')}</p>}
      </Confirm>
    </Section>
  )
}

/** The draft without the periods that are as they were. */
function changed(draft: Periods, { kind, days: before }: Kind, days: number | null): Periods {
  const { [kind]: _, ...others } = draft
  return days === before ? others : { ...others, [kind]: days }
}

interface KindRowProps {
  kind: Kind
  days: number | null
  forecast: Forecast | undefined
  isCounting: boolean
  onChange: (days: number | null) => void
}

function KindRow({
  kind: { kind, least_days, days: before },
  days,
  forecast,
  isCounting,
  onChange,
}: KindRowProps) {
  const { t } = useTranslation()
  const textOf = useForecastText()
  const title = t(`retention.kinds.${kind}.title`)
  const choices = choicesOf(least_days, before).map((choice) => ({
    value: String(choice),
    label: periodText(t, choice),
  }))
  return (
    <li className={classes.kind}>
      <div className={classes.words}>
        <h3>{title}</h3>
        <p>{t(`retention.kinds.${kind}.hint`)}</p>
        {days !== null && (
          <p className={classes.forecast} data-any={(forecast?.rows ?? 0) > 0 || undefined} role="status">
            {forecast ? textOf(forecast) : isCounting ? t('retention.counting') : ''}
          </p>
        )}
      </div>
      <Select
        className={classes.period}
        aria-label={t('retention.period_of', { kind: title })}
        data={[{ value: FOR_EVER, label: t('retention.for_ever') }, ...choices]}
        allowDeselect={false}
        value={days === null ? FOR_EVER : String(days)}
        onChange={(value) => onChange(value === FOR_EVER || value === null ? null : Number(value))}
      />
    </li>
  )
}

/** The data that would be deleted, by kind. */
function ForecastList({ forecasts }: { forecasts: readonly Forecast[] }) {
  const { t } = useTranslation()
  const textOf = useForecastText()
  return (
    <ul className={classes.forecasts}>
      {forecasts.map((forecast) => (
        <li key={forecast.kind}>
          <b>{t(`retention.kinds.${forecast.kind}.title`)}</b> {textOf(forecast)}
        </li>
      ))}
    </ul>
  )
}
