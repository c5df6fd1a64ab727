import { Autocomplete, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Audience, type AudienceDraft, saveAudience } from '../data/marketing.ts'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../parts/dialogs/dialog-buttons.tsx'
import { DialogFields } from '../parts/dialogs/dialog-fields.tsx'
import { savedOf } from '../parts/forms/rebased.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'

/** Names of networks are not translated; any other name is allowed. */
const services = ['Google Ads', 'Meta Ads', 'TikTok Ads', 'VK', 'Yandex']

const trimmed = ({ name, service }: AudienceDraft): AudienceDraft => ({
  name: name.trim(),
  service: service.trim(),
})

interface AudienceDialogProps {
  /** undefined for a new audience. */
  audience: Audience | undefined
  onClose: () => void
}

export function AudienceDialog({ audience, onClose }: AudienceDialogProps) {
  const { t } = useTranslation()
  const needed = (value: string) => (value.trim() ? null : t('faults.NotBlank'))
  const form = useForm({
    initialValues: { name: audience?.name ?? '', service: audience?.service ?? '' },
    validate: { name: needed, service: needed },
  })
  const { submit, pending, error } = useSubmit(form, saveAudience, { done: t('app.saved'), onDone: onClose })
  return (
    <Dialog onClose={onClose} title={t(audience ? 'marketing.audience.edit' : 'marketing.audience.add')}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) =>
          submit(savedOf(audience?.id, trimmed(values), trimmed(form.getInitialValues()))),
        )}
      >
        <DialogFields pending={pending}>
          <ProblemCallout error={error} />
          <TextInput
            label={t('field.name')}
            description={t('marketing.audience.name_hint')}
            maxLength={255}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Autocomplete
            label={t('marketing.audience.service')}
            description={t('marketing.audience.service_hint')}
            data={services}
            maxLength={64}
            required
            {...form.getInputProps('service')}
          />
        </DialogFields>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
