import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsWriting } from '../data/writes.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import {
  answerQuestion,
  askToDiscard,
  discardUnsaved,
  hasUnsaved,
  useHasUnsaved,
  useIsAsking,
} from '../parts/forms/unsaved.ts'

interface Navigation {
  current: { pathname: string }
  next: { pathname: string }
}

/** Search parameters change what a page shows, and its forms stay. */
async function losesInput({ current, next }: Navigation): Promise<boolean> {
  if (current.pathname === next.pathname) return false
  await leaveEditor()
  if (!(await askToDiscard())) return true
  // The page may stay until the next one is loaded, and a further navigation does not ask again.
  discardUnsaved()
  return false
}

/** An editor of a field saves when it loses the focus, as at a click on a link, unless its value has a fault. */
async function leaveEditor(): Promise<void> {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement) || !activeElement.closest('[data-editor]')) return
  activeElement.blur()
  await new Promise((resolve) => setTimeout(resolve))
}

/** The browser itself asks. The end of the session makes the page inert and leaves it without a question (main.tsx). */
const asksBeforeReload = () => hasUnsaved() && !document.body.inert

/** The browser asks before a reload ends a write that is not confirmed: an upload can take minutes. */
function useReloadGuard(): void {
  const isWriting = useIsWriting()
  useEffect(() => {
    if (!isWriting) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!document.body.inert) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isWriting])
}

/** Asks before a navigation, a reload or the end of a dialog loses input. */
export function UnsavedGuard() {
  const { t } = useTranslation()
  const isAsking = useIsAsking()
  useReloadGuard()
  useBlocker({
    shouldBlockFn: losesInput,
    enableBeforeUnload: asksBeforeReload,
    disabled: !useHasUnsaved(),
  })
  // It is mounted above the dialog that it asks about.
  if (!isAsking) return null
  return (
    <Confirm
      opened
      title={t('unsaved.title')}
      action={t('act.discard')}
      cancel={t('unsaved.keep')}
      onConfirm={() => answerQuestion(true)}
      onClose={() => answerQuestion(false)}
    >
      <p>{t('unsaved.text')}</p>
    </Confirm>
  )
}
