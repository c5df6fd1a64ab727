import { ActionIcon, Menu, Textarea } from '@mantine/core'
import { IconFile, IconMapPin, IconPlus, IconSend2, IconUser } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Customer, type CustomerContent, typeAsCustomer, writeAsCustomer } from '../../data/telephone.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { ContactDialog, LocationDialog } from './attach-dialogs.tsx'
import classes from './telephone.module.css'

const MOST = 20_000
/** The inbox shows typing for so many milliseconds, so it is reported again after most of them. */
const REPORTED_EVERY = 4_000

interface ComposerProps {
  channelId: string
  customer: Customer
  /** Nobody sees that a customer types who has not written yet. */
  hasChat: boolean
}

/** Writes as the customer: a text, or a picture, a file, a location or a contact. */
export function TelephoneComposer({ channelId, customer, hasChat }: ComposerProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const write = useAction(writeAsCustomer(channelId, customer))
  const reported = useRef(0)
  const change = (value: string) => {
    setText(value)
    if (!hasChat || value === '' || performance.now() - reported.current < REPORTED_EVERY) return
    reported.current = performance.now()
    typeAsCustomer(channelId, customer.key)
  }
  const send = () => {
    if (text.trim() !== '') write.run({ text }, () => setText(''))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms text from an input method.
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    send()
  }
  return (
    <div className={classes.composer}>
      <AttachMenu onAttach={(content) => write.run(content)} />
      <Textarea
        className={classes.field}
        aria-label={t('telephone.write_as', { name: customer.name })}
        placeholder={t('telephone.placeholder')}
        autosize
        minRows={1}
        maxRows={5}
        maxLength={MOST}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ActionIcon
        size={34}
        radius="xl"
        loading={write.pending}
        disabled={text.trim() === ''}
        onClick={send}
        aria-label={t('composer.send')}
        title={t('composer.send')}
      >
        <IconSend2 size={17} />
      </ActionIcon>
    </div>
  )
}

function AttachMenu({ onAttach }: { onAttach: (content: CustomerContent & { file?: File }) => void }) {
  const { t } = useTranslation()
  const picker = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState<'location' | 'contact'>()
  const close = () => setOpen(undefined)
  return (
    <>
      {open === 'location' && <LocationDialog onClose={close} onAttach={onAttach} />}
      {open === 'contact' && <ContactDialog onClose={close} onAttach={onAttach} />}
      <Menu position="top-start">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('telephone.attach')}
            title={t('telephone.attach')}
          >
            <IconPlus size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFile size={15} />} onClick={() => picker.current?.click()}>
            {t('telephone.file')}
          </Menu.Item>
          <Menu.Item leftSection={<IconMapPin size={15} />} onClick={() => setOpen('location')}>
            {t('message.kind.location')}
          </Menu.Item>
          <Menu.Item leftSection={<IconUser size={15} />} onClick={() => setOpen('contact')}>
            {t('message.kind.contact')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={picker}
        type="file"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) onAttach({ file })
          currentTarget.value = ''
        }}
      />
    </>
  )
}
