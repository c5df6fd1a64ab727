import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Channel, patchChannel, removeChannel } from '../../data/channels.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { ProblemCallout } from '../../parts/problem-callout.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { Section } from '../../parts/section.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { ChannelFields } from './channel-fields.tsx'
import { changesOf, draftOf, useChannelForm } from './channel-form.ts'
import { useChannel } from './channel-page.tsx'

export function SettingsTab() {
  const { t } = useTranslation()
  const channel = useChannel()
  const stored = draftOf(channel)
  const form = useChannelForm(stored)
  const { submit, pending, error } = useSubmit(form, patchChannel, {
    done: t('app.saved'),
    onDone: (patched) => {
      form.setInitialValues(draftOf(patched))
      form.setValues(draftOf(patched))
    },
  })
  const changes = changesOf(form.values, stored)
  return (
    <>
      <form noValidate onSubmit={form.onSubmit(() => submit({ id: channel.id, ...changes }))}>
        <ChannelFields form={form} />
        <ProblemCallout error={error} />
        <SaveBar
          shown={Object.keys(changes).length > 0}
          pending={pending}
          onDiscard={() => {
            form.setValues(stored)
            form.clearErrors()
          }}
        />
      </form>
      <Remove channel={channel} />
    </>
  )
}

function Remove({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const remove = useAction(removeChannel, t('channel.removed'))
  return (
    <Section
      title={t('channel.remove')}
      lead={t('channel.remove_lead')}
      actions={
        <Button variant="default" color="danger" onClick={() => setIsAsking(true)}>
          {t('channel.remove')}
        </Button>
      }
    >
      <Confirm
        opened={isAsking}
        title={t('channel.remove_title', { name: channel.name })}
        action={t('channel.remove')}
        pending={remove.pending}
        onConfirm={() => remove.run(channel.id, () => navigate({ to: '/settings/channels' }))}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('channel.remove_text')}</p>
      </Confirm>
    </Section>
  )
}
