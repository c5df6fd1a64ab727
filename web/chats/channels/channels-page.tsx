import { Button, Switch } from '@mantine/core'
import { IconMessages, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Channel, channelsOptions } from '../../data/channels.ts'
import { changeNewChats, newChatsOptions } from '../../data/incoming-leads.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { EmptyState } from '../../parts/layout/empty-state.tsx'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Section } from '../../parts/layout/section.tsx'
import type { Column } from '../../parts/lists/data-table.tsx'
import { SearchedTable } from '../../parts/lists/searched-table.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { ChannelState } from './channel-state.tsx'
import classes from './channels.module.css'

/** The channels that this account created. */
export function ChannelsPage() {
  const { t } = useTranslation()
  const query = useQuery(channelsOptions)
  return (
    <Page
      title={t('channels.title')}
      lead={t('channels.lead')}
      actions={(query.data?.length ?? 0) > 0 && <NewButton />}
    >
      <Loaded query={query}>
        {(channels) => (channels.length === 0 ? <NoChannels /> : <Channels channels={channels} />)}
      </Loaded>
      <NewChats />
    </Page>
  )
}

/** Whether the leads of new conversations wait until somebody accepts them. */
function NewChats() {
  const { t } = useTranslation()
  const { data } = useQuery(newChatsOptions)
  const change = useAction(changeNewChats, t('app.saved'))
  if (data === undefined) return null
  return (
    <div className={classes.after}>
      <Section title={t('incoming.chats_title')}>
        <Switch
          checked={data}
          disabled={change.pending}
          onChange={({ currentTarget }) => change.run(currentTarget.checked)}
          label={t('incoming.chats_wait')}
          description={t('incoming.chats_hint')}
        />
      </Section>
    </div>
  )
}

const NewButton = () => {
  const { t } = useTranslation()
  return (
    <Button component={Link} to="/settings/channels/new" leftSection={<IconPlus size={15} />}>
      {t('channels.new')}
    </Button>
  )
}

function Channels({ channels }: { channels: Channel[] }) {
  const { t } = useTranslation()
  return (
    <SearchedTable
      label={t('channels.title')}
      search={t('channels.search')}
      searchFrom={8}
      texts={({ name, callback_url }) => [name, callback_url]}
      columns={useColumns()}
      rows={channels}
      rowKey={({ id }) => id}
    />
  )
}

function useColumns(): Column<Channel>[] {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    {
      title: t('channels.column.name'),
      cell: ({ id, name, callback_url }) => (
        <span className={classes.stack}>
          <Link to="/settings/channels/$channelId" params={{ channelId: id }} data-row-link>
            {name}
          </Link>
          <span className={classes.under}>{hostOf(callback_url)}</span>
        </span>
      ),
    },
    { title: t('channels.column.state'), cell: (channel) => <ChannelState of={channel} /> },
    {
      title: t('channels.column.waiting'),
      showFrom: 'medium',
      cell: ({ health }) => format.number(health.waiting),
    },
    {
      title: t('channels.column.accounts'),
      showFrom: 'wide',
      cell: ({ connections }) => format.number(connections),
    },
    {
      title: t('channels.column.here'),
      showFrom: 'medium',
      cell: ({ is_connected }) => t(is_connected ? 'channels.connected' : 'channels.not_connected'),
    },
  ]
}

/** The URL may contain `:scope_id` anywhere. */
const hostOf = (callback_url: string) => URL.parse(callback_url)?.host ?? callback_url

function NoChannels() {
  const { t } = useTranslation()
  return (
    <EmptyState icon={IconMessages} title={t('channels.empty_title')} action={<NewButton />}>
      {t('channels.empty_text')}
    </EmptyState>
  )
}
