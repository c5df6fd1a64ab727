import { Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Bot, saveBot } from '../../data/bots.ts'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../../parts/dialogs/dialog-buttons.tsx'
import { DialogFields } from '../../parts/dialogs/dialog-fields.tsx'
import { changedMembers } from '../../parts/forms/rebased.ts'
import { useForm } from '../../parts/forms/use-form.ts'
import { useSubmit } from '../../parts/forms/use-submit.ts'
import { ProblemCallout } from '../../parts/layout/problem-callout.tsx'

const trimmed = ({ name, greeting }: Pick<Bot, 'name' | 'greeting'>) => ({
  name: name.trim(),
  greeting: greeting.trim(),
})

/** The name and the greeting of the reply bot. */
export function BotDialog({ bot, onClose }: { bot: Bot; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { name: bot.name, greeting: bot.greeting },
    validate: { name: (value: string) => (value.trim() ? null : t('faults.NotBlank')) },
  })
  const { submit, pending, error } = useSubmit(form, saveBot, { done: t('app.saved'), onDone: onClose })
  return (
    <Dialog onClose={onClose} title={t('bot.settings')} size={560}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) =>
          submit({ id: bot.id, ...changedMembers(trimmed(values), trimmed(form.getInitialValues())) }),
        )}
      >
        <DialogFields pending={pending}>
          <ProblemCallout error={error} />
          <TextInput
            label={t('field.name')}
            description={t('bot.own_name_hint')}
            maxLength={255}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Textarea
            label={t('bot.greeting')}
            description={t('bot.greeting_hint')}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={20_000}
            {...form.getInputProps('greeting')}
          />
        </DialogFields>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
