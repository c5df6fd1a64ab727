import { type KeyboardEvent, useEffect, useRef } from 'react'

/**
 * Returns a handler of `onKeyDownCapture` for the input of a search. While the list still shows the results of an
 * earlier text, Enter waits, and then takes the first result.
 */
export function useHeldEnter(isAnswered: boolean, takeFirst: () => void): (event: KeyboardEvent) => void {
  const isEntered = useRef(false)
  useEffect(() => {
    if (!isAnswered || !isEntered.current) return
    isEntered.current = false
    takeFirst()
  })
  return (event) => {
    isEntered.current = event.key === 'Enter' && !isAnswered && !event.nativeEvent.isComposing
    if (!isEntered.current) return
    event.preventDefault()
    event.stopPropagation()
  }
}
