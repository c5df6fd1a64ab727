import { useRef, useState } from 'react'

/** Returns a function that stays the same, and calls the one of the last render. For events only. */
export function useStable<Args extends unknown[], Result>(
  act: (...args: Args) => Result,
): (...args: Args) => Result {
  const last = useRef(act)
  last.current = act
  const [stable] = useState(
    () =>
      (...args: Args) =>
        last.current(...args),
  )
  return stable
}
