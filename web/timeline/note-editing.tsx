import { createContext, type ReactNode, useContext, useState } from 'react'

const Editing = createContext<[boolean, (isEditing: boolean) => void]>([false, () => {}])

/** Whether the note of a row is being written anew: its menu says so, its body does it. */
export function NoteEditing({ children }: { children: ReactNode }) {
  const state = useState(false)
  return <Editing value={state}>{children}</Editing>
}

export const useEditing = () => useContext(Editing)
