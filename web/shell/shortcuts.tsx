import { Kbd, Switch } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import classes from './shortcuts.module.css'
import { useAllNavPages } from './use-nav-pages.ts'

/** Single-letter shortcuts can interfere with speech input, so they can be turned off (WCAG 2.1.4). */
const useLetters = () =>
  useLocalStorage({ key: 'patchbay-keys', defaultValue: true, getInitialValueInEffect: false })

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

interface Shown {
  onKeys: () => void
  onSearch: () => void
}

/**
 * Handles shortcuts: `?` shows all shortcuts, `/` focuses the page's search or opens the global one, `g` and a
 * letter or digit open a page, Ctrl K opens the global search.
 */
export function useShortcuts({ onKeys, onSearch }: Shown) {
  const [letters] = useLetters()
  const pages = useAllNavPages()
  const navigate = useNavigate()
  const wentAt = useRef(0)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isDialogOpen()) return
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.code === 'KeyK') {
        event.preventDefault()
        onSearch()
      }
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || !letters) return
      // Uses the physical key, so that it is the same in every keyboard layout.
      const letter = /^(?:Key([A-Z])|Digit(\d))$/.exec(event.code)?.slice(1).join('').toLowerCase()
      const page = pages.find(({ key }) => key === letter)
      if (event.key === '?') onKeys()
      else if (event.key === '/') {
        event.preventDefault()
        focusSearch(onSearch)
      } else if (page && Date.now() - wentAt.current < 1200) {
        event.preventDefault()
        navigate({ to: page.to })
      }
      wentAt.current = letter === 'g' ? Date.now() : 0
    }
    // Captures the event before a list row handles the letter after `g`.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [letters, pages, navigate, onKeys, onSearch])
}

/** Ignores a dialog that is closing, which Mantine fades out by its opacity. */
const isDialogOpen = () =>
  [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].some(({ style }) => style.opacity !== '0')

function focusSearch(orElse: () => void) {
  const box = document.querySelector<HTMLInputElement>('[data-search-box]')
  if (box) box.focus()
  else orElse()
}

/** Shortcuts by context. */
const everywhere = [
  [['Ctrl', 'K'], 'keys.search_all'],
  [['/'], 'keys.search'],
  [['?'], 'keys.show'],
  [['Esc'], 'keys.close'],
] as const
const inLists = [
  [['↑', '↓'], 'keys.rows'],
  [['Enter'], 'keys.open'],
  [['x'], 'keys.choose'],
] as const
const inWriting = [
  [['Enter'], 'keys.send'],
  [['Shift', 'Enter'], 'keys.new_line'],
  [['Ctrl', 'Enter'], 'keys.submit'],
] as const

export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [letters, setLetters] = useLetters()
  const pages = useAllNavPages().filter((page) => !page.pages)
  return (
    <Dialog opened={opened} onClose={onClose} size={720} title={t('keys.title')}>
      <div className={classes.columns}>
        <div className={classes.column}>
          <KeyGroup title={t('keys.everywhere')} of={everywhere.map(([keys, does]) => [keys, t(does)])} />
          <KeyGroup title={t('keys.in_lists')} of={inLists.map(([keys, does]) => [keys, t(does)])} />
          <KeyGroup title={t('keys.in_writing')} of={inWriting.map(([keys, does]) => [keys, t(does)])} />
        </div>
        <KeyGroup title={t('keys.go_to')} of={pages.map(({ key, title }) => [['g', key], t(title)])} />
      </div>
      <Switch
        className={classes.switch}
        checked={letters}
        onChange={(event) => setLetters(event.currentTarget.checked)}
        label={t('keys.letters')}
        description={t('keys.letters_hint')}
      />
    </Dialog>
  )
}

/** Keys whose caps are different words in other languages. */
const named = ['Enter', 'Shift'] as const

function KeyGroup({ title, of }: { title: string; of: (readonly [readonly string[], string])[] }) {
  const { t } = useTranslation()
  const capOf = (key: string) => {
    const name = named.find((one) => one === key)
    return name ? t(`keys.caps.${name}`) : key
  }
  return (
    <section>
      <h3 className={classes.title}>{title}</h3>
      <dl className={classes.keys}>
        {of.map(([keys, does]) => (
          <div key={keys.join()} className={classes.row}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{capOf(key)}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
