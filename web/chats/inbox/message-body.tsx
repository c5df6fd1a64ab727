import { IconMapPin, IconUser } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ChatMessage } from '../../data/messages.ts'
import { FoldingText } from '../../parts/layout/folding-text.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import { Linked } from './linked-text.tsx'
import { ownPath } from './media-urls.ts'
import classes from './message.module.css'
import { FileRow } from './message-file.tsx'
import { Picture } from './picture.tsx'
import { useKindName } from './snippet.ts'

type Body = (props: { message: ChatMessage }) => ReactNode

/** The content of a message by its kind. Unknown kinds are shown as a file or text. */
export function MessageBody({ message }: { message: ChatMessage }) {
  const { type, text, media } = message
  const Special = bodies[type] ?? (media ? FileRow : undefined)
  const name = useKindName()
  return (
    <>
      {Special && <Special message={message} />}
      {text && (
        <FoldingText className={classes.text}>
          <Linked text={text} />
        </FoldingText>
      )}
      {!Special && !text && <p className={classes.empty}>{name(type)}</p>}
    </>
  )
}

const bodies: Record<string, Body> = {
  picture: PictureOrFile,
  sticker: PictureOrFile,
  location: Location,
  contact: Contact,
}

/** Images from other hosts are not loaded, because those hosts would learn who reads them and when. */
function PictureOrFile({ message }: { message: ChatMessage }) {
  return ownPath(message.thumbnail ?? message.media) ? (
    <Picture message={message} />
  ) : (
    <FileRow message={message} />
  )
}

function Location({ message }: { message: ChatMessage }) {
  const format = useFormat()
  const name = useKindName()
  const { lat, lon } = (message.content as { location?: { lat?: unknown; lon?: unknown } }).location ?? {}
  if (typeof lat !== 'number' || typeof lon !== 'number')
    return <p className={classes.empty}>{name('location')}</p>
  const place = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}`
  return (
    <a className={classes.file} href={place} target="_blank" rel="noopener noreferrer">
      <IconMapPin size={22} stroke={1.5} aria-hidden />
      <span className={classes.fileWords}>
        <span className={classes.fileName}>{name('location')}</span>
        <span className={classes.fileSize}>
          {format.degrees(lat)}, {format.degrees(lon)}
        </span>
      </span>
    </a>
  )
}

function Contact({ message }: { message: ChatMessage }) {
  const kind = useKindName()
  const { name, phone } = (message.content as { contact?: { name?: unknown; phone?: unknown } }).contact ?? {}
  return (
    <span className={classes.file}>
      <IconUser size={22} stroke={1.5} aria-hidden />
      <span className={classes.fileWords}>
        <span className={classes.fileName}>{name ? String(name) : kind('contact')}</span>
        {phone !== undefined && (
          <a className={classes.fileSize} href={`tel:${String(phone).replace(/[^\d+]/g, '')}`}>
            {String(phone)}
          </a>
        )}
      </span>
    </span>
  )
}
