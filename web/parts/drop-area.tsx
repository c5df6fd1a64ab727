import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import classes from './drop-area.module.css'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

interface DropAreaProps {
  isOpen: boolean
  /** Stands over the area while files are above it. */
  label: string
  onFiles: (files: FileList) => void
  className: string | undefined
  children: ReactNode
}

/** Takes files that are dropped anywhere on it, but for those that something inside has taken. */
export function DropArea({ isOpen, label, onFiles, className, children }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false)
  // Each child that is passed says enter and leave.
  const depth = useRef(0)
  const enter = (by: number) => {
    depth.current = Math.max(0, depth.current + by)
    setIsOver(depth.current > 0)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: who cannot drop has a button that does the same
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
