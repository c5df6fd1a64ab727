import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '../../data/messages.ts'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { ownPath } from './media-urls.ts'
import classes from './message.module.css'
import { FileRow } from './message-file.tsx'
import { useKindName } from './snippet.ts'

/** An image from our drive: small in the thread, large on click. */
export function Picture({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const kind = useKindName()
  const [isOpen, dialog] = useDisclosure()
  const { media, thumbnail, file_name, type } = message
  const name = file_name || kind(type)
  return (
    <>
      <UnstyledButton
        className={classes.opener}
        onClick={dialog.open}
        aria-label={t('message.enlarge', { name })}
      >
        <img
          className={type === 'sticker' ? classes.sticker : classes.picture}
          src={ownPath(thumbnail ?? media)}
          alt=""
          loading="lazy"
        />
      </UnstyledButton>
      <Dialog opened={isOpen} onClose={dialog.close} title={name} size="auto">
        <img className={classes.large} src={ownPath(media)} alt={name} />
        <FileRow message={message} />
      </Dialog>
    </>
  )
}
