import { MultiSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditorBox } from '../custom-fields/editor-box.tsx'
import { type Segment, segmentsOptions } from '../data/segments.ts'
import { SegmentLabel } from '../parts/records/segment-label.tsx'
import { useCard } from './card-context.tsx'
import classes from './card-field.module.css'
import { CardField } from './card-field.tsx'

/** The segments of a customer. Not shown in an account without segments. */
export function CustomerSegments() {
  const { t } = useTranslation()
  const { record } = useCard()
  const { data: segments = [] } = useQuery(segmentsOptions)
  if (segments.length === 0) return null
  const chosen = new Set(idsIn(record._embedded))
  return (
    <CardField
      member="segments"
      label={t('card.segments')}
      isEmpty={chosen.size === 0}
      editor={({ seen, save, cancel }) => (
        <SegmentsEditor
          segments={segments}
          before={idsIn(seen._embedded)}
          onSave={(ids) => save({ _embedded: { segments: ids.map((id) => ({ id })) } })}
          onCancel={cancel}
        />
      )}
    >
      <span className={classes.tags}>
        {segments
          .filter(({ id }) => chosen.has(id))
          .map((segment) => (
            <span key={segment.id} className={classes.chip}>
              <SegmentLabel segment={segment} />
            </span>
          ))}
      </span>
    </CardField>
  )
}

const idsIn = (embedded: unknown): number[] =>
  ((embedded as { segments?: { id: number }[] } | undefined)?.segments ?? []).map(({ id }) => id)

interface SegmentsEditorProps {
  segments: Segment[]
  before: number[]
  onSave: (ids: number[]) => void
  onCancel: () => void
}

function SegmentsEditor({ segments, before, onSave, onCancel }: SegmentsEditorProps) {
  const { t } = useTranslation()
  const [ids, setIds] = useState(before.map(String))
  const isSame = ids.length === before.length && before.every((id) => ids.includes(String(id)))
  return (
    <EditorBox
      onSave={() => (isSame ? onCancel() : onSave(ids.map(Number)))}
      onCancel={onCancel}
      isChanged={!isSame}
      hint={t('card.segments_hint')}
    >
      <MultiSelect
        aria-label={t('card.segments')}
        searchable
        nothingFoundMessage={t('app.nothing')}
        data={segments.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={ids}
        onChange={setIds}
      />
    </EditorBox>
  )
}
