import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Channel, channelOptions } from '../../data/channels.ts'
import { LoadedPage } from '../../parts/layout/loaded-page.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import { ChannelState } from './channel-state.tsx'
import classes from './channels.module.css'

const route = getRouteApi('/shell/settings/channels/$channelId')

/** A channel in the account that created it. */
export function ChannelPage() {
  const { t } = useTranslation()
  const { channelId } = route.useParams()
  const query = useQuery(channelOptions(channelId))
  const back = { to: '/settings/channels', label: t('channels.title') } as const
  return (
    <LoadedPage title={t('channels.one')} back={back} query={query}>
      {(channel) => <Window key={channelId} channel={channel} back={back} />}
    </LoadedPage>
  )
}

interface WindowProps {
  channel: Channel
  back: { to: '/settings/channels'; label: string }
}

function Window({ channel, back }: WindowProps) {
  const { t } = useTranslation()
  const params = { channelId: channel.id }
  const at = '/settings/channels/$channelId'
  return (
    <Page
      title={channel.name}
      back={back}
      lead={
        <span className={classes.lead}>
          <ChannelState of={channel} />
          <span>{t(channel.is_connected ? 'channels.connected_here' : 'channels.not_connected_here')}</span>
        </span>
      }
    >
      <Tabs
        label={channel.name}
        tabs={[
          { link: { to: at, params }, title: t('channel.tab.settings') },
          { link: { to: `${at}/keys`, params }, title: t('channel.tab.keys') },
          {
            link: { to: `${at}/connections`, params },
            title: t('channel.tab.connections'),
            count: channel.connections,
          },
          { link: { to: `${at}/telephone`, params }, title: t('channel.tab.telephone') },
          { link: { to: `${at}/health`, params }, title: t('channel.tab.health') },
          { link: { to: `${at}/log`, params }, title: t('channel.tab.log') },
        ]}
      />
      <Outlet />
    </Page>
  )
}

/** The channel of the open page. The tabs render only after it is loaded. */
export function useChannel(): Channel {
  const { channelId } = route.useParams()
  const { data } = useQuery(channelOptions(channelId))
  if (!data) throw new Error('the window draws its pages when the channel is there')
  return data
}
