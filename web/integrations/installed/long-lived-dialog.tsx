import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { issueLongLived, type LongLived } from '../../data/installations.ts'
import dialog from '../../parts/dialogs/dialog.module.css'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { useSubmit } from '../../parts/forms/use-submit.ts'
import { Callout } from '../../parts/layout/callout.tsx'
import { ProblemCallout } from '../../parts/layout/problem-callout.tsx'
import { Copyable } from '../../parts/texts/copyable.tsx'
import { useFormat } from '../../parts/texts/format.ts'

interface LongLivedDialogProps {
  clientId: string
  opened: boolean
  onClose: () => void
}

/** Issues a long-lived token and shows it once. */
export function LongLivedDialog({ clientId, opened, onClose }: LongLivedDialogProps) {
  const { t } = useTranslation()
  const [issued, setIssued] = useState<LongLived>()
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setIssued(undefined)}
      title={t('long_lived.title')}
      closeOnClickOutside={!issued}
      size={520}
    >
      {issued ? (
        <IssuedToken token={issued} onClose={onClose} />
      ) : (
        <IssueForm clientId={clientId} onIssued={setIssued} onClose={onClose} />
      )}
    </Dialog>
  )
}

const terms = ['1', '7', '30', '90', '365', '730', '1826'] as const

interface IssueFormProps {
  clientId: string
  onIssued: (token: LongLived) => void
  onClose: () => void
}

function IssueForm({ clientId, onIssued, onClose }: IssueFormProps) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { name: '', days: '90' },
    validate: { name: (value) => (value.trim() ? null : t('faults.NotBlank')) },
  })
  const { submit, pending, error } = useSubmit(form, issueLongLived, { onDone: onIssued })
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ name, days }) => submit({ client_id: clientId, name, days: Number(days) }))}
    >
      <div className={dialog.fields}>
        <p className={dialog.text}>{t('long_lived.lead')}</p>
        <ProblemCallout error={error} />
        <TextInput
          label={t('field.name')}
          description={t('long_lived.name_hint')}
          maxLength={255}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label={t('long_lived.term')}
          data={terms.map((days) => ({ value: days, label: t(`long_lived.days.${days}`) }))}
          {...form.getInputProps('days')}
        />
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('act.cancel')}
        </Button>
        <Button type="submit" loading={pending}>
          {t('long_lived.action')}
        </Button>
      </div>
    </form>
  )
}

function IssuedToken({ token, onClose }: { token: LongLived; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={dialog.fields}>
      <Callout tone="info" title={t('long_lived.once_title')} live>
        {t('long_lived.once_text', { date: format.date(token.expires_at) })}
      </Callout>
      <Copyable label={t('long_lived.token')} value={token.access_token} />
      <div className={dialog.buttons}>
        <Button onClick={onClose}>{t('act.done')}</Button>
      </div>
    </div>
  )
}
