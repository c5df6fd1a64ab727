import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chat } from '../../api/chats.ts'
import { addFiles } from './composer.tsx'
import classes from './thread.module.css'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Files that are dropped anywhere on the thread are attached to what is being written. */
export function DropArea({
  chat,
  className,
  children,
}: {
  chat: Chat
  className: string | undefined
  children: ReactNode
}) {
  const { t } = useTranslation()
  const [isOver, setIsOver] = useState(false)
  // Each child that is passed says enter and leave.
  const depth = useRef(0)
  const enter = (by: number) => {
    depth.current = Math.max(0, depth.current + by)
    setIsOver(depth.current > 0)
  }
  const isOpen = chat.channel.state === 'active'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: who cannot drop has the button of the composer
    <div
      className={className}
      onDragEnter={(event) => isOpen && hasFiles(event) && enter(1)}
      onDragLeave={(event) => isOpen && hasFiles(event) && enter(-1)}
      onDragOver={(event) => isOpen && hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!isOpen || !hasFiles(event)) return
        event.preventDefault()
        depth.current = 0
        setIsOver(false)
        addFiles(chat, event.dataTransfer.files)
      }}
    >
      {children}
      {isOver && <div className={classes.drop}>{t('composer.drop')}</div>}
    </div>
  )
}
