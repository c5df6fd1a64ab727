import { SegmentedControl, Select, VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconLayoutKanban, IconList } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { pipelinesOptions } from '../data/pipelines.ts'
import { isOf, type Search, without } from '../parts/filters/filter.ts'
import { Board } from './board/board.tsx'
import { pipelineOf } from './board/board-search.ts'
import classes from './list.module.css'
import { ListPage } from './list-page.tsx'
import { useSetSearch } from './list-search.ts'

const route = getRouteApi('/shell/leads')

const PIPELINE = 'filter[pipeline_id]'

const shapes = ['board', 'list'] as const
type Shape = (typeof shapes)[number]

/** The leads as a board of one pipeline or as a list. */
export function LeadsPage() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const [kept, keep] = useLocalStorage<Shape>({
    key: 'patchbay-leads-shape',
    defaultValue: 'board',
    getInitialValueInEffect: false,
  })
  const shape = shapes.find((one) => one === search.shape) ?? kept
  const within = useBoardPipeline(search)
  return (
    <ListPage
      collection="leads"
      title={t('nav.leads')}
      icon={IconLayoutKanban}
      page="leads"
      search={search}
      beforeFilters={<PipelineSwitch search={search} shape={shape} />}
      actions={<ShapeSwitch search={search} shape={shape} onShape={keep} />}
      within={shape === 'board' ? within : undefined}
      instead={
        shape === 'board' && (
          <div className={classes.board}>
            <Board search={search} />
          </div>
        )
      }
    />
  )
}

/** A board always needs a pipeline, even if the address has none. */
function useBoardPipeline(search: Search): Record<string, string> | null {
  const { data: pipelines } = useQuery(pipelinesOptions)
  const pipeline = pipelines && pipelineOf(search, pipelines)
  return pipeline ? { [PIPELINE]: String(pipeline.id) } : null
}

interface SwitchProps {
  search: Search
  shape: Shape
}

function ShapeSwitch({ search, shape, onShape }: SwitchProps & { onShape: (shape: Shape) => void }) {
  const { t } = useTranslation()
  const set = useSetSearch(search)
  const marks = { board: IconLayoutKanban, list: IconList }
  const choose = (next: Shape) => {
    onShape(next)
    set({ shape: next })
  }
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('list.shape.label')}
      value={shape}
      onChange={choose}
      data={shapes.map((value) => {
        const Mark = marks[value]
        return {
          value,
          label: (
            <span className={classes.shape} title={t(`list.shape.${value}`)}>
              <Mark size={15} stroke={1.7} aria-hidden />
              <VisuallyHidden>{t(`list.shape.${value}`)}</VisuallyHidden>
            </span>
          ),
        }
      })}
    />
  )
}

const ALL = 'all'

/** Selects a pipeline if there are several. A list can show all of them. */
function PipelineSwitch({ search, shape }: SwitchProps) {
  const { t } = useTranslation()
  const set = useSetSearch(search)
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const offered = pipelines.filter(({ is_archive }) => !is_archive)
  if (offered.length < 2) return null
  const named = Object.keys(search).some(isOf(PIPELINE))
  const chosen = shape === 'board' || named ? pipelineOf(search, pipelines)?.id : undefined
  const every = { value: ALL, label: t('list.every_pipeline') }
  const change = (id: string | null) =>
    set({
      ...without(search, isOf(PIPELINE)),
      // Stage filters of another pipeline would match nothing.
      ...without(search, isOf('filter[statuses]')),
      [PIPELINE]: id === ALL || id === null ? undefined : id,
    })
  return (
    <Select
      size="xs"
      className={classes.pipeline}
      aria-label={t('list.pipeline')}
      value={chosen === undefined ? ALL : String(chosen)}
      onChange={change}
      data={[
        ...(shape === 'list' ? [every] : []),
        ...offered.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}
