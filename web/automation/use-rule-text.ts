import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Action, ActionType, Automation } from '../data/automation.ts'
import { pipelineAt, pipelinesOptions, stageAt } from '../data/pipelines.ts'
import { callableWidgetsOptions } from '../data/widgets.ts'
import { usePersonText } from '../parts/people/use-person-text.ts'
import { useFormat } from '../parts/texts/format.ts'
import { useLocale } from '../parts/texts/region.ts'
import { durationOf } from './durations.ts'
import type { Entry } from './rule-form.ts'

/** Returns what a rule does, in a few words; undefined if the type says everything. */
export function useActionText(): (action: Action, pipeline_id: number) => string | undefined {
  const { t } = useTranslation()
  const format = useFormat()
  const personText = usePersonText()
  const { data: pipelines } = useQuery(pipelinesOptions)
  const { data: widgets } = useQuery(callableWidgetsOptions)
  const personOf = ({ responsible_user_id: id }: Action) => (id === undefined ? undefined : personText(id))
  const texts: Record<ActionType, (action: Action, pipeline_id: number) => string | undefined> = {
    call_url: ({ url }) => url,
    call_widget: ({ code }) => widgets?.find((widget) => widget.code === code)?.name ?? code,
    create_task: (action) => [action.text, personOf(action)].filter(Boolean).join(' · '),
    change_responsible: personOf,
    change_tags: ({ tags_to_add = [], tags_to_delete = [] }) =>
      [
        tags_to_add.length > 0 && t('automation.tags_added', { tags: format.list(tags_to_add) }),
        tags_to_delete.length > 0 && t('automation.tags_deleted', { tags: format.list(tags_to_delete) }),
      ]
        .filter(Boolean)
        .join(' · '),
    change_stage: ({ pipeline_id, status_id = 0 }, own) => {
      const place = { pipeline_id: pipeline_id ?? own, status_id }
      const stage = stageAt(pipelines, place)
      return place.pipeline_id === own || !stage
        ? stage?.name
        : `${pipelineAt(pipelines, place)?.name} · ${stage.name}`
    },
    send_message: ({ text }) => text,
  }
  return (action, pipeline_id) => texts[action.type](action, pipeline_id)
}

/** Returns when a rule acts: `Moved or created · in 2 hours`. */
export function useMomentText(): (rule: Pick<Automation, 'entry' | 'delay'>) => string {
  const { t } = useTranslation()
  const locale = useLocale()
  return ({ entry, delay }) => {
    const arrival = t(`automation.arrival.${entry as Entry}`)
    if (delay === 0) return arrival
    const { count, unit } = durationOf(delay)
    const later = new Intl.RelativeTimeFormat(locale, { numeric: 'always' }).format(count, unit)
    return `${arrival} · ${later}`
  }
}
