import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { patchChannel, removeChannel } from '../../data/channels.ts'
import { RemoveSection } from '../../parts/dialogs/remove-section.tsx'
import { StoredForm } from '../../parts/forms/stored-form.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { ChannelFields } from './channel-fields.tsx'
import { changesOf, draftOf, useChannelForm } from './channel-form.ts'
import { useChannel } from './channel-page.tsx'

/** The settings of a channel, and its removal. */
export function SettingsTab() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const channel = useChannel()
  const form = useChannelForm(draftOf(channel))
  const remove = useAction(removeChannel, t('channel.removed'))
  return (
    <>
      <StoredForm form={form} stored={channel} draftOf={draftOf} changesOf={changesOf} patch={patchChannel}>
        <ChannelFields form={form} />
      </StoredForm>
      <RemoveSection
        action={t('channel.remove')}
        lead={t('channel.remove_lead')}
        confirm={{ title: t('channel.remove_title', { name: channel.name }), text: t('channel.remove_text') }}
        pending={remove.pending}
        onRemove={() =>
          remove.run(channel.id, () => navigate({ to: '/settings/channels', ignoreBlocker: true }))
        }
      />
    </>
  )
}
