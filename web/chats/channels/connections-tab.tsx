import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Channel,
  type Connection,
  connectAccount,
  connectionsOptions,
  disconnectAccount,
} from '../../data/channels.ts'
import { Confirm } from '../../parts/dialogs/confirm.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { type Column, DataTable } from '../../parts/lists/data-table.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { useChannel } from './channel-page.tsx'
import classes from './channels.module.css'

/** The accounts that are connected to the channel. */
export function ConnectionsTab() {
  const { t } = useTranslation()
  const channel = useChannel()
  const query = useQuery(connectionsOptions(channel.id))
  const columns = useColumns()
  return (
    <>
      <ThisAccount channel={channel} />
      <Section title={t('connections.title')} lead={t('connections.lead')}>
        <Loaded query={query} rows={2}>
          {(connections) =>
            connections.length === 0 ? (
              <p className={classes.quiet}>{t('connections.none')}</p>
            ) : (
              <DataTable
                label={t('connections.title')}
                columns={columns}
                rows={connections}
                rowKey={({ account_id }) => account_id}
              />
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

function ThisAccount({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const [isAsking, setIsAsking] = useState(false)
  const connect = useAction(connectAccount, t('connections.connected_done'))
  const disconnect = useAction(disconnectAccount, t('connections.disconnected_done'))
  const { id, is_connected } = channel
  return (
    <Section
      title={t('connections.this')}
      lead={t(is_connected ? 'connections.this_is' : 'connections.this_lead')}
      actions={
        is_connected ? (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {t('connections.disconnect')}
          </Button>
        ) : (
          <Button loading={connect.pending} onClick={() => connect.run(id)}>
            {t('connections.connect')}
          </Button>
        )
      }
    >
      <Confirm
        opened={isAsking}
        title={t('connections.disconnect_title', { name: channel.name })}
        action={t('connections.disconnect')}
        pending={disconnect.pending}
        onConfirm={() => disconnect.run(id, () => setIsAsking(false))}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('connections.disconnect_text')}</p>
      </Confirm>
    </Section>
  )
}

function useColumns(): Column<Connection>[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    {
      title: t('connections.column.account'),
      cell: ({ account_name, subdomain, title }) => (
        <span className={classes.stack}>
          <span>{account_name}</span>
          <span className={classes.under}>{title ?? subdomain}</span>
        </span>
      ),
    },
    {
      title: t('connections.column.scope'),
      cell: ({ scope_id }) => <code className={classes.scope}>{scope_id}</code>,
    },
    {
      title: t('connections.column.hooks'),
      showFrom: 'wide',
      cell: ({ hook_api_version }) => hook_api_version,
    },
    {
      title: t('connections.column.since'),
      showFrom: 'medium',
      cell: ({ connected_at }) => format.dateTime(connected_at),
    },
  ]
}
