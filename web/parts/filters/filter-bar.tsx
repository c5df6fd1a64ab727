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
  /** Changes search parameters; undefined removes one. */
  onChange: (members: SearchChange) => void
}

/** The active filters as chips with editors, and a menu of all filters. */
export function FilterBar({ filters, search, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<string | null>(null)
  const menu = useRef<HTMLButtonElement>(null)
  const active = filters.filter(({ owns }) => Object.keys(search).some(owns))
  // A new filter has a chip while its editor is open.
  const shown = filters.filter((filter) => active.includes(filter) || filter.name === opened)
  const close = (name: string) => {
    setOpened((now) => (now === name ? null : now))
    // The chip of an empty filter disappears; the focus goes to the menu.
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
  const summary = filter.describe(search)
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
            {summary !== null && (
              <span className={classes.summary} title={summary}>
                {summary}
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
 * Filters are recreated on every render. Calling their editors as functions keeps their state, because the hooks
 * belong to this component.
 */
function EditorHost({ filter, ...props }: FilterEditorProps & { filter: Filter }) {
  return filter.Editor(props)
}
