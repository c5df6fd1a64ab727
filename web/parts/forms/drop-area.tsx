import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import classes from './drop-area.module.css'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

interface DropAreaProps {
  isOpen: boolean
  /** Shown while files are dragged over the area. */
  label: string
  onFiles: (files: FileList) => void
  className: string | undefined
  children: ReactNode
}

/** Accepts dropped files, unless a child has handled them. */
export function DropArea({ isOpen, label, onFiles, className, children }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false)
  // Every child fires its own enter and leave events.
  const depth = useRef(0)
  const enter = (by: number) => {
    depth.current = Math.max(0, depth.current + by)
    setIsOver(depth.current > 0)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button inside does the same without drag and drop
    <div
      className={className}
      onDragEnter={(event) => isOpen && hasFiles(event) && enter(1)}
      onDragLeave={(event) => isOpen && hasFiles(event) && enter(-1)}
      onDragOver={(event) => isOpen && hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!isOpen || !hasFiles(event) || event.defaultPrevented) return
        event.preventDefault()
        depth.current = 0
        setIsOver(false)
        onFiles(event.dataTransfer.files)
      }}
    >
      {children}
      {isOver && <div className={classes.over}>{label}</div>}
    </div>
  )
}
