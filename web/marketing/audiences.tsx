import { Button } from '@mantine/core'
import { IconPlus, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Audience, audiencesOptions, removeAudience } from '../data/marketing.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Section } from '../parts/layout/section.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { RowButtons } from '../parts/lists/row-buttons.tsx'
import { PersonName } from '../parts/people/person-name.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { ApiCall } from './api-call.tsx'
import { AudienceDialog } from './audience-dialog.tsx'
import classes from './marketing.module.css'

export function Audiences() {
  const { t } = useTranslation()
  const query = useQuery(audiencesOptions)
  const [edited, setEdited] = useState<Audience | 'new'>()
  const add = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setEdited('new')}>
      {t('marketing.audience.add')}
    </Button>
  )
  return (
    <Section
      title={t('marketing.audience.title')}
      lead={t('marketing.audience.lead')}
      actions={query.data !== undefined && query.data.length > 0 && add}
    >
      <Loaded query={query} rows={2}>
        {(audiences) =>
          audiences.length === 0 ? (
            <EmptyState icon={IconUsersGroup} title={t('marketing.audience.empty_title')} action={add}>
              {t('marketing.audience.empty_text')}
            </EmptyState>
          ) : (
            <AudienceTable audiences={audiences} onEdit={setEdited} />
          )
        }
      </Loaded>
      <ApiCall method="POST" path="/contacts/{id}/audiences" body={{ audience_id: query.data?.[0]?.id ?? 1 }}>
        {t('marketing.audience.api')}
      </ApiCall>
      {edited && (
        <AudienceDialog
          audience={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  )
}

interface AudienceTableProps {
  audiences: Audience[]
  onEdit: (audience: Audience) => void
}

function AudienceTable({ audiences, onEdit }: AudienceTableProps) {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState<Audience>()
  const columns = useColumns({ onEdit, onRemove: setRemoving })
  return (
    <>
      <DataTable
        label={t('marketing.audience.title')}
        rows={audiences}
        rowKey={({ id }) => id}
        columns={columns}
      />
      <RemoveAudience audience={removing} onClose={() => setRemoving(undefined)} />
    </>
  )
}

interface RowActions {
  onEdit: (audience: Audience) => void
  onRemove: (audience: Audience) => void
}

function useColumns({ onEdit, onRemove }: RowActions): Column<Audience>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('field.name'),
      cell: (audience) => <AudienceName audience={audience} onEdit={onEdit} />,
    },
    {
      title: t('marketing.audience.service'),
      cell: ({ service }) => (
        <span className={classes.service} title={service}>
          {service}
        </span>
      ),
    },
    { title: 'ID', showFrom: 'medium', cell: ({ id }) => <code className={classes.id}>{id}</code> },
    {
      title: t('marketing.audience.made'),
      showFrom: 'wide',
      cell: (audience) => <Creation {...audience} />,
    },
    {
      title: t('marketing.audience.actions'),
      actions: true,
      cell: (audience) => (
        <RowButtons
          name={audience.name}
          onEdit={() => onEdit(audience)}
          onRemove={() => onRemove(audience)}
        />
      ),
    },
  ]
}

function AudienceName({ audience, onEdit }: { audience: Audience } & Pick<RowActions, 'onEdit'>) {
  return (
    <button
      type="button"
      className={classes.name}
      title={audience.name}
      onClick={() => onEdit(audience)}
      data-row-link
    >
      {audience.name}
    </button>
  )
}

function Creation({ created_at, created_by }: Pick<Audience, 'created_at' | 'created_by'>) {
  const format = useFormat()
  return (
    <span className={classes.made}>
      <PersonName id={created_by} />
      <span>{format.date(created_at)}</span>
    </span>
  )
}

function RemoveAudience({ audience, onClose }: { audience: Audience | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useAction(removeAudience, t('marketing.audience.removed'))
  return (
    <Confirm
      opened={audience !== undefined}
      title={t('marketing.audience.remove_title', { name: audience?.name ?? '' })}
      action={t('marketing.audience.remove')}
      pending={remove.pending}
      onConfirm={() => audience && remove.run(audience.id, onClose)}
      onClose={onClose}
    >
      <ul>
        <li>{t('marketing.audience.remove_members')}</li>
        <li>{t('marketing.audience.remove_history')}</li>
        <li>{t('marketing.audience.remove_service', { service: audience?.service ?? '' })}</li>
      </ul>
    </Confirm>
  )
}
