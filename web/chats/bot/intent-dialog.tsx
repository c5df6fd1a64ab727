import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Intent, type IntentDraft, saveIntent } from '../../data/intents.ts'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { DialogButtons } from '../../parts/dialogs/dialog-buttons.tsx'
import { DialogFields } from '../../parts/dialogs/dialog-fields.tsx'
import { savedOf } from '../../parts/forms/rebased.ts'
import { useForm } from '../../parts/forms/use-form.ts'
import { useSubmit } from '../../parts/forms/use-submit.ts'
import { ProblemCallout } from '../../parts/layout/problem-callout.tsx'
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
    <Dialog onClose={onClose} title={t(intent ? 'bot.edit' : 'bot.add')} size={560}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) =>
          submit(savedOf(intent?.id, trimmed(values), trimmed(form.getInitialValues()))),
        )}
      >
        <DialogFields pending={pending}>
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
        </DialogFields>
        <DialogButtons pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
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
  const { list, phrases, add, change, remove } = usePhrases(form)
  const isFull = phrases.length >= mostPhrases
  return (
    <fieldset className={classes.list} ref={list}>
      <legend>{t('bot.phrases')}</legend>
      <p className={classes.hint}>{t('bot.phrases_hint')}</p>
      {phrases.map((phrase, at) => (
        <PhraseField
          // biome-ignore lint/suspicious/noArrayIndexKey: a phrase is known by its place while it is written
          key={at}
          at={at}
          phrase={phrase}
          error={at === 0 && form.errors.phrases}
          onChange={(text) => change(at, text)}
          onEnter={() => phrase.trim() && !isFull && add()}
          onRemove={phrases.length > 1 ? () => remove(at) : undefined}
        />
      ))}
      {!isFull && (
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

/** The phrases of a form. The last one gets the focus when their number changes. */
function usePhrases(form: IntentForm) {
  const list = useRef<HTMLFieldSetElement>(null)
  const { phrases } = form.getValues()
  const focusLast = () =>
    requestAnimationFrame(() => [...(list.current?.querySelectorAll('input') ?? [])].at(-1)?.focus())
  const set = (changed: string[]) => form.setFieldValue('phrases', changed)
  return {
    list,
    phrases,
    add: () => {
      set([...form.getValues().phrases, ''])
      focusLast()
    },
    change: (at: number, text: string) => set(phrases.with(at, text)),
    remove: (at: number) => {
      set(phrases.toSpliced(at, 1))
      focusLast()
    },
  }
}

interface PhraseFieldProps {
  at: number
  phrase: string
  error: ReactNode
  onChange: (text: string) => void
  onEnter: () => void
  /** undefined for the only phrase. */
  onRemove: (() => void) | undefined
}

function PhraseField({ at, phrase, error, onChange, onEnter, onRemove }: PhraseFieldProps) {
  const { t } = useTranslation()
  const remove = t('bot.remove_phrase', { number: at + 1 })
  return (
    <div className={classes.phrase}>
      <TextInput
        aria-label={t('bot.phrase_at', { number: at + 1 })}
        placeholder={at === 0 ? t('bot.phrase_example') : undefined}
        maxLength={mostLetters}
        value={phrase}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          onEnter()
        }}
      />
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          onClick={onRemove}
          aria-label={remove}
          title={remove}
        >
          <IconX size={15} />
        </ActionIcon>
      )}
    </div>
  )
}
