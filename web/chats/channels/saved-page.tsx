import { Button } from '@mantine/core'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { connectAccount, type SavedChannel } from '../../data/channels.ts'
import { useShownOnce } from '../../data/shown-once.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Copyable } from '../../parts/texts/copyable.tsx'
import classes from './channels.module.css'

const route = getRouteApi('/shell/settings/channels/$channelId/saved')

/** The keys of a new channel. Loaded again, it is the page of the channel. */
export function SavedPage() {
  const params = route.useParams()
  const saved = useShownOnce<SavedChannel>(params.channelId)
  return saved ? (
    <Saved saved={saved} />
  ) : (
    <Navigate to="/settings/channels/$channelId" params={params} replace />
  )
}

function Saved({ saved: { channel, keys } }: { saved: SavedChannel }) {
  const { t } = useTranslation()
  const connect = useAction(connectAccount, t('connections.connected_done'))
  const isConnected = connect.data?.is_connected ?? channel.is_connected
  return (
    <Page
      isNext
      title={t('saved.title', { name: channel.name })}
      lead={t('channel.saved_lead')}
      back={{ to: '/settings/channels', label: t('channels.title') }}
      actions={
        <Button
          renderRoot={(props) => (
            <Link to="/settings/channels/$channelId" params={{ channelId: channel.id }} {...props} />
          )}
        >
          {t('channel.to_channel')}
        </Button>
      }
    >
      <Section title={t('keys_of.title')}>
        <div className={classes.fields}>
          <Callout tone="info" title={t('channel.keys_title')} live>
            {t('channel.keys_text')}
          </Callout>
          <Copyable label={t('channel.id')} value={keys.channel_id} />
          <Copyable label={t('channel.secret')} value={keys.secret} />
        </div>
      </Section>
      <Section
        title={t('connections.this')}
        lead={t(isConnected ? 'connections.this_is' : 'connections.this_lead')}
        actions={
          !isConnected && (
            <Button variant="default" loading={connect.pending} onClick={() => connect.run(channel.id)}>
              {t('connections.connect')}
            </Button>
          )
        }
      />
    </Page>
  )
}
