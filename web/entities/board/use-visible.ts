import { type RefObject, useEffect, useState } from 'react'

/** Whether an element has come near to what is seen of its scroller; what was once seen stays so. */
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
