import { Button } from '@mantine/core'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { removeSegment, type Segment, segmentsOptions } from '../data/segments.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Section } from '../parts/layout/section.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { RowButtons } from '../parts/lists/row-buttons.tsx'
import { SegmentLabel } from '../parts/records/segment-label.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { SegmentDialog } from './segment-dialog.tsx'

/** The segments of customers. */
export function Segments() {
  const { t } = useTranslation()
  const query = useQuery(segmentsOptions)
  const [edited, setEdited] = useState<Segment | 'new'>()
  const add = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setEdited('new')}>
      {t('marketing.segment.add')}
    </Button>
  )
  return (
    <Section
      title={t('marketing.segment.title')}
      lead={t('marketing.segment.lead')}
      actions={query.data !== undefined && query.data.length > 0 && add}
    >
      <Loaded query={query} rows={2}>
        {(segments) =>
          segments.length === 0 ? (
            <EmptyState icon={IconUsersGroup} title={t('marketing.segment.empty_title')} action={add}>
              {t('marketing.segment.empty_text')}
            </EmptyState>
          ) : (
            <SegmentTable segments={segments} onEdit={setEdited} />
          )
        }
      </Loaded>
      {edited && (
        <SegmentDialog segment={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Section>
  )
}

interface SegmentTableProps {
  segments: Segment[]
  onEdit: (segment: Segment) => void
}

function SegmentTable({ segments, onEdit }: SegmentTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [removing, setRemoving] = useState<Segment>()
  const columns: Column<Segment>[] = [
    { title: t('field.name'), cell: (segment) => <SegmentLabel segment={segment} /> },
    {
      title: t('marketing.segment.customers'),
      cell: ({ id, customers_count }) => (
        <Link to="/customers" search={{ 'filter[segments]': String(id) }}>
          {format.number(customers_count)}
        </Link>
      ),
    },
    {
      title: t('marketing.segment.members'),
      showFrom: 'medium',
      cell: ({ filter }) => t(filter === null ? 'marketing.segment.by_hand' : 'marketing.segment.by_filter'),
    },
    {
      title: t('marketing.segment.actions'),
      actions: true,
      cell: (segment) => (
        <RowButtons
          name={segment.name}
          onEdit={() => onEdit(segment)}
          onRemove={() => setRemoving(segment)}
        />
      ),
    },
  ]
  return (
    <>
      <DataTable
        label={t('marketing.segment.title')}
        rows={segments}
        rowKey={({ id }) => id}
        columns={columns}
      />
      <RemoveSegment segment={removing} onClose={() => setRemoving(undefined)} />
    </>
  )
}

function RemoveSegment({ segment, onClose }: { segment: Segment | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useAction(removeSegment, t('marketing.segment.removed'))
  return (
    <Confirm
      opened={segment !== undefined}
      title={t('marketing.segment.remove_title', { name: segment?.name ?? '' })}
      action={t('marketing.segment.remove')}
      pending={remove.pending}
      onConfirm={() => segment && remove.run(segment.id, onClose)}
      onClose={onClose}
    >
      {t('marketing.segment.remove_text')}
    </Confirm>
  )
}
