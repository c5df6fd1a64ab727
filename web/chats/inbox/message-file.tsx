import { IconFile, IconMicrophone, IconPhoto, IconSticker, IconVideo } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '../../data/messages.ts'
import { useFormat } from '../../parts/texts/format.ts'
import { hostOf, ownPath } from './media-urls.ts'
import classes from './message.module.css'
import { useKindName } from './snippet.ts'

const marks: Record<string, typeof IconFile> = {
  picture: IconPhoto,
  video: IconVideo,
  voice: IconMicrophone,
  audio: IconMicrophone,
  sticker: IconSticker,
}

/** A file with its name and size. A file on another host shows the host and opens in a new tab. */
export function FileRow({ message }: { message: ChatMessage }) {
  const format = useFormat()
  const name = useKindName()
  const { type, media, file_name, file_size } = message
  const Mark = marks[type] ?? IconFile
  const own = ownPath(media)
  const details = [
    file_name ? name(type) : undefined,
    file_size ? format.size(file_size) : undefined,
    own ? undefined : hostOf(media),
  ]
  return (
    <FileLink url={media}>
      <Mark size={22} stroke={1.5} aria-hidden />
      <span className={classes.fileWords}>
        <span className={classes.fileName}>{file_name || name(type)}</span>
        <span className={classes.fileSize}>{details.filter(Boolean).join(' · ')}</span>
      </span>
    </FileLink>
  )
}

function FileLink({ url, children }: { url: string | null; children: ReactNode }) {
  const { t } = useTranslation()
  const own = ownPath(url)
  if (own)
    return (
      <a className={classes.file} href={own} download>
        {children}
      </a>
    )
  if (!hostOf(url)) return <span className={classes.file}>{children}</span>
  return (
    <a
      className={classes.file}
      href={url ?? ''}
      target="_blank"
      rel="noopener noreferrer"
      title={t('message.opens_elsewhere')}
    >
      {children}
    </a>
  )
}
