import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChannelKeys, rotateChannelSecret, showChannelKeys } from '../../data/channels.ts'
import dialog from '../../parts/dialogs/dialog.module.css'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Copyable } from '../../parts/texts/copyable.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { Secret } from '../../parts/texts/secret.tsx'
import { useNow } from '../../parts/texts/use-now.ts'
import { useChannel } from './channel-page.tsx'
import classes from './channels.module.css'

/** The keys are loaded on request and discarded when the page is left. */
export function KeysTab() {
  const { t } = useTranslation()
  const { id, bot_id, previous_secret_until } = useChannel()
  const [keys, setKeys] = useState<ChannelKeys>()
  const [isAsking, setIsAsking] = useState(false)
  const show = useAction(showChannelKeys)
  return (
    <>
      <Section title={t('keys_of.title')} lead={t('channel.secret_lead')}>
        <div className={classes.fields}>
          <Overlap until={previous_secret_until} />
          <Copyable label={t('channel.id')} value={id} />
          <Copyable label={t('channel.bot_id')} value={bot_id} />
          <Secret
            label={t('channel.secret')}
            value={keys?.secret}
            ask={t('channel.show_secret')}
            pending={show.pending}
            onAsk={() => show.run(id, setKeys)}
            onHide={() => setKeys(undefined)}
          />
        </div>
      </Section>
      <Section
        title={t('rotate.title')}
        lead={t('rotate.lead')}
        actions={
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {t('rotate.open')}
          </Button>
        }
      />
      <RotateDialog id={id} opened={isAsking} onClose={() => setIsAsking(false)} onKeys={setKeys} />
    </>
  )
}

/** Shown while two secrets are valid. */
function Overlap({ until }: { until: number | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow(30)
  if (until === null || until <= now) return null
  return (
    <Callout tone="info" title={t('rotate.overlap_title')}>
      {t('rotate.overlap_text', { until: format.dateTime(until) })}
    </Callout>
  )
}

const overlaps = ['0', '3600', '86400', '604800'] as const

interface RotateDialogProps {
  id: string
  opened: boolean
  onClose: () => void
  onKeys: (keys: ChannelKeys) => void
}

function RotateDialog({ id, opened, onClose, onKeys }: RotateDialogProps) {
  const { t } = useTranslation()
  const [overlap, setOverlap] = useState<string>('86400')
  const rotate = useAction(rotateChannelSecret, t('rotate.done'))
  const confirm = () =>
    rotate.run({ id, overlap_seconds: Number(overlap) }, (keys) => {
      onKeys(keys)
      onClose()
    })
  return (
    <Dialog opened={opened} onClose={onClose} title={t('rotate.title')}>
      <div className={dialog.text}>
        <p>{t('rotate.text')}</p>
        <Select
          label={t('rotate.overlap')}
          description={t('rotate.overlap_hint')}
          value={overlap}
          onChange={(value) => setOverlap(value ?? '86400')}
          data={overlaps.map((value) => ({ value, label: t(`rotate.for.${value}`) }))}
        />
        {overlap === '0' && <Callout tone="warn">{t('rotate.at_once')}</Callout>}
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('act.cancel')}
        </Button>
        <Button loading={rotate.pending} onClick={confirm}>
          {t('rotate.action')}
        </Button>
      </div>
    </Dialog>
  )
}
