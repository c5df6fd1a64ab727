import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { addPipeline, patchPipeline, settlePipelines } from '../data/pipeline-changes.ts'
import { type Pipeline, pipelinesOptions } from '../data/pipelines.ts'
import { AddByName } from '../parts/forms/add-by-name.tsx'
import { useChange } from '../parts/forms/use-change.ts'
import { oneByOne, useOrder } from '../parts/forms/use-order.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { Section } from '../parts/layout/section.tsx'
import { Tag } from '../parts/layout/status.tsx'
import { SortableList } from '../parts/lists/sortable-list.tsx'
import { CustomerStages } from './customer-stages.tsx'
import { LossReasons } from './loss-reasons.tsx'
import classes from './pipelines.module.css'

/** The pipelines, loss reasons and customer stages. */
export function PipelinesPage() {
  const { t } = useTranslation()
  const query = useQuery(pipelinesOptions)
  return (
    <Page title={t('pipelines.title')} lead={t('pipelines.lead')}>
      <Section title={t('pipelines.leads')}>
        <Loaded query={query} rows={3}>
          {(pipelines) => <Pipelines pipelines={pipelines} />}
        </Loaded>
      </Section>
      <LossReasons />
      <CustomerStages />
    </Page>
  )
}

function Pipelines({ pipelines }: { pipelines: Pipeline[] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const add = useChange(addPipeline)
  const patch = useChange(patchPipeline)
  const { ordered, move } = useOrder(pipelines, oneByOne(patch), settlePipelines)
  const onAdd = async (name: string) => {
    const sort = Math.max(0, ...pipelines.map((one) => one.sort)) + 10
    const id = await add({ name, sort, is_main: false, is_unsorted_on: true })
    const params = { pipelineId: String(id) }
    // The typed name is saved.
    await navigate({ to: '/settings/pipelines/$pipelineId', params, ignoreBlocker: true })
  }
  return (
    <>
      <SortableList label={t('pipelines.title')} items={ordered} onMove={move}>
        {(pipeline) => <PipelineRow pipeline={pipeline} />}
      </SortableList>
      <AddByName label={t('pipelines.name')} action={t('pipelines.add')} onAdd={onAdd} />
    </>
  )
}

function PipelineRow({ pipeline }: { pipeline: Pipeline }) {
  const { t } = useTranslation()
  const { statuses } = pipeline._embedded
  return (
    <div className={classes.words}>
      <Link
        to="/settings/pipelines/$pipelineId"
        params={{ pipelineId: String(pipeline.id) }}
        className={`${classes.name} ${classes.whole}`}
        title={pipeline.name}
        draggable={false}
      >
        {pipeline.name}
      </Link>
      {pipeline.is_main && <Tag>{t('pipelines.main')}</Tag>}
      {pipeline.is_archive && <Tag>{t('pipelines.archived')}</Tag>}
      <span className={classes.dots} aria-hidden>
        {statuses.slice(0, 16).map(({ id, color }) => (
          <span key={id} className={classes.dot} style={{ '--pb-stage': color } as CSSProperties} />
        ))}
      </span>
      <span className={classes.note}>{t('pipelines.stages', { count: statuses.length })}</span>
    </div>
  )
}
