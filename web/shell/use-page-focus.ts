import { type ParsedLocation, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Frames for which a link is waited for: a virtual list draws its rows after it has measured itself. */
const FRAMES = 60

const keyOf = ({ state }: ParsedLocation) => state.__TSR_key ?? ''
const isNowhere = () => document.activeElement === document.body || document.activeElement?.id === 'main'

/**
 * Gives the focus to the main part of a page that is opened, so that Tab begins there. Back and Forward give it to the
 * link by which the page was left: the keys of a list go on where they were.
 */
export function usePageFocus(): void {
  const router = useRouter()
  useEffect(() => {
    /** The addresses of those links, by the entries of the history. */
    const left = new Map<string, string>()
    let frame = 0
    const seek = (href: string, frames: number) => {
      if (!isNowhere()) return
      const link = document.querySelector<HTMLElement>(`#main a[href="${CSS.escape(href)}"]`)
      if (link) link.focus({ preventScroll: true })
      else if (frames > 0) frame = requestAnimationFrame(() => seek(href, frames - 1))
    }
    const stops = [
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        cancelAnimationFrame(frame)
        const href = document.activeElement?.closest('#main a')?.getAttribute('href')
        if (fromLocation && pathChanged && href) left.set(keyOf(fromLocation), href)
      }),
      router.subscribe('onRendered', ({ toLocation, pathChanged }) => {
        if (!pathChanged || !isNowhere()) return
        document.getElementById('main')?.focus({ preventScroll: true })
        const href = left.get(keyOf(toLocation))
        if (href) seek(href, FRAMES)
      }),
    ]
    return () => {
      cancelAnimationFrame(frame)
      for (const stop of stops) stop()
    }
  }, [router])
}
