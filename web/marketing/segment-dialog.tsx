import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type SegmentColor, segmentColors } from '../../src/entities/segments/segment-types.ts'
import { type Segment, type SegmentDraft, saveSegment } from '../data/segments.ts'
import { viewsOptions } from '../data/views.ts'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../parts/dialogs/dialog-buttons.tsx'
import { DialogFields } from '../parts/dialogs/dialog-fields.tsx'
import { savedOf } from '../parts/forms/rebased.ts'
import { useClearable } from '../parts/forms/use-clearable.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { Palette } from '../parts/palette.tsx'

const trimmed = ({ name, ...rest }: SegmentDraft): SegmentDraft => ({ ...rest, name: name.trim() })

interface SegmentDialogProps {
  /** undefined for a new segment. */
  segment: Segment | undefined
  onClose: () => void
}

export function SegmentDialog({ segment, onClose }: SegmentDialogProps) {
  const { t } = useTranslation()
  const clearable = useClearable()
  const form = useForm({
    initialValues: {
      name: segment?.name ?? '',
      color: (segment?.color ?? segmentColors[0]) as SegmentColor,
      filter: segment?.filter ?? null,
    },
    validate: { name: (value) => (value.trim() ? null : t('faults.NotBlank')) },
  })
  const { submit, pending, error } = useSubmit(form, saveSegment, { done: t('app.saved'), onDone: onClose })
  return (
    <Dialog onClose={onClose} title={t(segment ? 'marketing.segment.edit' : 'marketing.segment.add')}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) =>
          submit(savedOf(segment?.id, trimmed(values), trimmed(form.getInitialValues()))),
        )}
      >
        <DialogFields pending={pending}>
          <ProblemCallout error={error} />
          <TextInput
            label={t('field.name')}
            maxLength={255}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Palette
            colors={segmentColors}
            cssColor={(color) => `#${color}`}
            value={form.values.color}
            onChange={(color) => form.setFieldValue('color', color)}
          />
          <Select
            label={t('marketing.segment.members')}
            description={t('marketing.segment.members_hint')}
            placeholder={t('marketing.segment.by_hand')}
            {...clearable(t('marketing.segment.members'))}
            nothingFoundMessage={t('marketing.segment.no_views')}
            data={useFilterChoices(segment)}
            {...form.getInputProps('filter')}
          />
        </DialogFields>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

/** The saved views of customers, and the present filter if it is none of them. */
function useFilterChoices(segment: Segment | undefined): { value: string; label: string }[] {
  const { t } = useTranslation()
  const { data: views = [] } = useQuery(viewsOptions)
  const choices = new Map(
    views
      .filter(({ page }) => page === 'customers')
      .map(({ search, name }) => [search.replace(/^\?/, ''), name]),
  )
  choices.delete('')
  if (segment?.filter && !choices.has(segment.filter))
    choices.set(segment.filter, t('marketing.segment.own_filter'))
  return [...choices].map(([value, label]) => ({ value, label }))
}
