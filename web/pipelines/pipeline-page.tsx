import { Button, Menu, Switch } from '@mantine/core'
import { IconArchive, IconArchiveOff, IconDots, IconStar, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { patchPipeline, removePipeline } from '../data/pipeline-changes.ts'
import { type Pipeline, pipelinesOptions } from '../data/pipelines.ts'
import { totalsOptions } from '../data/totals.ts'
import { NameDialog } from '../parts/dialogs/name-dialog.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useChange } from '../parts/forms/use-change.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { Section } from '../parts/layout/section.tsx'
import { Tag } from '../parts/layout/status.tsx'
import { RemoveUnused } from './in-use.tsx'
import classes from './pipelines.module.css'
import { Stages } from './stages.tsx'

const back = { to: '/settings/pipelines' } as const

/** Renders what a slice above this one shows below the stages. */
type Below = (pipeline: Pipeline) => ReactNode

/** A pipeline: its name, stages and actions. */
export function PipelinePage({ below }: { below?: Below }) {
  const { t } = useTranslation()
  const { pipelineId } = useParams({ strict: false })
  const query = useQuery(pipelinesOptions)
  const pipeline = query.data?.find(({ id }) => id === Number(pipelineId))
  const backTo = { ...back, label: t('pipelines.title') }
  if (pipeline) return <OnePipeline pipeline={pipeline} back={backTo} below={below} />
  return (
    <Page title={t('pipelines.title')} back={backTo}>
      <Loaded query={query}>
        {() => <ProblemCallout error={new Problem(404, { type: '#not_found' })} />}
      </Loaded>
    </Page>
  )
}

interface OnePipelineProps {
  pipeline: Pipeline
  back: typeof back & { label: string }
  below: Below | undefined
}

function OnePipeline({ pipeline, back, below }: OnePipelineProps) {
  const { t } = useTranslation()
  const patch = useAction(patchPipeline, t('app.saved'))
  const { id, is_unsorted_on, is_archive } = pipeline
  return (
    <Page
      title={pipeline.name}
      lead={pipeline.is_main && <Tag>{t('pipelines.main')}</Tag>}
      back={back}
      actions={<PipelineMenu pipeline={pipeline} />}
    >
      {is_archive && (
        <div className={classes.lead}>
          <Callout
            tone="info"
            title={t('pipelines.archived_title')}
            actions={
              <Button variant="default" onClick={() => patch.run({ id, is_archive: false })}>
                {t('pipelines.unarchive')}
              </Button>
            }
          >
            {t('pipelines.archived_text')}
          </Callout>
        </div>
      )}
      <Section title={t('stages.title')} lead={t('stages.lead')}>
        <Stages pipeline={pipeline} />
      </Section>
      {below?.(pipeline)}
      <Section title={t('stages.incoming')}>
        <Switch
          checked={is_unsorted_on}
          disabled={patch.pending}
          onChange={({ currentTarget }) => patch.run({ id, is_unsorted_on: currentTarget.checked })}
          label={t('stages.incoming_on')}
          description={t('stages.incoming_hint')}
        />
      </Section>
    </Page>
  )
}

type Doing = 'rename' | 'remove'

function PipelineMenu({ pipeline }: { pipeline: Pipeline }) {
  const { t } = useTranslation()
  const [doing, setDoing] = useState<Doing>()
  const patch = useAction(patchPipeline, t('app.saved'))
  const rename = useChange(patchPipeline)
  const { id, name, is_main, is_archive } = pipeline
  const stop = () => setDoing(undefined)
  return (
    <>
      <Button variant="default" onClick={() => setDoing('rename')}>
        {t('pipelines.rename')}
      </Button>
      {!is_main && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" px={8} aria-label={t('pipelines.more')}>
              <IconDots size={16} />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {!is_archive && (
              <Menu.Item
                leftSection={<IconStar size={15} />}
                onClick={() => patch.run({ id, is_main: true })}
              >
                {t('pipelines.make_main')}
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={is_archive ? <IconArchiveOff size={15} /> : <IconArchive size={15} />}
              onClick={() => patch.run({ id, is_archive: !is_archive })}
            >
              {is_archive ? t('pipelines.unarchive') : t('pipelines.archive')}
            </Menu.Item>
            <Menu.Item
              color="danger"
              leftSection={<IconTrash size={15} />}
              onClick={() => setDoing('remove')}
            >
              {t('pipelines.delete')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {doing === 'rename' && (
        <NameDialog
          title={t('pipelines.rename')}
          name={name}
          onSave={(to) => rename({ id, name: to })}
          onClose={stop}
        />
      )}
      {doing === 'remove' && <RemovePipeline pipeline={pipeline} onClose={stop} />}
    </>
  )
}

function RemovePipeline({ pipeline: { id, name }, onClose }: { pipeline: Pipeline; onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const remove = useAction(removePipeline, t('pipelines.removed'))
  const search = { 'filter[pipeline_id]': String(id) }
  return (
    <RemoveUnused
      title={t('pipelines.remove_title', { name })}
      totals={totalsOptions('leads', search)}
      inUse={(count) => t('pipelines.in_use', { count })}
      records={{ to: '/leads', search: { ...search, shape: 'list' } }}
      pending={remove.pending}
      onRemove={() => remove.run(id, () => navigate({ ...back, ignoreBlocker: true }))}
      onClose={onClose}
    >
      <p>{t('pipelines.remove_text')}</p>
    </RemoveUnused>
  )
}
