import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { accountOptions } from '../../data/accounts.ts'
import { useColleagueName } from '../../data/colleagues.ts'
import {
  INCOMING,
  isAt,
  type Pipeline,
  pipelinesOptions,
  placeOf,
  type StagePlace,
  stageAt,
} from '../../data/pipelines.ts'
import type { AnyRecord } from '../../data/records.ts'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { useNow } from '../../parts/texts/use-now.ts'
import { dayStart, useTimeZone } from '../../parts/texts/zoned.ts'
import { useRecordPermission } from '../../shell/use-record-permission.ts'
import { useRight } from '../../shell/use-session.ts'
import { type BoardContext, Board as OfBoard } from './board-context.ts'
import { narrowedBy, pipelineOf, stagesOf } from './board-search.ts'
import { Columns } from './columns.tsx'
import { MoveDialogs } from './move-dialogs.tsx'
import { MoveMenu, type OpenMenu } from './move-menu.tsx'
import { useAddLead } from './use-add-lead.ts'
import { useMoveLeads } from './use-move-leads.ts'

interface BoardProps {
  /** The search parameters of the page. */
  search: Record<string, string>
}

/** The leads of a pipeline, with a column per stage. */
export function Board({ search }: BoardProps) {
  const query = useQuery(pipelinesOptions)
  return (
    <Loaded query={query} rows={6} isWide>
      {(pipelines) => {
        const pipeline = pipelineOf(search, pipelines)
        return pipeline && <Stages key={pipeline.id} search={search} pipeline={pipeline} />
      }}
    </Loaded>
  )
}

function Stages({ search, pipeline }: BoardProps & { pipeline: Pipeline }) {
  const stages = stagesOf(search, pipeline)
  const everyStage = pipeline._embedded.statuses
  const [focused, setFocused] = useState<number>()
  const stageName = (place: StagePlace) => stageAt([pipeline], place)?.name ?? ''
  const narrowed = narrowedBy(search)
  const moving = useMoveLeads(narrowed, stageName, setFocused)
  const adding = useAddLead()
  const [menu, setMenu] = useState<OpenMenu>()
  const placeNow = (lead: AnyRecord) => moving.moves.get(lead.id)?.to ?? placeOfLead(lead)
  const moveByKey = (lead: AnyRecord, to: StagePlace) => {
    setFocused(lead.id)
    moving.move(lead, to)
  }
  const onShift = (lead: AnyRecord, by: number) => {
    const at = stages.findIndex((stage) => isAt(placeNow(lead), placeOf(stage)))
    const beyond = by > 0 ? stages.slice(at + 1) : stages.slice(0, Math.max(at, 0)).toReversed()
    const next = beyond.find(({ type }) => type !== INCOMING)
    if (next) moveByKey(lead, placeOf(next))
  }
  const context: BoardContext = {
    ...useBoardDisplay(),
    narrowed,
    pipeline,
    moves: moving.moves,
    menuOf: menu?.lead.id,
    onMenu: useCallback((lead, button) => setMenu({ lead, button }), []),
    onMove: moving.move,
    onAdd: adding.add,
    onShift,
    focused,
    onFocused: useCallback(() => setFocused(undefined), []),
  }
  return (
    <OfBoard value={context}>
      <Columns stages={stages} />
      {menu && (
        <MoveMenu
          {...menu}
          at={placeNow(menu.lead)}
          stages={everyStage}
          onMove={(to) => moveByKey(menu.lead, to)}
          onClose={() => setMenu(undefined)}
        />
      )}
      <MoveDialogs moving={moving} adding={adding} />
      <VisuallyHidden role="status">{moving.announcement}</VisuallyHidden>
    </OfBoard>
  )
}

const placeOfLead = ({ pipeline_id = 0, status_id = 0 }: AnyRecord) => ({ pipeline_id, status_id })

/** The content and actions of cards on every board. */
function useBoardDisplay() {
  const { data: account } = useQuery(accountOptions)
  const isAllowed = useRecordPermission('leads')
  const zone = useTimeZone()
  const now = useNow(60)
  return {
    nameOf: useColleagueName(),
    currency: account?.currency ?? 'USD',
    now,
    tomorrow: dayStart(zone, now, 1),
    canEdit: (lead: AnyRecord) => isAllowed('edit', lead),
    canAdd: useRight('leads', 'add'),
  }
}
