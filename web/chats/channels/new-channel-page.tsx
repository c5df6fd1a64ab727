import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { addChannel, type SavedChannel } from '../../data/channels.ts'
import { showOnce } from '../../data/shown-once.ts'
import { NewForm } from '../../parts/forms/new-form.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { ChannelFields } from './channel-fields.tsx'
import { bodyOf, emptyDraft, useChannelForm } from './channel-form.ts'

/** Creates a channel and opens the page that shows its keys once. */
export function NewChannelPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const form = useChannelForm(emptyDraft)
  const onDone = (saved: SavedChannel) => {
    const { id } = saved.channel
    showOnce(id, saved)
    navigate({ to: '/settings/channels/$channelId/saved', params: { channelId: id }, replace: true })
  }
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
        onDone={onDone}
        back="/settings/channels"
      >
        <ChannelFields form={form} />
      </NewForm>
    </Page>
  )
}
