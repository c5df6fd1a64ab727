import { CloseButton, Popover } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Filter, type FilterEditorProps, type Search, type SearchChange, without } from './filter.ts'
import classes from './filter-bar.module.css'
import { FilterMenu } from './filter-menu.tsx'

export type { Filter, Search, SearchChange } from './filter.ts'

interface FilterBarProps {
  filters: Filter[]
  search: Search
  /** Members that are to change in the address; undefined takes one away. */
  onChange: (members: SearchChange) => void
}

/** What a list is narrowed to, a chip each with an editor behind it; and a menu of what it can be narrowed to. */
export function FilterBar({ filters, search, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<string | null>(null)
  const menu = useRef<HTMLButtonElement>(null)
  const active = filters.filter(({ owns }) => Object.keys(search).some(owns))
  // A filter that was just chosen has a chip as long as it is being set.
  const shown = filters.filter((filter) => active.includes(filter) || filter.name === opened)
  const close = (name: string) => {
    setOpened((now) => (now === name ? null : now))
    // The chip of a filter that was left empty goes away, and the focus with it.
    if (!active.some((filter) => filter.name === name)) menu.current?.focus()
  }
  const clear = (some: Filter[]) => {
    onChange(Object.assign({}, ...some.map(({ owns }) => without(search, owns))))
    setOpened(null)
    menu.current?.focus()
  }
  return (
    <fieldset className={classes.bar} aria-label={t('filters.label')}>
      {shown.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          search={search}
          opened={filter.name === opened}
          onOpen={() => setOpened(filter.name)}
          onClose={() => close(filter.name)}
          onRemove={() => clear([filter])}
          onChange={onChange}
        />
      ))}
      <FilterMenu
        ref={menu}
        filters={filters.filter((filter) => !shown.includes(filter))}
        isBare={shown.length > 0}
        onChoose={setOpened}
      />
      {active.length > 1 && (
        <button type="button" className={classes.clear} onClick={() => clear(active)}>
          {t('filters.clear')}
        </button>
      )}
    </fieldset>
  )
}

interface ChipProps extends FilterEditorProps {
  filter: Filter
  opened: boolean
  onOpen: () => void
  onClose: () => void
  onRemove: () => void
}

function Chip({ filter, search, opened, onOpen, onClose, onRemove, onChange }: ChipProps) {
  const { t } = useTranslation()
  const said = filter.say(search)
  return (
    <Popover
      opened={opened}
      onChange={(isOpen) => !isOpen && onClose()}
      position="bottom-start"
      trapFocus
      returnFocus
      shadow="md"
      transitionProps={{ duration: 80 }}
    >
      <span className={classes.chip} data-chip data-opened={opened || undefined}>
        <Popover.Target>
          <button type="button" className={classes.value} onClick={opened ? onClose : onOpen}>
            <span className={classes.title}>{filter.title}</span>
            {said !== null && (
              <span className={classes.said} title={said}>
                {said}
              </span>
            )}
          </button>
        </Popover.Target>
        <CloseButton
          size={20}
          iconSize={13}
          onClick={onRemove}
          aria-label={t('filters.remove', { title: filter.title })}
        />
      </span>
      <Popover.Dropdown className={classes.editor}>
        <EditorHost key={filter.name} filter={filter} search={search} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  )
}

/**
 * Filters are made anew with every drawing of a page. Their editors are called here and not mounted as components, so
 * that what is being typed stays; the hooks of an editor are those of this component.
 */
function EditorHost({ filter, ...props }: FilterEditorProps & { filter: Filter }) {
  return filter.Editor(props)
}
