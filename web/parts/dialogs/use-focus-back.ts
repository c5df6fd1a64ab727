import { type RefObject, useEffect, useRef } from 'react'

/** Gives the focus to a control, named by its selector, when the editor in the same place closes. */
export function useFocusBack(place: RefObject<HTMLElement | null>, isOpen: boolean, control: string): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    const isClosed = wasOpen.current && !isOpen
    wasOpen.current = isOpen
    if (isClosed && document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>(control)?.focus()
  }, [isOpen, place, control])
}
