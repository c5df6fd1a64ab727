import { Kbd, Modal, Switch } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './keys.module.css'
import { type Room, roomsFor } from './rooms.ts'
import { useIsAdministrator } from './use-session.ts'

/** Single letters can get in the way of speech input, so they can be switched off (WCAG 2.1.4). */
const useLetters = () =>
  useLocalStorage({ key: 'patchbay-keys', defaultValue: true, getInitialValueInEffect: false })

const everyRoom = (rooms: Room[]): Room[] => rooms.flatMap((room) => [room, ...(room.rooms ?? [])])

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** `?` shows the keys, `/` goes to the search of the page, `g` and a letter go to a room. */
export function useKeys(onShow: () => void) {
  const [letters] = useLetters()
  const administrator = useIsAdministrator()
  const navigate = useNavigate()
  const wentAt = useRef(0)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return
      if (!letters || document.querySelector('[role="dialog"]')) return
      // By the place of the key, so that it is the same in every keyboard layout.
      const letter = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase()
      const room = everyRoom(roomsFor(administrator)).find(({ key }) => key === letter)
      if (event.key === '?') onShow()
      else if (event.key === '/') focusSearch(event)
      else if (room && Date.now() - wentAt.current < 1200) navigate({ to: room.to })
      wentAt.current = letter === 'g' ? Date.now() : 0
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [letters, administrator, navigate, onShow])
}

function focusSearch(event: KeyboardEvent) {
  const box = document.querySelector<HTMLInputElement>('[data-search-box]')
  if (!box) return
  event.preventDefault()
  box.focus()
}

export function KeysDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [letters, setLetters] = useLetters()
  const rooms = everyRoom(roomsFor(useIsAdministrator()))
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('act.close') }}
    >
      <dl className={classes.keys}>
        <KeyRow keys={['?']} does={t('keys.show')} />
        <KeyRow keys={['/']} does={t('keys.search')} />
        <KeyRow keys={['Esc']} does={t('keys.close')} />
        {rooms.map(({ key, title }) => (
          <KeyRow key={key} keys={['g', key]} does={t('keys.go', { room: t(title) })} />
        ))}
      </dl>
      <Switch
        className={classes.switch}
        checked={letters}
        onChange={(event) => setLetters(event.currentTarget.checked)}
        label={t('keys.letters')}
        description={t('keys.letters_hint')}
      />
    </Modal>
  )
}

function KeyRow({ keys, does }: { keys: string[]; does: string }) {
  return (
    <>
      <dt>{does}</dt>
      <dd>
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </dd>
    </>
  )
}
