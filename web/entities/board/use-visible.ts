import { type RefObject, useEffect, useState } from 'react'

/** Returns whether an element has ever been near the visible area of its scroll container. */
export function useVisible(
  ref: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (isSeen || !ref.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { root: scroller.current, rootMargin: '0px 400px' },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [isSeen, ref, scroller])
  return isSeen
}
