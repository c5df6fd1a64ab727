import { createContext, type ReactNode, useContext, useState } from 'react'

const Editing = createContext<[boolean, (isEditing: boolean) => void]>([false, () => {}])

/** Shares whether a note is being edited: its menu starts it, its body shows the editor. */
export function NoteEditing({ children }: { children: ReactNode }) {
  const state = useState(false)
  return <Editing value={state}>{children}</Editing>
}

export const useEditing = () => useContext(Editing)
