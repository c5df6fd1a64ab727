import { ActionIcon, Combobox, Popover, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPaperclip, IconSearch, IconTemplate } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chat } from '../../data/chats.ts'
import { fileOfDrive } from '../../data/drive.ts'
import { type ChatTemplate, foundTemplatesOptions } from '../../data/templates.ts'
import { useHeldEnter } from '../../parts/forms/use-held-enter.ts'
import { useFormat } from '../../parts/texts/format.ts'
import { filledIn } from '../templates/template-text.ts'
import { draftOf, keepDraft } from './drafts.ts'
import classes from './template-menu.module.css'

/** Opens a list of templates. The chosen one is added to the composer with the values of the conversation. */
export function TemplateMenu({ chat, onChosen }: { chat: Chat; onChosen: () => void }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const format = useFormat()
  const choose = async (template: ChatTemplate) => {
    setOpened(false)
    await insert(chat, template, format)
    onChosen()
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="top-start" width={340} shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          onClick={() => setOpened(!opened)}
          aria-label={t('templates.title')}
          title={t('templates.title')}
        >
          <IconTemplate size={17} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu} aria-label={t('templates.title')}>
        <Found onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Adds a template after the text that is already written. */
async function insert(
  chat: Chat,
  { id, content, attachment }: ChatTemplate,
  format: ReturnType<typeof useFormat>,
): Promise<void> {
  const { text: words, params } = await filledIn(content, chat, format)
  const { text, files } = draftOf(chat.id)
  keepDraft(chat.id, {
    text: [text, words].filter(Boolean).join('\n'),
    files: attachment ? [...files, fileOfDrive(attachment.id, attachment.name)] : files,
    template: { id, params, text: words.trim() },
    refused: undefined,
  })
}

function Found({ onChoose }: { onChoose: (template: ChatTemplate) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 150)
  const { data, isFetching, isPlaceholderData } = useQuery({
    ...foundTemplatesOptions(words),
    placeholderData: keepPreviousData,
  })
  // The options are always shown: Enter takes the selected one.
  const box = useCombobox({ opened: true })
  const { selectFirstOption } = box
  useEffect(() => {
    if (data) selectFirstOption()
  }, [data, selectFirstOption])
  const choose = (template: ChatTemplate | undefined) => template && onChoose(template)
  const isAnswered = words === typed.trim() && !isPlaceholderData
  const holdEnter = useHeldEnter(isAnswered, () => choose(data?.[0]))
  return (
    <Combobox store={box} onOptionSubmit={(id) => choose(data?.find((one) => String(one.id) === id))}>
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          aria-label={t('templates.search')}
          placeholder={t('templates.search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={typed}
          onKeyDownCapture={holdEnter}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes.options} aria-label={t('templates.title')}>
        {data?.map((template) => (
          <Combobox.Option key={template.id} value={String(template.id)} className={classes.option}>
            <span className={classes.name}>
              {template.name}
              {template.attachment && <IconPaperclip size={13} aria-hidden />}
            </span>
            <span className={classes.content}>{template.content}</span>
          </Combobox.Option>
        ))}
        {data?.length === 0 && !isFetching && (
          <Combobox.Empty>{t(words ? 'app.nothing' : 'templates.none')}</Combobox.Empty>
        )}
      </Combobox.Options>
    </Combobox>
  )
}
