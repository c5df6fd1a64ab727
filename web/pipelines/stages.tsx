import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRequired } from '../custom-fields/required.ts'
import { type CustomField, fieldsOptions } from '../data/fields.ts'
import { addStage, patchStage, removeStage, settlePipelines, stageOptions } from '../data/pipeline-changes.ts'
import { type Pipeline, placeOf, type Stage } from '../data/pipelines.ts'
import { totalsOptions } from '../data/totals.ts'
import { AddByName } from '../parts/forms/add-by-name.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useChange } from '../parts/forms/use-change.ts'
import { oneByOne, useOrder } from '../parts/forms/use-order.ts'
import { RowButtons } from '../parts/lists/row-buttons.tsx'
import { SortableList } from '../parts/lists/sortable-list.tsx'
import { StageLabel } from '../parts/records/stage-label.tsx'
import { RemoveUnused } from './in-use.tsx'
import classes from './pipelines.module.css'
import { StageDialog } from './stage-dialog.tsx'

/** The stages of a pipeline. System stages come before and after the others. */
export function Stages({ pipeline }: { pipeline: Pipeline }) {
  const { t } = useTranslation()
  const { id: pipeline_id } = pipeline
  const stages = pipeline._embedded.statuses
  const own = stages.filter(({ is_editable }) => is_editable)
  const first = stages.findIndex(({ is_editable }) => is_editable)
  const patch = useChange(patchStage)
  const add = useChange(addStage)
  const { ordered, move } = useOrder(
    own,
    oneByOne((one: { id: number; sort: number }) => patch({ pipeline_id, ...one })),
    settlePipelines,
    stages[first - 1]?.sort,
  )
  const [editing, edit] = useState<Stage>()
  const [removing, askRemove] = useState<Stage>()
  const fixed = (some: Stage[], className: string) =>
    some.length > 0 && (
      <ul className={`${classes.fixed} ${className}`} aria-label={t('stages.fixed')}>
        {some.map((stage) => (
          <li key={stage.id}>
            <StageRow stage={stage} onEdit={() => edit(stage)} />
          </li>
        ))}
      </ul>
    )
  return (
    <>
      {fixed(stages.slice(0, first), classes.before ?? '')}
      <SortableList label={t('stages.title')} items={ordered} onMove={move}>
        {(stage) => (
          <StageRow
            stage={stage}
            onEdit={() => edit(stage)}
            onRemove={own.length > 1 ? () => askRemove(stage) : undefined}
          />
        )}
      </SortableList>
      {fixed(
        stages.slice(first).filter(({ is_editable }) => !is_editable),
        '',
      )}
      <AddByName
        label={t('stages.name')}
        action={t('stages.add')}
        onAdd={(name) => add({ pipeline_id, name })}
      />
      {editing && <EditStage stage={editing} onClose={() => edit(undefined)} />}
      {removing && <RemoveStage stage={removing} onClose={() => askRemove(undefined)} />}
    </>
  )
}

interface StageRowProps {
  stage: Stage
  onEdit: () => void
  onRemove?: (() => void) | undefined
}

function StageRow({ stage, onEdit, onRemove }: StageRowProps) {
  const { t } = useTranslation()
  const required = useRequired(stage)
  const names = required.map(({ name }) => name).join(', ')
  return (
    <>
      <div className={classes.words}>
        <span className={classes.stage} title={stage.name}>
          <StageLabel name={stage.name} color={stage.color} />
        </span>
        {required.length > 0 && (
          <span className={classes.note} title={names}>
            {t('stages.requires', { fields: names })}
          </span>
        )}
      </div>
      <RowButtons name={stage.name} onEdit={onEdit} onRemove={onRemove} />
    </>
  )
}

/** Returns the fields that a stage requires. */
function useRequired(stage: Stage): CustomField[] {
  const { data: fields = [] } = useQuery(fieldsOptions('leads'))
  return fields.filter((field) => isRequired(field, placeOf(stage)))
}

function EditStage({ stage, onClose }: { stage: Stage; onClose: () => void }) {
  const { t } = useTranslation()
  const { pipeline_id, id, is_editable } = stage
  const { data: whole } = useQuery(stageOptions(pipeline_id, id))
  const required = useRequired(stage)
  const patch = useChange(patchStage)
  if (!whole) return null
  return (
    <StageDialog
      stage={whole}
      hasColor={is_editable}
      hasDescriptions
      onSave={(changes) => patch({ pipeline_id, id, ...changes })}
      onClose={onClose}
    >
      <p className={classes.required}>
        {required.length > 0
          ? t('stages.requires_long', { fields: required.map(({ name }) => name).join(', ') })
          : t('stages.requires_none')}
      </p>
    </StageDialog>
  )
}

function RemoveStage({ stage: { pipeline_id, id, name }, onClose }: { stage: Stage; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useAction(removeStage, t('stages.removed'))
  const search = {
    'filter[statuses][0][pipeline_id]': String(pipeline_id),
    'filter[statuses][0][status_id]': String(id),
  }
  return (
    <RemoveUnused
      title={t('stages.remove_title', { name })}
      totals={totalsOptions('leads', search)}
      inUse={(count) => t('stages.in_use', { count })}
      records={{ to: '/leads', search: { ...search, shape: 'list' } }}
      pending={remove.pending}
      onRemove={() => remove.run({ pipeline_id, id }, onClose)}
      onClose={onClose}
    >
      <p>{t('stages.remove_text')}</p>
    </RemoveUnused>
  )
}
