import { Modal, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './search-dialog.module.css'
import { type Hit, type HitGroup, useHits } from './search-hits.ts'

interface SearchDialogProps {
  opened: boolean
  onClose: () => void
}

/** Finds records, tasks and pages. */
export function SearchDialog({ opened, onClose }: SearchDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal.Root opened={opened} onClose={onClose} size={620} yOffset="12vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content className={classes.content} aria-label={t('search.open')}>
        <Modal.Body className={classes.body}>
          <Search onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), 130)
  const { groups, isSearching, isEarlier } = useHits(words)
  const [at, setAt] = useState(0)
  const [isEntered, setEntered] = useState(false)
  const navigate = useNavigate()
  const hits = groups.flatMap((group) => group.hits)
  const chosen = Math.min(at, hits.length - 1)
  const open = ({ goes }: Hit) => {
    onClose()
    navigate(goes as Parameters<typeof navigate>[0])
  }
  // Until then, the list shows the results of an earlier text, of which Enter must open none.
  const isAnswered = words === typed.trim() && !isEarlier
  useEffect(() => {
    if (!isEntered || !isAnswered) return
    setEntered(false)
    const hit = hits[chosen]
    if (hit) open(hit)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const hit = hits[chosen]
    if (event.key === 'Enter') {
      if (!isAnswered) setEntered(true)
      else if (hit) open(hit)
    }
    const next = moves[event.key]?.(chosen, hits.length)
    if (next === undefined) return
    event.preventDefault()
    setAt(next)
  }
  const change = (text: string) => {
    setTyped(text)
    setAt(0)
    setEntered(false)
  }
  return (
    <>
      <div className={classes.line}>
        <IconSearch size={17} stroke={1.7} aria-hidden />
        <input
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-label={t('search.open')}
          aria-expanded={hits.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={hits[chosen] && `${id}-${chosen}`}
          placeholder={t('search.hint')}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={typed}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <Hits id={id} groups={groups} chosen={chosen} onPoint={setAt} onOpen={open} />
      <p className={classes.foot} role="status">
        {hits.length === 0 && words !== '' && !isSearching
          ? t('app.nothing_found', { typed: words })
          : t('search.where')}
        {words !== '' && <VisuallyHidden> {t('search.count', { count: hits.length })}</VisuallyHidden>}
      </p>
    </>
  )
}

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % Math.max(1, count),
  ArrowUp: (at, count) => (at - 1 + count) % Math.max(1, count),
}

interface HitsProps {
  id: string
  groups: HitGroup[]
  chosen: number
  onPoint: (at: number) => void
  onOpen: (hit: Hit) => void
}

function Hits({ id, groups, chosen, onPoint, onOpen }: HitsProps) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the selection changes.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const starts = groups.map((_, i) => groups.slice(0, i).reduce((sum, { hits }) => sum + hits.length, 0))
  return (
    <div ref={list} id={id} role="listbox" aria-label={t('search.found')} className={classes.list}>
      {groups.map(({ title, hits }, g) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset.
        <div key={title} role="group" aria-label={title}>
          <div className={classes.title} aria-hidden>
            {title}
          </div>
          {hits.map((hit, i) => {
            const at = (starts[g] ?? 0) + i
            return (
              <HitRow
                key={hit.key}
                id={`${id}-${at}`}
                hit={hit}
                isChosen={at === chosen}
                onPoint={() => onPoint(at)}
                onOpen={() => onOpen(hit)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

interface HitRowProps {
  id: string
  hit: Hit
  isChosen: boolean
  onPoint: () => void
  onOpen: () => void
}

function HitRow({ id, hit: { label, hint, icon: Mark }, isChosen, onPoint, onOpen }: HitRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search box keeps the focus and handles keys.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={classes.hit}
      onPointerMove={onPoint}
      onClick={onOpen}
    >
      <Mark size={16} stroke={1.7} aria-hidden />
      <span className={classes.name}>{label}</span>
      {hint && <span className={classes.hint}>{hint}</span>}
    </div>
  )
}
