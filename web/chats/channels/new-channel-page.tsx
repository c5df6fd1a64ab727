import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addChannel, connectAccount, type SavedChannel } from '../../data/channels.ts'
import { NewForm } from '../../parts/forms/new-form.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Copyable } from '../../parts/texts/copyable.tsx'
import { ChannelFields } from './channel-fields.tsx'
import { bodyOf, emptyDraft, useChannelForm } from './channel-form.ts'
import classes from './channels.module.css'

/** Creates a channel and then shows its keys, which only this page keeps in memory. */
export function NewChannelPage() {
  const [saved, setSaved] = useState<SavedChannel>()
  return saved ? <Saved saved={saved} /> : <NewChannelForm onSaved={setSaved} />
}

function NewChannelForm({ onSaved }: { onSaved: (saved: SavedChannel) => void }) {
  const { t } = useTranslation()
  const form = useChannelForm(emptyDraft)
  return (
    <Page
      title={t('channels.new')}
      lead={t('channel.new_lead')}
      back={{ to: '/settings/channels', label: t('channels.title') }}
    >
      <NewForm
        form={form}
        bodyOf={bodyOf}
        add={addChannel}
        action={t('channel.create')}
        onDone={onSaved}
        back="/settings/channels"
      >
        <ChannelFields form={form} />
      </NewForm>
    </Page>
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
