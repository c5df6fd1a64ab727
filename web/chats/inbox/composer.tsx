import { ActionIcon, Button, CloseButton, Textarea, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFile, IconPaperclip, IconPhoto, IconSend2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Chat, chatName, reportTyping } from '../../data/chats.ts'
import { emptyFile, isEmptyFile } from '../../data/drive.ts'
import { sendMessage } from '../../data/messages.ts'
import { ProblemCallout } from '../../parts/layout/problem-callout.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { ClosedComposer } from './closed-composer.tsx'
import classes from './composer.module.css'
import { draftOf, keepDraft, restoreDraft, takeDraft, useDraft } from './drafts.ts'
import { TemplateMenu } from './template-menu.tsx'

/** Maximum length of a message. */
const MOST = 20_000

export function Composer({ chat }: { chat: Chat }) {
  const { mutate } = useMutation(sendMessage(chat.id, restoreDraft))
  const draft = useDraft(chat.id)
  if (!chat.can_write || chat.channel.state !== 'active') return <ClosedComposer chat={chat} />
  const isEmpty = draft.text.trim() === '' && draft.files.length === 0
  const send = () => {
    if (!isEmpty) for (const message of takeDraft(chat.id)) mutate(message)
  }
  return (
    <div className={classes.composer}>
      <ProblemCallout error={draft.refused} />
      <div className={classes.box}>
        <Files chat={chat} files={draft.files} />
        <Field chat={chat} text={draft.text} onSend={send} />
        <Buttons chat={chat} isEmpty={isEmpty} onSend={send} />
      </div>
    </div>
  )
}

export function addFiles(chat: Chat, files: Iterable<File>): void {
  const chosen = [...files]
  const added = chosen.filter((file) => !isEmptyFile(file))
  const refused = added.length < chosen.length ? emptyFile() : undefined
  keepDraft(chat.id, { files: [...draftOf(chat.id).files, ...added], refused })
}

function Field({ chat, text, onSend }: { chat: Chat; text: string; onSend: () => void }) {
  const { t } = useTranslation()
  const field = useRef<HTMLTextAreaElement>(null)
  const hasKeyboard = useHasKeyboard()
  useEffect(() => {
    if (hasKeyboard) field.current?.focus({ preventScroll: true })
  }, [hasKeyboard])

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms text from an input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') focusRow(chat.id)
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    onSend()
  }
  const onPaste = (event: ClipboardEvent) => {
    const { files } = event.clipboardData
    if (files.length === 0) return
    event.preventDefault()
    addFiles(chat, files)
  }
  return (
    <Textarea
      ref={field}
      data-composer
      variant="unstyled"
      className={classes.field}
      aria-label={t('composer.label', { name: chatName(chat) })}
      placeholder={t('composer.placeholder')}
      autosize
      minRows={1}
      maxRows={10}
      maxLength={MOST}
      value={text}
      onChange={({ currentTarget }) => {
        keepDraft(chat.id, { text: currentTarget.value, refused: undefined })
        if (currentTarget.value !== '') reportTyping(chat)
      }}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    />
  )
}

/** On touch screens the focus would open a keyboard over the messages. */
export const useHasKeyboard = () => useMediaQuery('(pointer: fine)', true, { getInitialValueInEffect: false })

/** Focuses a row of the list, from which the arrow keys continue. */
const focusRow = (id: string) => document.querySelector<HTMLElement>(`[data-chat-row="${id}"]`)?.focus()

export const focusField = () => document.querySelector<HTMLElement>('[data-composer]')?.focus()

function Buttons({ chat, isEmpty, onSend }: { chat: Chat; isEmpty: boolean; onSend: () => void }) {
  const { t } = useTranslation()
  const picker = useRef<HTMLInputElement>(null)
  const hasKeyboard = useHasKeyboard()
  const send = () => {
    onSend()
    // The button is disabled now, and would lose the focus.
    if (hasKeyboard) focusField()
  }
  return (
    <div className={classes.buttons}>
      <Tooltip label={t('composer.attach')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          onClick={() => picker.current?.click()}
          aria-label={t('composer.attach')}
          title={t('composer.attach')}
        >
          <IconPaperclip size={17} />
        </ActionIcon>
      </Tooltip>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          addFiles(chat, currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
      <TemplateMenu chat={chat} onChosen={focusField} />
      <span className={classes.hint}>{t('composer.hint')}</span>
      <Button rightSection={<IconSend2 size={15} aria-hidden />} disabled={isEmpty} onClick={send}>
        {t('composer.send')}
      </Button>
    </div>
  )
}

function Files({ chat, files }: { chat: Chat; files: File[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (files.length === 0) return null
  const remove = (file: File) =>
    keepDraft(chat.id, { files: draftOf(chat.id).files.filter((one) => one !== file) })
  return (
    <ul className={classes.files} aria-label={t('composer.files')}>
      {files.map((file) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`} className={classes.file}>
          {file.type.startsWith('image/') ? <IconPhoto size={16} /> : <IconFile size={16} />}
          <span className={classes.name}>{file.name}</span>
          {file.size > 0 && <span className={classes.size}>{format.size(file.size)}</span>}
          <CloseButton
            size="sm"
            onClick={() => remove(file)}
            aria-label={t('composer.remove', { name: file.name })}
            title={t('composer.remove', { name: file.name })}
          />
        </li>
      ))}
    </ul>
  )
}
