import { SegmentedControl } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Collection, ReadRecord } from '../data/records.ts'
import { useFocusNear } from '../parts/dialogs/use-opener-focus.ts'
import { usePageTitle } from '../parts/layout/page.tsx'
import { TaskDialogs } from '../tasks/task-dialogs.tsx'
import { Timeline } from '../timeline/timeline.tsx'
import { CardState, useCard } from './card-context.tsx'
import { CardHead } from './card-head.tsx'
import classes from './card-page.module.css'
import { FieldsPanel } from './fields-panel.tsx'

interface OpenCardProps {
  collection: Collection
  id: number
  /** The record without pending changes. */
  read: ReadRecord
  isTrashed?: boolean
}

/** Shows and edits a record. */
export function OpenCard({ isTrashed = false, ...of }: OpenCardProps) {
  return (
    <CardState isTrashed={isTrashed} {...of}>
      <TaskDialogs>
        <Panels />
      </TaskDialogs>
    </CardState>
  )
}

function Panels() {
  const { t } = useTranslation()
  const { collection, id, record, canEdit, isTrashed } = useCard()
  const [panel, setPanel] = useState<Panel>('fields')
  const card = useRef<HTMLElement>(null)
  useFocusNear(card)
  usePageTitle(record.name || `#${id}`)
  return (
    <article ref={card} className={classes.card} data-part={panel}>
      <CardHead />
      <PanelSwitch value={panel} onChange={setPanel} />
      <div className={classes.body}>
        <section className={classes.fields} aria-label={t('card.fields')}>
          <FieldsPanel />
        </section>
        <section className={classes.timeline} aria-label={t('card.timeline')}>
          <Timeline collection={collection} id={id} canEdit={canEdit} isTrashed={isTrashed} />
        </section>
      </div>
    </article>
  )
}

const panels = ['fields', 'timeline'] as const
type Panel = (typeof panels)[number]

/** Narrow screens show one panel of a card at a time. */
function PanelSwitch({ value, onChange }: { value: Panel; onChange: (panel: Panel) => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.switch}>
      <SegmentedControl
        fullWidth
        aria-label={t('card.parts')}
        value={value}
        onChange={(panel) => onChange(panel as Panel)}
        data={panels.map((panel) => ({ value: panel, label: t(`card.${panel}`) }))}
      />
    </div>
  )
}
