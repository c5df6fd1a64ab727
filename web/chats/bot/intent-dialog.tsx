import { ActionIcon, Button, Modal, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Intent, type IntentDraft, saveIntent } from '../../data/intents.ts'
import dialog from '../../parts/dialog.module.css'
import { DialogButtons } from '../../parts/dialog-buttons.tsx'
import { ProblemCallout } from '../../parts/problem-callout.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import classes from './bot.module.css'

const mostPhrases = 50
const mostLetters = 255

interface IntentDialogProps {
  /** undefined for a new topic. */
  intent: Intent | undefined
  onClose: () => void
}

export function IntentDialog({ intent, onClose }: IntentDialogProps) {
  const { t } = useTranslation()
  const form = useIntentForm(intent)
  const { submit, pending, error } = useSubmit(form, saveIntent, { done: t('app.saved'), onDone: onClose })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(intent ? 'bot.edit' : 'bot.add')}
      size={560}
      closeButtonProps={{ 'aria-label': t('act.close') }}
    >
      <form noValidate onSubmit={form.onSubmit((values) => submit({ id: intent?.id, ...trimmed(values) }))}>
        <div className={dialog.fields}>
          <ProblemCallout error={error} />
          <TextInput
            label={t('field.name')}
            description={t('bot.name_hint')}
            maxLength={255}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <PhraseFields form={form} />
          <Textarea
            label={t('bot.answer')}
            description={t('bot.answer_hint')}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={20_000}
            required
            {...form.getInputProps('answer')}
          />
        </div>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Modal>
  )
}

interface Values extends Record<string, unknown> {
  name: string
  phrases: string[]
  answer: string
}

const trimmed = ({ name, phrases, answer }: Values): IntentDraft => ({
  name: name.trim(),
  phrases: phrases.map((phrase) => phrase.trim()).filter(Boolean),
  answer: answer.trim(),
})

function useIntentForm(intent: Intent | undefined) {
  const { t } = useTranslation()
  return useForm<Values>({
    initialValues: {
      name: intent?.name ?? '',
      phrases: intent ? [...intent.phrases] : [''],
      answer: intent?.answer ?? '',
    },
    validate: {
      name: (value) => (value.trim() ? null : t('faults.NotBlank')),
      phrases: (phrases) => (phrases.some((phrase) => phrase.trim()) ? null : t('bot.phrase_needed')),
      answer: (value) => (value.trim() ? null : t('faults.NotBlank')),
    },
  })
}

type IntentForm = ReturnType<typeof useIntentForm>

/** A field per phrase. Enter in the last one adds another. */
function PhraseFields({ form }: { form: IntentForm }) {
  const { t } = useTranslation()
  const list = useRef<HTMLFieldSetElement>(null)
  const { phrases } = form.getValues()
  const focusLast = () =>
    requestAnimationFrame(() => [...(list.current?.querySelectorAll('input') ?? [])].at(-1)?.focus())
  const add = () => {
    form.setFieldValue('phrases', [...form.getValues().phrases, ''])
    focusLast()
  }
  const change = (at: number, text: string) =>
    form.setFieldValue(
      'phrases',
      phrases.map((phrase, i) => (i === at ? text : phrase)),
    )
  const remove = (at: number) => {
    form.setFieldValue(
      'phrases',
      phrases.filter((_, i) => i !== at),
    )
    focusLast()
  }
  return (
    <fieldset className={classes.list} ref={list}>
      <legend>{t('bot.phrases')}</legend>
      <p className={classes.hint}>{t('bot.phrases_hint')}</p>
      {phrases.map((phrase, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a phrase is known by its place while it is written
        <div key={at} className={classes.phrase}>
          <TextInput
            aria-label={t('bot.phrase_at', { number: at + 1 })}
            placeholder={at === 0 ? t('bot.phrase_example') : undefined}
            maxLength={mostLetters}
            value={phrase}
            error={at === 0 && form.errors.phrases}
            onChange={({ currentTarget }) => change(at, currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              if (phrase.trim() && phrases.length < mostPhrases) add()
            }}
          />
          {phrases.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={32}
              onClick={() => remove(at)}
              aria-label={t('bot.remove_phrase', { number: at + 1 })}
              title={t('bot.remove_phrase', { number: at + 1 })}
            >
              <IconX size={15} />
            </ActionIcon>
          )}
        </div>
      ))}
      {phrases.length < mostPhrases && (
        <Button
          className={classes.addPhrase}
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconPlus size={13} />}
          onClick={add}
        >
          {t('bot.add_phrase')}
        </Button>
      )}
    </fieldset>
  )
}
