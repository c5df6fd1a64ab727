import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Grant, type Installation, revokeGrant } from '../../data/installations.ts'
import { Confirm } from '../../parts/dialogs/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Section } from '../../parts/layout/section.tsx'
import { Tag } from '../../parts/layout/status.tsx'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { RelativeTime } from '../../parts/texts/relative-time.tsx'
import classes from './access-section.module.css'
import { LongLivedDialog } from './long-lived-dialog.tsx'

/** The authorizations of an integration: token pairs and long-lived tokens. */
export function AccessSection({ installation }: { installation: Installation }) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<Grant>()
  const [issuing, setIssuing] = useState(false)
  const columns = useColumns(setAsked)
  const { integration, is_active, grants } = installation
  const canIssue = is_active && integration.is_own && integration.access === 'private'
  return (
    <Section
      title={t('access.title')}
      lead={t('access.lead')}
      actions={
        canIssue && (
          <Button variant="default" onClick={() => setIssuing(true)}>
            {t('access.issue')}
          </Button>
        )
      }
    >
      {grants.length === 0 ? (
        <p className={classes.none}>{t('access.none')}</p>
      ) : (
        <DataTable label={t('access.title')} columns={columns} rows={grants} rowKey={({ id }) => id} />
      )}
      <RevokeDialog clientId={integration.id} grant={asked} onClose={() => setAsked(undefined)} />
      <LongLivedDialog clientId={integration.id} opened={issuing} onClose={() => setIssuing(false)} />
    </Section>
  )
}

function useColumns(onRevoke: (grant: Grant) => void): Column<Grant>[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    {
      title: t('access.column.who'),
      cell: ({ user, long_lived }) => (
        <span className={classes.who}>
          <span>{user.name}</span>
          <span className={classes.kind}>
            {long_lived === null ? t('access.pair') : t('access.long_lived', { name: long_lived })}
          </span>
        </span>
      ),
    },
    {
      title: t('access.column.scopes'),
      showFrom: 'wide',
      cell: ({ scopes }) => (
        <span className={classes.scopes}>
          {scopes.map((scope) => (
            <Tag key={scope}>{scope}</Tag>
          ))}
        </span>
      ),
    },
    {
      title: t('access.column.since'),
      showFrom: 'medium',
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
    {
      title: t('access.column.until'),
      cell: ({ expires_at }) =>
        expires_at ? <span className={classes.until}>{format.date(expires_at)}</span> : t('access.no_end'),
    },
    {
      title: t('access.revoke'),
      actions: true,
      cell: (grant) => (
        <Button
          variant="subtle"
          color="danger"
          size="xs"
          onClick={() => onRevoke(grant)}
          aria-label={t('access.revoke_of', { name: grant.long_lived ?? grant.user.name })}
        >
          {t('access.revoke')}
        </Button>
      ),
    },
  ]
}

interface RevokeDialogProps {
  clientId: string
  grant: Grant | undefined
  onClose: () => void
}

function RevokeDialog({ clientId, grant, onClose }: RevokeDialogProps) {
  const { t } = useTranslation()
  const revoke = useAction(revokeGrant, t('access.revoked'))
  return (
    <Confirm
      opened={grant !== undefined}
      title={t('access.revoke_title')}
      action={t('access.revoke')}
      pending={revoke.pending}
      onConfirm={() => grant && revoke.run({ client_id: clientId, grant_id: grant.id }, onClose)}
      onClose={onClose}
    >
      <p>{t('access.revoke_text')}</p>
    </Confirm>
  )
}
