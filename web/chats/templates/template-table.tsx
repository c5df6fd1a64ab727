import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChatTemplate, removeTemplate, sendForReview } from '../../data/templates.ts'
import { Confirm } from '../../parts/dialogs/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Status, type Tone } from '../../parts/layout/status.tsx'
import { DataTable } from '../../parts/lists/data-table.tsx'
import { RowButtons } from '../../parts/lists/row-buttons.tsx'
import classes from './templates.module.css'

interface TemplateTableProps {
  templates: ChatTemplate[]
  onEdit: (template: ChatTemplate) => void
}

export function TemplateTable({ templates, onEdit }: TemplateTableProps) {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState<ChatTemplate>()
  return (
    <>
      <DataTable
        label={t('templates.title')}
        rows={templates}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t('field.name'),
            cell: ({ name }) => <span className={classes.name}>{name}</span>,
          },
          {
            title: t('templates.content'),
            showFrom: 'medium',
            cell: ({ content }) => <span className={classes.content}>{content}</span>,
          },
          {
            title: t('templates.review'),
            narrow: true,
            cell: (template) => <Review template={template} />,
          },
          {
            title: t('templates.actions'),
            actions: true,
            cell: (template) =>
              // A template of an integration can be closed to changes.
              template.is_editable && (
                <RowButtons
                  name={template.name}
                  // A template of WhatsApp cannot be changed after it was sent for review.
                  {...(!template.review_status && { onEdit: () => onEdit(template) })}
                  onRemove={() => setRemoving(template)}
                />
              ),
          },
        ]}
      />
      <RemoveTemplate template={removing} onClose={() => setRemoving(undefined)} />
    </>
  )
}

const tones: Record<NonNullable<ChatTemplate['review_status']>, Tone> = {
  review: 'warn',
  approved: 'good',
  paused: 'off',
  rejected: 'danger',
}

/** The state of the review, which only templates of WhatsApp have. */
function Review({ template }: { template: ChatTemplate }) {
  const { t } = useTranslation()
  const send = useAction(sendForReview, t('templates.sent'))
  const { id, name, type, review_status } = template
  if (type !== 'waba') return null
  if (review_status)
    return <Status tone={tones[review_status]}>{t(`templates.status.${review_status}`)}</Status>
  return (
    <Button
      variant="default"
      size="xs"
      loading={send.pending}
      onClick={() => send.run(id)}
      aria-label={t('templates.send_of', { name })}
    >
      {t('templates.send')}
    </Button>
  )
}

function RemoveTemplate({ template, onClose }: { template: ChatTemplate | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useAction(removeTemplate, t('templates.removed'))
  return (
    <Confirm
      opened={template !== undefined}
      title={t('templates.remove_title', { name: template?.name ?? '' })}
      action={t('templates.remove')}
      pending={remove.pending}
      onConfirm={() => template && remove.run(template.id, onClose)}
      onClose={onClose}
    >
      <p>{t('templates.remove_text')}</p>
    </Confirm>
  )
}
